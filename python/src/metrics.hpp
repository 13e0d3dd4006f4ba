// How good predictions are, and which class a score stands for.
#pragma once

#include <nanobind/nanobind.h>

namespace pdbfw::python {

void bind_metrics(nanobind::module_& module);

}  // namespace pdbfw::python
