// How widely the columns of a matrix spread, and how far apart its rows are.
#pragma once

#include <span>
#include <vector>

#include "pdbfw/matrix.hpp"

namespace pdbfw {

// Of every column; 1 for a column whose entries are all the same. Does not overflow, whatever the values.
[[nodiscard]] std::vector<double> standard_deviations(const DataMatrix& A);

// The median of sum_j |a_ij - a_kj| / scale_j over 1,000 pairs of rows that differ, the same pairs for the same matrix;
// 1 when all pairs are of equal rows. Positive and finite.
[[nodiscard]] double median_distance(const DataMatrix& A, std::span<const double> scale);

}  // namespace pdbfw
