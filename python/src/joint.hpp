// Several classes learnt jointly, with sparse weights.
#pragma once

#include <nanobind/nanobind.h>

namespace pdbfw::python {

void bind_joint(nanobind::module_& module);

}  // namespace pdbfw::python
