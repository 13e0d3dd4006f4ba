// The judge, for solvers that can use what it has to compute.
#pragma once

#include <span>
#include <vector>

#include "pdbfw/certificate.hpp"

namespace pdbfw {

struct DualSide {
  std::vector<double> u;  // -A'y / n; empty where not all of it was needed
  DeadZone zone;          // of the minimiser for u
  double entries = 0;     // of A that were looked at for u
};

// What a solver has learnt about A. Given a sign s_i of every row, let sum_j be the larger of the sums of |a_ij| over
// the rows where a_ij s_i > 0 and where a_ij s_i < 0. If every y_i has the sign s_i or is 0, the two kinds of rows pull
// u_j apart, and
//     |u_j| <= max_i |y_i| sum_j / n;     in any case it is at most twice that.                                  [M2]
// A column whose bound is inside the zone adds exactly nothing to D(y) and need not be looked at.
struct ColumnSums {
  std::span<const double> sums;   // empty: unknown
  std::span<const double> signs;  // any number of that sign, one a row
  double border = 0;              // where the border of the zone may lie
};

// P where nothing is learnt, not even the weights of free columns: the unit of a gap where P is all but zero.
[[nodiscard]] double objective_of_nothing(const Problem& problem);

// P - D as far as it is proven: 0 where the two agree up to rounding; infinite where they are no numbers, or where D is
// so far above P that rounding must be larger than what it is to prove.
[[nodiscard]] double proven_gap(double primal, double dual);

// As certify(), and fills `side`. The violation of a set without a dead zone is a search: it stays 0, and is the
// caller's business.
[[nodiscard]] Certificate certify(const Problem& problem, std::span<const double> x, std::span<const double> y,
                                  int threads, const ColumnSums& columns, DualSide& side);

}  // namespace pdbfw
