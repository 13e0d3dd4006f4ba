// Matrix completion.
#pragma once

#include <nanobind/nanobind.h>

namespace pdbfw::python {

void bind_completion(nanobind::module_& module);

}  // namespace pdbfw::python
