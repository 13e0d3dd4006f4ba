// The nearest point of a set, where the features have scales of their own.                                    [M15]
#pragma once

#include <span>
#include <vector>

#include "pdbfw/set.hpp"

namespace pdbfw {

// v <- argmin over x in C of  (1/2) sum_j c_j (x_j - v_j)^2,  or of that + alpha |x|_1 for a penalty in the place of C:
// the point of the dead zone of u_j = c_j v_j. Returns the zone.
inline DeadZone take_nearest(const Set& set, std::span<const double> c, std::span<double> v) {
  std::vector<double> u(v.size());
  for (std::size_t a = 0; a < v.size(); ++a) u[a] = c[a] * v[a];
  const DeadZone zone = set.dead_zone(u, {0, c});
  for (std::size_t a = 0; a < v.size(); ++a) {
    const double outside = zone.outside(u[a]);
    v[a] = outside == 0 ? 0 : outside / c[a];
  }
  set.project(v);  // rounding
  return zone;
}

}  // namespace pdbfw
