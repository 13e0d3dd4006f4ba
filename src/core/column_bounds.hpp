// What a solver has learnt about A: bounds of u_j = -<a_j, y> / n that need no look at column j. A column whose bound
// is inside the dead zone adds exactly nothing to D(y).                                                          [M50]
#pragma once

#include <span>
#include <vector>

#include "pdbfw/errors.hpp"

namespace pdbfw {

struct ColumnBounds {
  // From sums. Given a sign s_i of every row, let sum_j be the larger of the sums of |a_ij| over the rows where
  // a_ij s_i > 0 and where a_ij s_i < 0. If every y_i has the sign s_i or is 0, the two kinds of rows pull u_j apart,
  // and
  //     |u_j| <= max_i |y_i| sum_j / n;     in any case it is at most twice that.
  std::span<const double> sums{};   // empty: unknown
  std::span<const double> signs{};  // any number of that sign, one per row
  // From a product that was made before, at z:
  //     |u_j| <= |c| |u_j(z)| + |a_j| |y - c z| / n     for any c; the one that makes the last norm least is taken.
  std::span<const double> norms{};  // |a_j|; empty: unknown
  std::span<const double> u{}, z{};
  double border = 0;  // where the border of the zone may lie

  [[nodiscard]] bool are_known() const { return !sums.empty() || !norms.empty(); }
  // The columns whose |u_j| may be larger than `size` at y, ascending.
  [[nodiscard]] std::vector<Index> may_exceed(double size, std::span<const double> y, int threads) const;
};

}  // namespace pdbfw
