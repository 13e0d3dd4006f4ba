// D(Y) along a run. A spectrum costs about as much as a step, so it is looked at now and then: Estimate::dual.
#pragma once

#include "core/spectral_set.hpp"
#include "linalg/operators.hpp"
#include "pdbfw/low_rank_problem.hpp"
#include "pdbfw/settings.hpp"
#include "steps/low_rank/projection.hpp"

namespace pdbfw::low_rank {

class DualEstimate {
 public:
  DualEstimate(const Problem& problem, const Settings& settings);

  // Whether there is leisure for a look, given the multiply-adds of everything else so far.
  [[nodiscard]] bool is_due(double other_work) const { return cost() <= kShare * other_work; }

  // D(Y) for u = -A*(Y)/n, up to the accuracy of the spectrum, from above. The best one is kept.
  double look(const Matrix& Y, const Operator& u);
  double look(const Matrix& Y, const Matrix& u);

  [[nodiscard]] double value() const { return value_; }  // the best so far
  [[nodiscard]] const Matrix& Y() const { return Y_; }   // where it was found
  [[nodiscard]] double cost() const { return projection_.cost() + top_.work(); }

 private:
  static constexpr double kShare = 0.25;  // of all work

  [[nodiscard]] Factors vertex(const Operator& u);
  double keep(const Matrix& Y, const Operator& u, const Factors& X);

  const Problem& p_;
  double accuracy_;  // of a value
  Projection projection_;
  TopSpectrum top_;
  double value_;
  Matrix Y_;
};

}  // namespace pdbfw::low_rank
