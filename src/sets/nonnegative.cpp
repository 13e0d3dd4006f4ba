#include "sets/nonnegative.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/lanes.hpp"
#include "sets/threshold.hpp"
#include "sets/thresholded_block.hpp"

namespace pdbfw {

// The vertex radius e_j at the smallest gradient_j, or zero where none is negative.
void Nonnegative::linear_oracle(std::span<const double> gradient, SparseAtom& out) const {
  out.at.clear();
  out.value.clear();
  const auto best = std::min_element(gradient.begin(), gradient.end());
  if (!(*best < 0)) return;
  out.at.push_back(static_cast<Index>(best - gradient.begin()));
  out.value.push_back(radius_);
}

void Nonnegative::block_oracle(std::span<const double> centre, Index s, SparseAtom& out) const {
  thresholded_block(
      *this, centre, s, [centre](Index j) { return centre[static_cast<std::size_t>(j)]; }, out);
}

void Nonnegative::project(std::span<double> v) const {
  bring_near(v, radius_, false);
  thresholded_projection(*this, v);
}

double Nonnegative::violation(std::span<const double> x) const {
  double most_negative = 0;
  for (const double x_j : x) most_negative = std::min(most_negative, x_j);
  const auto entry = [x](Index j) { return x[static_cast<std::size_t>(j)]; };
  const double sum = sum_in_lanes(static_cast<Index>(x.size()), entry);
  if (std::isnan(sum)) return sum;
  return std::max({0.0, sum - radius_, -most_negative});
}

void Nonnegative::start(Index, SparseAtom& out) const {
  out.at.clear();
  out.value.clear();
}

// x_j = (u_j - t)_+ / q_j with the t >= 0 that meets the radius, t = 0 when the radius is slack.             [M6]
DeadZone Nonnegative::dead_zone(std::span<const double> u, const Curvatures& q, const DeadZone* guess) const {
  const double near = guess != nullptr ? guess->multiplier : std::numeric_limits<double>::quiet_NaN();
  const double t = find_threshold({u, false}, q, radius_, 0.0, near);
  return {-std::numeric_limits<double>::infinity(), t, t, t > 0};
}

}  // namespace pdbfw
