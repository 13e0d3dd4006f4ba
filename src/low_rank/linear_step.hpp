// The linear oracle of the Frank-Wolfe methods, as exact as the step that it is for deserves.
#pragma once

#include "core/spectral_set.hpp"
#include "low_rank/primal_state.hpp"

namespace pdbfw::low_rank {

class LinearStep {
 public:
  LinearStep(const Problem& problem, const Settings& settings)
      : p_(problem), top_(problem.set->spectrum(), settings.threads, settings.seed) {}

  // argmin_{V in C} <g + ridge X, V>, g given as a sum of operators.
  [[nodiscard]] Factors vertex(SumOperator::Terms g, const Iterate& X, Monitor& monitor) {
    const auto x = X.as_operator();
    if (p_.ridge > 0) g.emplace_back(p_.ridge, x.get());
    monitor.charge(0, 1);
    return p_.set->linear_oracle(SumOperator(std::move(g)), top_, accuracy_);
  }

  // What came of it: the Frank-Wolfe gap <grad P, X - V> beside <grad P, X>.
  void learn(const PrimalState& at, const Direction& e) {
    const double best = e.slope + at.slope_at_itself();  // <grad P, V> = -radius sigma_1
    if (best < 0 && e.slope < 0) accuracy_ = std::clamp(kShareOfGap * e.slope / best, kFinest, kCoarsest);
  }

  [[nodiscard]] double work() const { return top_.work(); }

 private:
  static constexpr double kShareOfGap = 0.1, kFinest = 1e-10, kCoarsest = 0.1;

  const Problem& p_;
  TopSpectrum top_;
  double accuracy_ = kCoarsest;  // relative to <grad P, V>
};

}  // namespace pdbfw::low_rank
