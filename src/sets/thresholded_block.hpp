// Projections and block oracles of sets whose projection is a soft threshold.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/select.hpp"
#include "pdbfw/set.hpp"

namespace pdbfw {

constexpr Curvatures kDistance{1.0, {}};  // the projection minimises |x|^2 / 2 - <v, x>

// A point v that is this many times larger than the radius has no digits left for it.
constexpr double kFarAway = 1e8;

// With m_j = |v_j|, or v_j where C has no negative side, the threshold is at least max m - radius. Taken off
// beforehand, as radius - (max m - m_j), the rest has its digits: a huge v is projected onto a vertex, not onto 0.
inline void bring_near(std::span<double> v, double radius, bool is_absolute) {
  const auto magnitude = [is_absolute](double v_j) { return is_absolute ? std::abs(v_j) : v_j; };
  double largest = 0;
  for (const double v_j : v) largest = std::max(largest, magnitude(v_j));
  if (!(largest > kFarAway * radius) || !std::isfinite(largest)) return;
  for (double& v_j : v) v_j = std::copysign(std::max(0.0, radius - (largest - magnitude(v_j))), v_j);
}

// The nearest point of C, in place. Where v is large against the radius, its differences to the threshold are rounded
// in digits that the radius still has. Once more, on numbers of the radius' own size, meets it to the last digit.
inline void thresholded_projection(const Set& set, std::span<double> v) {
  for (int round = 0; round < 2; ++round) {
    const DeadZone zone = set.dead_zone(v, kDistance);
    for (double& v_j : v) v_j = zone.outside(v_j);
  }
}

// The nearest point with at most s non-zeros keeps the s coordinates with the largest key and projects those; when the
// projection of the whole centre is that sparse by itself, its support is the answer and nothing need be selected.
template <class Key>
void thresholded_block(const Set& set, std::span<const double> centre, Index s, const Key& key, SparseAtom& out) {
  out.at.clear();
  out.value.clear();
  const DeadZone zone = set.dead_zone(centre, kDistance);
  for (std::size_t j = 0; j < centre.size(); ++j) {
    const double x_j = zone.outside(centre[j]);
    if (x_j == 0) continue;
    out.at.push_back(static_cast<Index>(j));
    out.value.push_back(x_j);
  }
  // No support at all is zero, where C holds it; else rounding against a tiny radius, and a selection finds one.
  const bool has_support = !out.at.empty() || set.violation(out.value) == 0;
  if (static_cast<Index>(out.at.size()) > s || !has_support) {
    out.at = largest(static_cast<Index>(centre.size()), s, key);
    out.value.clear();
    for (const Index j : out.at) out.value.push_back(centre[static_cast<std::size_t>(j)]);
  }
  set.project(out.value);
}

}  // namespace pdbfw
