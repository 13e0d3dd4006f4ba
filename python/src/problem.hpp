// Problems as Python states them: options by name, through the one table that the command line uses too (fields.hpp),
// with the same names, rules and messages; and arrays.
#pragma once

#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "matrix.hpp"
#include "pdbfw/fields.hpp"

namespace pdbfw::python {

// A dictionary of names and values; None leaves the default.
[[nodiscard]] Request request_of(const nanobind::dict& options);

// `arrays` has those that are given of: sample_weight, ridge_scale, penalty_weight (numbers), free_features (integers)
// and atoms (a matrix). Python counts the features of `A` from 0, and so do the errors here.
[[nodiscard]] Formulation formulation_of(const Request& request, const nanobind::dict& arrays, const DataMatrix& A);

}  // namespace pdbfw::python
