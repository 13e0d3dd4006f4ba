// The data with every column multiplied by a number; zeros stay zeros.
#pragma once

#include <span>
#include <vector>

#include "pdbfw/matrix.hpp"

namespace pdbfw {

// The values are copied as double, for both orientations; the indices are shared with A. Throws InputError where a
// value would be beyond the largest double.
[[nodiscard]] MatrixPtr scaled_columns(MatrixPtr A, std::span<const double> factor);

// The standard deviation of every column where row i counts weight_i times (no weights: once); 1 for a column whose
// entries are all the same.
[[nodiscard]] std::vector<double> column_deviations(const DataMatrix& A, std::span<const double> weight);

}  // namespace pdbfw
