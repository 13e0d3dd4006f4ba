// Matrices of weights: solve and certify over the trace-norm ball.
#pragma once

#include <nanobind/nanobind.h>

namespace pdbfw::python {

void bind_low_rank(nanobind::module_& module);

}  // namespace pdbfw::python
