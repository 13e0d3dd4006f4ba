#include "sets/simplex.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sets/threshold.hpp"
#include "sets/thresholded_block.hpp"

namespace pdbfw {

// The vertex radius e_j at the smallest gradient_j.
void Simplex::linear_oracle(std::span<const double> gradient, SparseAtom& out) const {
  const auto best = std::min_element(gradient.begin(), gradient.end()) - gradient.begin();
  out.at.assign(1, static_cast<Index>(best));
  out.value.assign(1, radius_);
}

void Simplex::block_oracle(std::span<const double> centre, Index s, SparseAtom& out) const {
  thresholded_block(
      *this, centre, s, [centre](Index j) { return centre[static_cast<std::size_t>(j)]; }, out);
}

void Simplex::project(std::span<double> v) const {
  bring_near(v, radius_, false);
  thresholded_projection(*this, v);
}

double Simplex::violation(std::span<const double> x) const {
  double sum = 0, most_negative = 0;
  for (const double x_j : x) {
    sum += x_j;
    most_negative = std::min(most_negative, x_j);
  }
  return std::max(std::abs(sum - radius_), -most_negative);
}

void Simplex::start(Index, SparseAtom& out) const {
  out.at.assign(1, 0);
  out.value.assign(1, radius_);
}

// x_j = (u_j - t)_+ / q_j with the t, of either sign, that meets the radius.                                 [M6]
DeadZone Simplex::dead_zone(std::span<const double> u, const Curvatures& q, const DeadZone* guess) const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double near = guess != nullptr ? guess->multiplier : std::numeric_limits<double>::quiet_NaN();
  const double t = find_threshold({u, false}, q, radius_, -kInfinity, near);
  return {-kInfinity, t, t, true};
}

}  // namespace pdbfw
