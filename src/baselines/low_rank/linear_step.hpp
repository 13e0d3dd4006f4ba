// The linear oracle of the Frank-Wolfe methods, as exact as the step that it is for deserves.
#pragma once

#include "baselines/low_rank/primal_state.hpp"
#include "baselines/low_rank/sampled_gradient.hpp"
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
  FrankWolfeEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p),
        n_(static_cast<double>(p.samples())),
        is_theory_(settings.steps == "theory"),
        scale_(settings.step_scale),
        state_(p, settings, start),
        oracle_(p, settings) {}

  [[nodiscard]] Estimate estimate() override { return state_.estimate(); }
  [[nodiscard]] Point point() override { return state_.point(); }

 protected:
  void look(Run& run) {
    state_.look(run);
    state_.look_at_dual(oracle_.work(), run);
  }

  // Towards the vertex that the gradient likes best; it has been looked at.
  [[nodiscard]] Direction exact(Run& run) {
    Direction e = state_.towards(oracle_.vertex({{1 / n_, &state_.adjoint().Z()}}, state_.X(), run), run);
    oracle_.learn(state_, e);
    return e;
  }
  [[nodiscard]] double exact_step(const Direction& e) const { return state_.exact_step(e); }
  void move(double gamma, const Direction& e, Run& run) { state_.move(gamma, e, run); }

  const Problem& p_;
  const double n_;
  const bool is_theory_;
  const double scale_;
  PrimalState state_;
  LinearStep oracle_;
};

// Those that estimate the gradient from a batch of samples, which grows where its estimates are poor.
class SampledFrankWolfeEngine : public FrankWolfeEngine {
 public:
  SampledFrankWolfeEngine(const Problem& p, const Settings& settings, const Start& start)
      : FrankWolfeEngine(p, settings, start),
        sampler_(p.n(), settings.seed),
        batch_adjoint_(p, settings.threads),
        batch_(SampledGradient::kFirstShare * n_) {}

 protected:
  // Towards the vertex that g likes best:
  //   g = (1/m) sum over m samples of A_i*( Y_i ) + ridge X
  //   g = Z~/n + (1/m) sum over m samples of A_i*( Y_i - Y~_i ) + ridge X  with a snapshot Y~, and Z~ what the state
  //       last looked at: its noise vanishes as X and the snapshot meet
  [[nodiscard]] Direction sampled(Index m, const Matrix* snapshot, Run& run) {
    state_.differentiate();
    const std::vector<Index> rows = sampler_.draw(m);
    const MapPtr some = p_.map->subset(rows);
    Matrix part = state_.Y()(rows, Eigen::all);
    if (snapshot != nullptr) part -= (*snapshot)(rows, Eigen::all);
    run.charge(batch_adjoint_.set(some, part));
    const double weight = 1 / static_cast<double>(m);
    SumOperator::Terms g;
    if (snapshot != nullptr) g.emplace_back(1 / n_, &state_.adjoint().Z());
    g.emplace_back(weight, &batch_adjoint_.Z());
    Direction e = state_.towards(oracle_.vertex(std::move(g), state_.X(), run), run);
    const double known = snapshot == nullptr ? 0 : snapshot->cwiseProduct(e.W).sum() / n_;
    const double estimated = known + weight * part.cwiseProduct(e.W(rows, Eigen::all)).sum() + e.ridge_part;
    if (e.slope > kTrueShare * estimated) batch_ *= kRise;
    return e;
  }

  [[nodiscard]] double batch() const { return batch_; }  // of adaptive steps

 private:
  static constexpr double kTrueShare = 0.5;  // of the estimated slope, else the batch is too small
  static constexpr double kRise = 2;

  Sampler sampler_;
  Adjoint batch_adjoint_;
  double batch_;
};

}  // namespace pdbfw::low_rank
