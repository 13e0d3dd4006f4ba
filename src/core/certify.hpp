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

// What a solver has learnt about A: sum_i |a_ij| of every column, and where the border of the zone may lie. As
//     |u_j| <= max_i |y_i| sum_i |a_ij| / n,                                                                     [M2]
// a column whose bound is inside the zone adds exactly nothing to D(y) and need not be looked at.
struct ColumnSums {
  std::span<const double> sums;  // empty: unknown
  double border = 0;
};

// As certify(), and fills `side`.
[[nodiscard]] Certificate certify(const Problem& problem, std::span<const double> x, std::span<const double> y,
                                  int threads, const ColumnSums& columns, DualSide& side);

}  // namespace pdbfw
