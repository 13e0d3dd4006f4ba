#include "sets/l1_penalty.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/select.hpp"
#include "sets/l1_ball.hpp"
#include "sets/nonnegative.hpp"

namespace pdbfw {

// The ball that may take its place.
std::shared_ptr<const Set> L1Penalty::with_radius(double radius) const {
  if (is_one_sided_) return std::make_shared<Nonnegative>(radius);
  return std::make_shared<L1Ball>(radius);
}

// Zero: there is no other vertex.
void L1Penalty::linear_oracle(std::span<const double> /*gradient*/, SparseAtom& out) const {
  out.at.clear();
  out.value.clear();
}

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

void L1Penalty::start(Index, SparseAtom& out) const {
  out.at.clear();
  out.value.clear();
}

DeadZone L1Penalty::dead_zone(std::span<const double> /*u*/, const Curvatures& /*q*/, const DeadZone* /*guess*/) const {
  return {is_one_sided_ ? -std::numeric_limits<double>::infinity() : -alpha_, alpha_, alpha_, false};
}

}  // namespace pdbfw
