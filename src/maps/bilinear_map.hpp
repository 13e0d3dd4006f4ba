// W_i = sum over the rows l, r of group i of l'X r: rank-one measurements, and quadratic ones with left = right.
#pragma once

#include "pdbfw/linear_map.hpp"

namespace pdbfw {

// `left` is (group n) x d, `right` (group n) x c; the same object for quadratic measurements.
[[nodiscard]] MapPtr bilinear_map(std::string_view name, MatrixPtr left, MatrixPtr right, Index group);

// Norms of W_i = sum over the rows l, r of group i of l'X r.                                                   [M23d]

// |A_i|_F^2 of every sample.
[[nodiscard]] Vector bilinear_squared_sample_norms(const DataMatrix& left, const DataMatrix& right, Index group);

// |A|^2 from above, at most 2 % above. Forms A*(y), or where that has more numbers than left and right have, the
// n x n matrix of inner products of the A_i, or the A_i themselves with their few entries.
[[nodiscard]] double bilinear_squared_norm(const LinearMap& map, const DataMatrix& left, const DataMatrix& right,
                                           Index group);

}  // namespace pdbfw
