// What there is to choose from: losses, sets, solvers, options.
#pragma once

#include <nanobind/nanobind.h>

namespace pdbfw::python {

void bind_catalogue(nanobind::module_& module);

}  // namespace pdbfw::python
