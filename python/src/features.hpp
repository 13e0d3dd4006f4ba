// Random binning and random Fourier features.
#pragma once

#include <nanobind/nanobind.h>

namespace pdbfw::python {

void bind_features(nanobind::module_& module);

}  // namespace pdbfw::python
