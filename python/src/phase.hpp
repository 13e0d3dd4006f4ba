// Phase retrieval.
#pragma once

#include <nanobind/nanobind.h>

namespace pdbfw::python {

void bind_phase(nanobind::module_& module);

}  // namespace pdbfw::python
