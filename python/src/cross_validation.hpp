// Which radius? Cross-validation over a path of radii.
#pragma once

#include <nanobind/nanobind.h>

namespace pdbfw::python {

void bind_cross_validation(nanobind::module_& module);

}  // namespace pdbfw::python
