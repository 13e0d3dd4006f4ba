#include "sets/l1_sets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/lanes.hpp"
#include "linalg/select.hpp"
#include "sets/threshold.hpp"

namespace pdbfw {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Curvatures kDistance{1.0, {}};  // the projection minimises |x|^2 / 2 - <v, x>

// A point v that is this many times larger than the radius has no digits left for it.
constexpr double kFarAway = 1e8;

// With m_j = |v_j|, or v_j where x >= 0, the threshold is at least max m - radius. Taken off
// beforehand, as radius - (max m - m_j), the rest has its digits: a huge v is projected onto a vertex, not onto 0.
void bring_near(std::span<double> v, double radius, bool is_absolute) {
  const auto magnitude = [is_absolute](double v_j) { return is_absolute ? std::abs(v_j) : v_j; };
  double largest = 0;
  for (const double v_j : v) largest = std::max(largest, magnitude(v_j));
  if (!(largest > kFarAway * radius) || !std::isfinite(largest)) return;
  for (double& v_j : v) v_j = std::copysign(std::max(0.0, radius - (largest - magnitude(v_j))), v_j);
}

}  // namespace

std::shared_ptr<const Set> l1_ball(double radius) {
  return std::make_shared<L1Set>(L1Set::Kind{"l1", true, false}, radius);
}
std::shared_ptr<const Set> simplex(double radius) {
  return std::make_shared<L1Set>(L1Set::Kind{"simplex", false, true}, radius);
}
std::shared_ptr<const Set> nonnegative(double radius) {
  return std::make_shared<L1Set>(L1Set::Kind{"nonnegative", false, false}, radius);
}

// The vertex radius e_j at the smallest gradient_j, or zero where C holds it and none is negative; with both signs,
// +-radius e_j at the largest |gradient_j|, with the opposite sign.
void L1Set::linear_oracle(std::span<const double> gradient, SparseAtom& out) const {
  const auto gain = [this](double g) { return kind_.has_both_signs ? std::abs(g) : -g; };
  std::size_t best = 0;
  for (std::size_t j = 1; j < gradient.size(); ++j)
    if (gain(gradient[j]) > gain(gradient[best])) best = j;
  out = {};
  if (!kind_.has_both_signs && !kind_.meets_the_radius && !(gradient[best] < 0)) return;
  out.at.push_back(static_cast<Index>(best));
  out.value.push_back(kind_.has_both_signs && gradient[best] > 0 ? -radius_ : radius_);
}

// The nearest point with at most s non-zeros keeps the s coordinates with the largest magnitude and projects those;
// when the projection of the whole centre is that sparse by itself, its support is the answer and nothing need be
// selected.
void L1Set::block_oracle(std::span<const double> centre, Index s, SparseAtom& out) const {
  out.at.clear();
  out.value.clear();
  const DeadZone zone = dead_zone(centre, kDistance, nullptr);
  for (std::size_t j = 0; j < centre.size(); ++j) {
    const double x_j = zone.outside(centre[j]);
    if (x_j == 0) continue;
    out.at.push_back(static_cast<Index>(j));
    out.value.push_back(x_j);
  }
  // No support at all is zero, where C holds it; else rounding against a tiny radius, and a selection finds one.
  const bool has_support = !out.at.empty() || !kind_.meets_the_radius;
  if (static_cast<Index>(out.at.size()) > s || !has_support) {
    const Magnitudes m{centre, kind_.has_both_signs};
    out.at = largest(m.size(), s, [&m](Index j) { return m[j]; });
    out.value.clear();
    for (const Index j : out.at) out.value.push_back(centre[static_cast<std::size_t>(j)]);
  }
  project(out.value);
}

// Where v is large against the radius, its differences to the threshold are rounded in digits that the radius still
// has. Once more, on numbers of the radius' own size, meets it to the last digit.
void L1Set::project(std::span<double> v) const {
  bring_near(v, radius_, kind_.has_both_signs);
  for (int round = 0; round < 2; ++round) {
    const DeadZone zone = dead_zone(v, kDistance, nullptr);
    for (double& v_j : v) v_j = zone.outside(v_j);
  }
}

double L1Set::violation(std::span<const double> x) const {
  const Magnitudes m{x, kind_.has_both_signs};
  double least = 0;
  for (Index j = 0; j < m.size(); ++j) least = std::min(least, m[j]);
  const double beyond = sum_in_lanes(m.size(), [&m](Index j) { return m[j]; }) - radius_;
  if (std::isnan(beyond)) return beyond;
  return std::max({0.0, -least, kind_.meets_the_radius ? std::abs(beyond) : beyond});
}

void L1Set::start(Index, SparseAtom& out) const {
  out = {};
  if (kind_.meets_the_radius) out = {{0}, {radius_}};
}

// x_j = sign(u_j) (|u_j| - t)_+ / q_j, or (u_j - t)_+ / q_j where x >= 0, with the t that meets the radius; t >= 0
// unless it must be met, and t = 0 when it is slack. [M6]
DeadZone L1Set::dead_zone(std::span<const double> u, const Curvatures& q, const DeadZone* guess) const {
  const double near = guess != nullptr ? guess->multiplier : std::numeric_limits<double>::quiet_NaN();
  const double t =
      find_threshold({u, kind_.has_both_signs}, q, radius_, kind_.meets_the_radius ? -kInfinity : 0.0, near);
  return {kind_.has_both_signs ? -t : -kInfinity, t, t, kind_.meets_the_radius || t > 0};
}

// The ball that may take its place.
std::shared_ptr<const Set> L1Penalty::with_radius(double radius) const {
  return is_one_sided_ ? nonnegative(radius) : l1_ball(radius);
}

// Zero: there is no other vertex.
void L1Penalty::linear_oracle(std::span<const double> /*gradient*/, SparseAtom& out) const { out = {}; }

void L1Penalty::block_oracle(std::span<const double> centre, Index s, SparseAtom& out) const {
  out.at = largest(static_cast<Index>(centre.size()), s, [&](Index j) {
    const double entry = centre[static_cast<std::size_t>(j)];
    return is_one_sided_ ? entry : std::abs(entry);
  });
  out.value.clear();
  for (const Index j : out.at) out.value.push_back(centre[static_cast<std::size_t>(j)]);
  project(out.value);
}

void L1Penalty::project(std::span<double> v) const {
  if (!is_one_sided_) return;
  for (double& v_j : v) v_j = std::max(0.0, v_j);
}

double L1Penalty::violation(std::span<const double> x) const {
  double most_negative = 0;
  if (is_one_sided_)
    for (const double x_j : x) most_negative = std::min(most_negative, x_j);
  return -most_negative;
}

void L1Penalty::start(Index, SparseAtom& out) const { out = {}; }

DeadZone L1Penalty::dead_zone(std::span<const double> /*u*/, const Curvatures& /*q*/, const DeadZone* /*guess*/) const {
  return {is_one_sided_ ? -kInfinity : -alpha_, alpha_, alpha_, false};
}

}  // namespace pdbfw
