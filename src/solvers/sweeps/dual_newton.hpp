// Newton's direction for the dual, for data of few rows.
#pragma once

#include <span>
#include <vector>

#include "pdbfw/problem.hpp"
#include "solvers/sweeps/packed_rows.hpp"

namespace pdbfw {

// D(y, lambda) is quadratic (or smooth) as long as no feature crosses the border of the dead zone and no y_i meets the
// end of its domain. The direction that maximises it on that piece, lambda included: [M17]
//     [ diag(f_i*'') / n + A_J X A_J' / n^2 ] e = grad_y D   on the rows that are free to move,  e_i = 0 on the others,
//     J = the features outside the zone,  X = Q_J^-1 - Q_J^-1 s s' Q_J^-1 / (s' Q_J^-1 s) if the radius is met, else
//     Q_J^-1.
// Empty if the system cannot be solved. `multiply_adds` grows by those with entries of A.
struct DualPoint {
  std::span<const double> y, w;  // w = A x, exact
  const PackedRows& rows;        // of A, on W; the other features are inside the zone
  std::span<const double> u;     // on W
  Curvatures q;                  // on W
  DeadZone zone;
};
[[nodiscard]] std::vector<double> dual_newton_direction(const Problem& problem, const DualPoint& at,
                                                        double& multiply_adds);

}  // namespace pdbfw
