#include "sets/l1_ball.hpp"

#include <cmath>
#include <limits>

#include "linalg/lanes.hpp"
#include "sets/threshold.hpp"
#include "sets/thresholded_block.hpp"

namespace pdbfw {

// A vertex +-radius e_j at the largest |gradient_j|, with the opposite sign.
void L1Ball::linear_oracle(std::span<const double> gradient, SparseAtom& out) const {
  std::size_t best = 0;
  for (std::size_t j = 1; j < gradient.size(); ++j)
    if (std::abs(gradient[j]) > std::abs(gradient[best])) best = j;
  out.at.assign(1, static_cast<Index>(best));
  out.value.assign(1, gradient[best] > 0 ? -radius_ : radius_);
}

void L1Ball::block_oracle(std::span<const double> centre, Index s, SparseAtom& out) const {
  thresholded_block(
      *this, centre, s, [centre](Index j) { return std::abs(centre[static_cast<std::size_t>(j)]); }, out);
}

void L1Ball::project(std::span<double> v) const {
  bring_near(v, radius_, true);
  thresholded_projection(*this, v);
}

double L1Ball::violation(std::span<const double> x) const {
  const auto magnitude = [x](Index j) { return std::abs(x[static_cast<std::size_t>(j)]); };
  const double norm = sum_in_lanes(static_cast<Index>(x.size()), magnitude);
  return std::max(0.0, norm - radius_);
}

void L1Ball::start(Index, SparseAtom& out) const {
  out.at.clear();
  out.value.clear();
}

// x_j = sign(u_j) (|u_j| - t)_+ / q_j with the t >= 0 that meets the radius, t = 0 when the radius is slack.  [M6]
DeadZone L1Ball::dead_zone(std::span<const double> u, const Curvatures& q, const DeadZone* guess) const {
  const double near = guess != nullptr ? guess->multiplier : std::numeric_limits<double>::quiet_NaN();
  const double t = find_threshold({u, true}, q, radius_, 0.0, near);
  return {-t, t, t, t > 0};
}

}  // namespace pdbfw
