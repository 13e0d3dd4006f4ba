// The set's part of the dual value.                                                                         [M2]
#pragma once

#include <limits>
#include <span>

#include "pdbfw/set.hpp"

namespace pdbfw {

// min_{x in C} g(x) - <u, x>  =  -sum_j outside(u_j)^2 / (2 q_j) - multiplier * radius.
// Exact for the zone that `Set::dead_zone` finds, and a lower bound for any other: rounding in the zone never makes a
// certificate claim too much.
[[nodiscard]] inline double set_part(std::span<const double> u, const Curvatures& q, const DeadZone& zone,
                                     double radius) {
  double sum = 0;
  for (std::size_t j = 0; j < u.size(); ++j) {
    const double outside = zone.outside(u[j]);
    if (outside == 0) continue;
    const double q_j = q[static_cast<Index>(j)];
    if (q_j == 0) return -std::numeric_limits<double>::infinity();
    sum += outside * outside / q_j;
  }
  return -0.5 * sum - zone.multiplier * radius;
}

}  // namespace pdbfw
