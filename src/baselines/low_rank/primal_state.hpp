// A primal point with its products: what the Frank-Wolfe methods keep, and the dual point it suggests.
//
//   here   maths                        |  invariants
//   X      iterate, in C                |    (I1) W = A(X), restored from time to time
//   W      A(X)                         |    (I2) after look(): Y = grad f(W), Z = A*(Y); grad P = Z/n + ridge X
//   Y      grad f(W), the dual candidate|
#pragma once

#include <utility>

#include "baselines/step_rules.hpp"
#include "core/low_rank_judge.hpp"
#include "linalg/operators.hpp"
#include "steps/low_rank/adjoint.hpp"
#include "steps/low_rank/dual_estimate.hpp"
#include "steps/low_rank/iterate.hpp"

namespace pdbfw::low_rank {

// A way to go: X + t (V - X) for the step t.
struct Direction {
  Factors V;
  Matrix W;           // A(V - X)
  double slope;       // <grad P(X), V - X>
  double ridge_part;  // ridge <X, V - X>, of the slope
  double length2;     // |V - X|^2
};

class PrimalState {
 public:
  PrimalState(const Problem& p, const Settings& settings, const Start& start)
      : p_(p), threads_(settings.threads), X_(p, start.X), Z_(p, settings.threads), dual_(p, settings) {
    owed_ = X_.apply(*p.map, W_, threads_);
    value_ = objective(p_, W_, X_.squared_norm(), threads_);
  }

  [[nodiscard]] const Iterate& X() const { return X_; }
  [[nodiscard]] const Matrix& W() const { return W_; }
  [[nodiscard]] const Matrix& Y() const { return Y_; }
  [[nodiscard]] const Adjoint& adjoint() const { return Z_; }
  [[nodiscard]] double value() const { return value_; }  // P(X)

  // grad f at W, and what belongs to it: a pass.
  void look(Run& run) {
    differentiate();
    run.charge(std::exchange(owed_, 0) + Z_.set(Y_));
  }

  // Y = grad f(W) without Z.
  void differentiate() { p_.loss->gradients(W_, Y_, threads_); }

  [[nodiscard]] Direction towards(Factors V, Run& run) const {
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

  void move(double t, const Direction& e, Run& run) {
    X_.blend(t, e.V);
    W_ += t * e.W;
    if (++steps_ % kStepsBeforeRefresh == 0) run.charge(X_.apply(*p_.map, W_, threads_));
    value_ = objective(p_, W_, X_.squared_norm(), threads_);
  }

  // The t in [0, 1] that minimises P(X + t (V - X)).
  // phi(t) = P(X + t (V - X)):   phi'(t) = (1/n) <grad f(W + t dW), dW> + ridge (<X, V - X> + t |V - X|^2)
  [[nodiscard]] double exact_step(const Direction& e) const {
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

  // Whether P(V) is below P(X) by a share of what the slope at X promises.
  [[nodiscard]] bool falls_all_the_way(const Direction& e) const {
    return e.slope < 0 && objective(p_, W_ + e.W, e.V.s.squaredNorm(), threads_) <= value_ + kSufficient * e.slope;
  }

  // <grad P(X), X>
  [[nodiscard]] double slope_at_itself() const {
    return dot_over_samples(p_, Y_, W_) / static_cast<double>(p_.samples()) + p_.ridge * X_.squared_norm();
  }

  [[nodiscard]] Estimate estimate() const { return {value_, dual_.value(), X_.rank()}; }
  [[nodiscard]] Point point() const { return {X_.factors(), dual_.Y()}; }
  // D(Y), if there is leisure for it; `spectral_work` is that of the caller's own oracles.
  void look_at_dual(double spectral_work, const Run& run) {
    if (!dual_.is_due(run.work().multiply_adds + spectral_work)) return;
    dual_.look(Y_, SumOperator({{-1 / static_cast<double>(p_.samples()), &Z_.Z()}}));
  }

 private:
  // Steps after which W is computed anew.
  static constexpr Index kStepsBeforeRefresh = 200;
  // The share of the promised fall that makes a whole step good enough.
  static constexpr double kSufficient = 0.25;

  const Problem& p_;
  int threads_;
  Iterate X_;
  Matrix W_, Y_;
  Adjoint Z_;
  DualEstimate dual_;
  double value_ = 0;
  Index steps_ = 0;
  double owed_ = 0;  // multiply-adds before there was a run
};

}  // namespace pdbfw::low_rank
