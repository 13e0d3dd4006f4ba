// The linear oracle of the Frank-Wolfe methods, as exact as the step that it is for deserves.
#pragma once

#include "baselines/low_rank/primal_state.hpp"
#include "linalg/operators.hpp"

namespace pdbfw::low_rank {

class LinearStep {
 public:
  LinearStep(const Problem& problem, const Settings& settings)
      : p_(problem), top_(problem.set->spectrum(), settings.threads, settings.seed) {}

  // argmin_{V in C} <g + ridge X, V>, g given as a sum of operators.
  [[nodiscard]] Factors vertex(SumOperator::Terms g, const Iterate& X, Run& run) {
    const auto x = X.as_operator();
    if (p_.ridge > 0) g.emplace_back(p_.ridge, x.get());
    run.charge(0, 1);
    return p_.set->linear_oracle(SumOperator(std::move(g)), top_, accuracy_);
  }

  // What came of it: the Frank-Wolfe gap <grad P, X - V> beside <grad P, X>.
  void learn(const PrimalState& at, const Direction& e) {
    const double best = e.slope + at.slope_at_itself();  // <grad P, V> = -radius sigma_1
    if (best < 0 && e.slope < 0)
      accuracy_ = std::clamp(kAccuracyShare * e.slope / best, kFinestAccuracy, kCoarsestAccuracy);
  }

  [[nodiscard]] double work() const { return top_.work(); }

 private:
  static constexpr double kAccuracyShare = 0.1, kFinestAccuracy = 1e-10, kCoarsestAccuracy = 0.1;

  const Problem& p_;
  TopSpectrum top_;
  double accuracy_ = kCoarsestAccuracy;  // relative to <grad P, V>
};

// What the Frank-Wolfe methods have in common.
class FrankWolfeEngine : public Engine {
 public:
  [[nodiscard]] Estimate estimate() override { return state_.estimate(); }
  [[nodiscard]] Point point() override { return state_.point(); }

 protected:
  FrankWolfeEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p),
        n_(static_cast<double>(p.samples())),
        is_theory_(settings.steps == "theory"),
        scale_(settings.step_scale),
        state_(p, settings, start),
        oracle_(p, settings) {}

  // Towards the vertex that the gradient likes best; it has been looked at.
  [[nodiscard]] Direction exact(Run& run) {
    Direction e = state_.towards(oracle_.vertex({{1 / n_, &state_.adjoint().Z()}}, state_.X(), run), run);
    oracle_.learn(state_, e);
    return e;
  }

  const Problem& p_;
  const double n_;
  const bool is_theory_;
  const double scale_;
  PrimalState state_;
  LinearStep oracle_;
};

}  // namespace pdbfw::low_rank
