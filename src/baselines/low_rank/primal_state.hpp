// A primal point with its products: what the Frank-Wolfe methods keep, and the dual point it suggests.
//
//   here   maths                        |  invariants
//   X      iterate, in C                |    (I1) W = A(X), restored from time to time
//   W      A(X)                         |    (I2) after look(): Y = grad f(W), Z = A*(Y); grad P = Z/n + ridge X
//   Y      grad f(W), the dual candidate|
#pragma once

#include "core/low_rank_judge.hpp"
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
  PrimalState(const Problem& problem, const Settings& settings, const Start& start);

  [[nodiscard]] const Iterate& X() const { return X_; }
  [[nodiscard]] const Matrix& W() const { return W_; }
  [[nodiscard]] const Matrix& Y() const { return Y_; }
  [[nodiscard]] const Adjoint& adjoint() const { return Z_; }
  [[nodiscard]] double value() const { return value_; }  // P(X)

  // grad f at W, and what belongs to it: a pass.
  void look(Run& run);
  // Y = grad f(W) without Z.
  void differentiate();
  [[nodiscard]] Direction towards(Factors V, Run& run) const;
  void move(double t, const Direction& e, Run& run);

  // The t in [0, 1] that minimises P(X + t (V - X)).
  [[nodiscard]] double exact_step(const Direction& e) const;
  // Whether P(V) is below P(X) by a share of what the slope at X promises.
  [[nodiscard]] bool falls_all_the_way(const Direction& e) const;

  // <grad P(X), X>
  [[nodiscard]] double slope_at_itself() const;

  [[nodiscard]] Estimate estimate() const { return {value_, dual_.value(), X_.rank()}; }
  [[nodiscard]] Point point() const { return {X_.factors(), dual_.Y()}; }
  // D(Y), if there is leisure for it; `spectral_work` is that of the caller's own oracles.
  void look_at_dual(double spectral_work, const Run& run);

 private:
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
