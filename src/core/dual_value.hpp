// The set's part of the dual value.                                                                         [M2]
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "pdbfw/pairwise_sum.hpp"
#include "pdbfw/problem.hpp"

namespace pdbfw {

// min_{x in C} g(x) - <u, x>  =  -sum_j outside(u_j)^2 / (2 q_j) - multiplier * radius.
// Exact for the zone that `Set::dead_zone` finds, and a lower bound for any other: rounding in the zone never makes a
// certificate claim too much.
[[nodiscard]] inline double set_part(std::span<const double> u, const Curvatures& q, const DeadZone& zone,
                                     double radius) {
  const double sum = pairwise_sum(0, u.size(), [&](std::size_t j) {
    const double outside = zone.outside(u[j]);
    return outside == 0 ? 0 : outside * outside / q[static_cast<Index>(j)];  // infinite where q_j is 0
  });
  return -0.5 * sum - zone.multiplier * radius;
}

// What a unit of |x|_1 costs: alpha of a penalty in the place of a set, which is known by its radius 0; else 0.  [M39]
[[nodiscard]] inline double price(const Set& set) {
  return set.radius() == 0 && set.has_dead_zone() ? set.dead_zone({}, {}).multiplier : 0;
}

[[nodiscard]] inline double l1_norm(std::span<const double> x) {
  return pairwise_sum(0, x.size(), [&](std::size_t j) { return std::abs(x[j]); });
}

// A penalty's D is finite only where the features without a ridge are inside its zone. The largest share of y, and so
// of u, that is there. The zone of a ball has them inside anyway. [M39]
[[nodiscard]] inline double share_inside(std::span<const double> u, const Curvatures& q, const DeadZone& zone) {
  double share = 1;
  for (std::size_t j = 0; j < u.size(); ++j)
    if (zone.outside(u[j]) != 0 && q[static_cast<Index>(j)] == 0)
      share = std::min(share, (u[j] > 0 ? zone.upper : zone.lower) / u[j]);
  return share;
}

// The same for a set with a linear oracle only, as seen from any x: g lies above its tangent there, so          [M2b]
//     min_{x' in C} g(x') - <u, x'>  >=  g(x) - <grad g(x), x> + min_{v in C} <grad g(x) - u, v>,
// with equality where x is the minimiser. `v` is the atom that the oracle found, `slope` becomes grad g(x) - u.
[[nodiscard]] inline double set_part_from(const Problem& p, std::span<const double> x, std::span<const double> u,
                                          std::vector<double>& slope, SparseAtom& v) {
  slope.assign(x.size(), 0.0);
  p.regulariser->add_gradient(x, slope);
  const double tangent_at_zero =
      p.regulariser->value(x) - pairwise_sum(0, x.size(), [&](std::size_t j) { return slope[j] * x[j]; });
  for (std::size_t j = 0; j < x.size(); ++j) slope[j] -= u[j];
  p.set->linear_oracle(slope, v);
  return tangent_at_zero + pairwise_sum(0, v.at.size(), [&](std::size_t k) {
           return slope[static_cast<std::size_t>(v.at[k])] * v.value[k];
         });
}

}  // namespace pdbfw
