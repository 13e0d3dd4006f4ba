// W_i = sum over the rows l, r of group i of l'X r: rank-one measurements, and quadratic ones with left = right.
#pragma once

#include "pdbfw/linear_map.hpp"

namespace pdbfw {

// `left` is (group n) x d, `right` (group n) x c; the same object for quadratic measurements.
[[nodiscard]] MapPtr bilinear_map(std::string_view name, MatrixPtr left, MatrixPtr right, Index group);

}  // namespace pdbfw
