// Vectors of weights: solve, solve_path, certify.
#pragma once

#include <nanobind/nanobind.h>

namespace pdbfw::python {

void bind_sparse(nanobind::module_& module);

}  // namespace pdbfw::python
