#include "baselines/low_rank/primal_state.hpp"

#include <utility>

#include "baselines/step_rules.hpp"
#include "linalg/operators.hpp"

namespace pdbfw::low_rank {
namespace {

// Steps after which W is computed anew.
constexpr Index kStepsBeforeRefresh = 200;
// The share of the promised fall that makes a whole step good enough.
constexpr double kSufficient = 0.25;

}  // namespace

PrimalState::PrimalState(const Problem& p, const Settings& settings, const Start& start)
    : p_(p), threads_(settings.threads), X_(p, start.X), Z_(p, settings.threads), dual_(p, settings) {
  owed_ = X_.apply(*p.map, W_, threads_);
  value_ = objective(p_, W_, X_.squared_norm(), threads_);
}

void PrimalState::differentiate() { p_.loss->gradients(W_, Y_, threads_); }

void PrimalState::look(Run& run) {
  differentiate();
  run.charge(std::exchange(owed_, 0) + Z_.set(Y_));
}

Direction PrimalState::towards(Factors V, Run& run) const {
  Direction e{std::move(V), {}, 0, 0, 0};
  p_.map->apply(e.V, e.W, threads_);
  run.charge(p_.map->apply_cost(e.V.rank()));
  e.W -= W_;
  const double XV = X_.inner(e.V), XX = X_.squared_norm();
  e.ridge_part = p_.ridge * (XV - XX);
  e.slope = dot_over_samples(p_, Y_, e.W) / static_cast<double>(p_.samples()) + e.ridge_part;
  e.length2 = e.V.s.squaredNorm() - 2 * XV + XX;
  return e;
}

void PrimalState::move(double t, const Direction& e, Run& run) {
  X_.blend(t, e.V);
  W_ += t * e.W;
  if (++steps_ % kStepsBeforeRefresh == 0) run.charge(X_.apply(*p_.map, W_, threads_));
  value_ = objective(p_, W_, X_.squared_norm(), threads_);
}

double PrimalState::slope_at_itself() const {
  return dot_over_samples(p_, Y_, W_) / static_cast<double>(p_.samples()) + p_.ridge * X_.squared_norm();
}

// phi(t) = P(X + t (V - X)):   phi'(t) = (1/n) <grad f(W + t dW), dW> + ridge (<X, V - X> + t |V - X|^2)
double PrimalState::exact_step(const Direction& e) const {
  const auto n = static_cast<double>(p_.samples());
  Matrix W, Y;
  p_.loss->hessian_products(W_, e.W, Y, threads_);
  const double curvature = dot_over_samples(p_, Y, e.W) / n + p_.ridge * e.length2;
  return line_minimum(
      [&](double t) {
        W = W_ + t * e.W;
        p_.loss->gradients(W, Y, threads_);
        return dot_over_samples(p_, Y, e.W) / n + e.ridge_part + t * p_.ridge * e.length2;
      },
      e.slope, curvature, 1);
}

bool PrimalState::falls_all_the_way(const Direction& e) const {
  return e.slope < 0 && objective(p_, W_ + e.W, e.V.s.squaredNorm(), threads_) <= value_ + kSufficient * e.slope;
}

void PrimalState::look_at_dual(double spectral_work, const Run& run) {
  if (!dual_.is_due(run.work().multiply_adds + spectral_work)) return;
  dual_.look(Y_, SumOperator({{-1 / static_cast<double>(p_.samples()), &Z_.Z()}}));
}

}  // namespace pdbfw::low_rank
