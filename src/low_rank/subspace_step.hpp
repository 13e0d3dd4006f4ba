// Accelerated projected gradient in a moving subspace: a step of the solver `factored`.                      [M36]
#pragma once

#include "base/random.hpp"
#include "core/low_rank_judge.hpp"
#include "linalg/operators.hpp"
#include "low_rank/factored_point.hpp"

namespace pdbfw::low_rank {

class SubspaceStep {
 public:
  SubspaceStep(const Problem& problem, const Adjoints& adjoints, const Settings& settings, const FactoredPoint& start);

  // From `x` to the next point. P falls from step to step, but for those of the momentum.
  void move(FactoredPoint& x, Run& run);
  // `x` was moved from outside: no momentum.
  void restart() { t_ = 1; }

  // Whether the subspace bound in the last step, and how much P fell.
  [[nodiscard]] bool is_full() const { return is_full_; }
  [[nodiscard]] double decrease() const { return decrease_; }

 private:
  struct Extrapolated {
    Factors X;
    Matrix W, Y;
    double value, squared_norm;
  };
  [[nodiscard]] Extrapolated extrapolate(const FactoredPoint& x, double momentum) const;
  [[nodiscard]] double first_curvature(const Extrapolated& z, const Operator& adjoint, Run& run) const;
  [[nodiscard]] Factors projected(const Operator& centre, Run& run);
  [[nodiscard]] double curvature_met(const Extrapolated& z, const FactoredPoint& next, double distance) const;
  void widen(Index rank);

  const Problem& p_;
  const Adjoints& adjoints_;
  int threads_;
  Random random_;
  Matrix V_;  // the subspace, as the columns of X see it: c x width
  FactoredPoint last_;
  double t_ = 1;  // Nesterov's
  double L_ = 0;  // curvature; 0: not known yet
  double most_L_;
  int warm_ups_ = 3;  // first steps, whose subspace is refined twice
  bool is_full_;
  double decrease_ = 0;
};

}  // namespace pdbfw::low_rank
