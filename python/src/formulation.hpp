// A problem's formulation: options by name, and the arrays that belong to it.
#pragma once

#include <nanobind/nanobind.h>

#include "options.hpp"

namespace pdbfw::python {

// `arrays` has those that are given of: sample_weight, ridge_scale, penalty_weight (numbers), free_features (integers)
// and atoms (a matrix). Python counts the features of `A` from 0, and so do the errors here.
[[nodiscard]] Formulation formulation_of(const Request& request, const nanobind::dict& arrays, const DataMatrix& A);

}  // namespace pdbfw::python
