// Vectors of weights: solve and certify, paths of radii and of penalties.
#pragma once

#include <nanobind/nanobind.h>

namespace pdbfw::python {

void bind_sparse(nanobind::module_& module);

}  // namespace pdbfw::python
