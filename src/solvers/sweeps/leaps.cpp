#include "solvers/sweeps/leaps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solvers/sweeps/dual_newton.hpp"

namespace pdbfw {
namespace {

// Newton's method [M17], while a step costs no more than this number of passes. The first sweeps are cheap, and leave
// fewer features outside the zone; a step that is cheaper still need not wait.
constexpr double kMostNewtonPasses = 50;
constexpr Index kFirstNewton = 3;
constexpr double kCheapNewton = 4;
constexpr int kMostHalvings = 11;
constexpr Index kLongestPause = 16;
// A line through the last two ends of a path is followed for this multiple of the distance between them.
constexpr double kFarthest = 2;

double newton_passes(const SweepState& s) {
  return s.n * s.n * (s.n / 6 + static_cast<double>(s.nonzeros) / 2) / static_cast<double>(s.p.A->nonzeros());
}

}  // namespace

bool Leaps::newton_pays() const { return s_.has_few_rows && newton_passes(s_) <= kMostNewtonPasses; }

void Leaps::newton_if_due(Index sweeps, Run& run) {
  if (std::exchange(proximity_, s_.proximity) != s_.proximity) next_newton_ = 0, pause_ = 1;
  if (!newton_pays() || sweeps < next_newton_ || (sweeps < kFirstNewton && newton_passes(s_) > kCheapNewton)) return;
  s_.verify_products(run);
  double multiply_adds = 0;
  const std::vector<double> e =
      dual_newton_direction(s_.p, {s_.y, s_.w, s_.rows.in_memory(), s_.now.u, s_.q_in_play(), s_.zone}, multiply_adds);
  run.charge(multiply_adds);
  if (!e.empty() && leap(e, 1, kMostHalvings, run)) {
    pause_ = 1;
    return;
  }
  pause_ = std::min(2 * pause_, kLongestPause);
  next_newton_ = sweeps + pause_;
}

void Leaps::along_path(Run& run) {
  const double radius = s_.p.set->radius();
  const double t = std::log(radius / ends_.radius) / std::log(ends_.radius / ends_.radius_before);
  std::vector<double> y = s_.y;
  if (!ends_.y_before.empty() && t > 0 && t <= kFarthest) {
    std::vector<double> e(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) e[i] = y[i] - ends_.y_before[i];
    leap(e, t, 0, run);
  }
  ends_ = {std::move(y), ends_.radius, radius};
}

bool Leaps::leap(std::span<const double> e, double t, int most_halvings, Run& run) {
  const SweepState::Place before = s_.place();
  for (int halving = 0; halving <= most_halvings && run.may_go_on(); ++halving, t /= 2) {
    for (std::size_t i = 0; i < e.size(); ++i) s_.y[i] = s_.loss.dual_prox(i, 0, before.y[i] + t * e[i], 0);
    s_.refresh_products(run);
    s_.look();
    if (s_.dual > before.dual) return true;
  }
  s_.return_to(before);
  return false;
}

}  // namespace pdbfw
