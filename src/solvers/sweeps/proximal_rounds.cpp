#include "solvers/sweeps/proximal_rounds.hpp"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace pdbfw {
namespace {

// How the proximity falls from round to round, and how well a round is to be solved.
constexpr double kRoundFactor = 0.4;
constexpr double kRoundShare = 0.02;
// The next centre lies beyond the solution of the round, by this share of the way to it.
constexpr double kBeyond = 0.3;
// After a round of at most kShortRound sweeps the next proximity is smaller, after one of kLongRound it is larger.
constexpr Index kShortRound = 8;
constexpr Index kLongRound = 20;
// When this share of the loss or less is left, rounds aim at a point without any, in a ball that is smaller by this
// share.
constexpr double kNearlyExplained = 1e-2;
constexpr double kSpare = 0.03;
// What a point without loss may leave of it, as a share of what the certificate would call 0.
constexpr double kClaimShare = 0.5;

}  // namespace

void ProximalRounds::radius_has_changed() {
  is_too_small_ = false;
  s_.smaller_set.reset();
  explained_.reset();
}

Estimate ProximalRounds::end_if_done(Run& run) {
  s_.verify_products(run);
  const double loss = s_.mean_loss() + s_.excess_of_intercept();
  const Estimate own{own_primal(loss), own_dual(*s_.p.set), s_.nonzeros};
  const double gap = own.primal - own.dual;
  if (look_for_no_loss(own.primal, run)) return {nothing_->dual, nothing_->dual, s_.nonzeros};
  const bool is_done = gap_of_round(loss) <= kRoundShare * gap;
  ++sweeps_in_round_;
  if (!is_done && sweeps_in_round_ < kLongRound) return own;
  if (is_done && s_.rows.width() < s_.p.d() && features_.look_at_all(s_.full_u(run), run)) return own;
  begin_round(!is_done ? 1 / kRoundFactor : (sweeps_in_round_ <= kShortRound ? kRoundFactor : 1));
  return own;
}

// D of the problem itself over `set` at the y of the proximal one.
double ProximalRounds::own_dual(const Set& set) const {
  std::vector<double> u(s_.now.u.size()), each;
  const Curvatures own_q = s_.own_q();
  for (std::size_t a = 0; a < u.size(); ++a) {
    u[a] = s_.now.u[a] - s_.proximity * s_.centre[static_cast<std::size_t>(s_.feature(a))];
    if (!own_q.is_uniform()) each.push_back(own_q[s_.feature(a)]);
  }
  const Curvatures q{own_q.uniform, each};
  return set_part(u, q, set.dead_zone(u, q), set.radius()) - s_.part_of_intercept(s_.now.bias) - s_.mean_conjugate;
}

double ProximalRounds::own_primal(double mean_loss) const {
  const Curvatures own_q = s_.own_q();
  double g = 0;
  for (std::size_t a = 0; a < s_.now.u.size(); ++a) g += 0.5 * own_q[s_.feature(a)] * s_.x(a) * s_.x(a);
  return mean_loss + g;
}

double ProximalRounds::gap_of_round(double mean_loss) const {
  double tangent = 0;
  for (std::size_t a = 0; a < s_.now.u.size(); ++a)
    tangent += s_.proximity * s_.centre[static_cast<std::size_t>(s_.feature(a))] * s_.x(a);
  return mean_loss + s_.g - tangent - s_.dual;
}

void ProximalRounds::begin_round(double factor) {
  sweeps_in_round_ = 0;
  std::vector<double> next(s_.centre.size(), 0.0);
  for (std::size_t a = 0; a < s_.now.u.size(); ++a) {
    const auto j = static_cast<std::size_t>(s_.feature(a));
    next[j] = s_.x(a) + kBeyond * (s_.x(a) - s_.centre[j]);
  }
  s_.set_proximity(factor * s_.proximity, std::move(next));
}

// Where the model can explain all samples, y = 0 is the proof, and rounds come nearer and nearer to a point without
// loss. From when little is left of the loss they aim at a ball that is smaller by a little: as soon as no sample
// misses by more than that, x made longer by as much is such a point. Its products are known: it costs no pass to find
// out. False where the smaller ball turns out to be too small, or nothing is known yet.
bool ProximalRounds::look_for_no_loss(double primal, Run& run) {
  if (s_.own_q().uniform > 0 || !s_.own_q().is_uniform()) return false;
  const std::vector<double> zero(s_.y.size(), 0.0);
  const auto mean = [&](double sum) { return sum_over(s_.p.team, sum) / s_.n; };
  if (!nothing_) nothing_ = {mean(s_.loss.total_value(zero)), -mean(s_.loss.total_conjugate(zero))};
  const double least = nothing_->dual, most = nothing_->primal;
  if (s_.smaller_set && own_dual(s_.set()) > least) {
    is_too_small_ = true;
    aim_at(nullptr);
  }
  const bool is_near = primal - least <= kNearlyExplained * (most - least);
  if (!is_near || is_too_small_) return false;
  if (!s_.smaller_set) {
    aim_at(s_.p.set->with_radius((1 - kSpare) * s_.p.set->radius()));
    return false;
  }
  std::vector<double> w = s_.w;
  for (double& w_i : w) w_i /= 1 - kSpare;
  run.charge_other(kScalarStep * static_cast<double>(w.size()));
  if (!(mean(s_.loss.total_value(w)) - least <= kClaimShare * s_.tol * kTinyFraction * most)) return false;
  explained_ = Point{s_.full_x(), zero};
  for (double& x_j : explained_->x) x_j /= 1 - kSpare;
  s_.p.set->project(explained_->x);  // rounding
  return true;
}

void ProximalRounds::aim_at(std::shared_ptr<const Set> set) {
  s_.smaller_set = std::move(set);
  s_.refresh_zone();
  s_.look(s_.mean_conjugate);
}

}  // namespace pdbfw
