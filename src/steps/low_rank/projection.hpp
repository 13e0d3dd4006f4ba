// The projection on C, by the part of the spectrum that matters or by all of it, whichever is cheaper.
#pragma once

#include "core/spectral_set.hpp"
#include "linalg/operators.hpp"
#include "pdbfw/low_rank_problem.hpp"
#include "pdbfw/settings.hpp"

namespace pdbfw::low_rank {

class Projection {
 public:
  // Singular values that matter are found up to share * sqrt(tol) times the largest one: what a subspace is off, values
  // are off by its square.
  Projection(const Problem& problem, const Settings& settings, double share);
  static constexpr double kForSteps = 0.01, kForEstimates = 0.1;

  [[nodiscard]] Factors operator()(const Matrix& centre);
  [[nodiscard]] Factors operator()(const Operator& centre);

  // Work so far, in multiply-adds.
  [[nodiscard]] double cost() const { return cost_; }

 private:
  const Problem& p_;
  double accuracy_;
  TopSpectrum top_;
  double cost_ = 0;
  double full_cost_;
  int full_ones_left_ = 0;  // before the part is tried again
  int patience_ = 1;
};

}  // namespace pdbfw::low_rank
