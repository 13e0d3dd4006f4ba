// Model files.
#pragma once

#include <nanobind/nanobind.h>

namespace pdbfw::python {

void bind_model(nanobind::module_& module);

}  // namespace pdbfw::python
