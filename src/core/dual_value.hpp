// The set's part of the dual value.                                                                         [M2]
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "pdbfw/problem.hpp"

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

// The same for a set with a linear oracle only, as seen from any x: g lies above its tangent there, so          [M2b]
//     min_{x' in C} g(x') - <u, x'>  >=  g(x) - <grad g(x), x> + min_{v in C} <grad g(x) - u, v>,
// with equality where x is the minimiser. `v` is the atom that the oracle found, `slope` becomes grad g(x) - u.
[[nodiscard]] inline double set_part_from(const Problem& p, std::span<const double> x, std::span<const double> u,
                                          std::vector<double>& slope, SparseAtom& v) {
  slope.assign(x.size(), 0.0);
  p.regulariser->add_gradient(x, slope);
  double tangent_at_zero = p.regulariser->value(x);
  for (std::size_t j = 0; j < x.size(); ++j) {
    tangent_at_zero -= slope[j] * x[j];
    slope[j] -= u[j];
  }
  p.set->linear_oracle(slope, v);
  double product = 0;
  for (std::size_t k = 0; k < v.at.size(); ++k) product += slope[static_cast<std::size_t>(v.at[k])] * v.value[k];
  return tangent_at_zero + product;
}

}  // namespace pdbfw
