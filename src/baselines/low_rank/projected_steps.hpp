// The inner steps of SVRG, each of which ends with a projection by a spectrum.
//
//   X <- Proj_C( X - step g ),   g = (1/b) sum_{i in samples} A_i*( grad f_i(A(X)_i) - Y~_i ) - u~ + ridge X
#pragma once

#include <algorithm>
#include <span>

#include "baselines/low_rank/primal_point.hpp"
#include "baselines/low_rank/sampled_gradient.hpp"
#include "baselines/step_rules.hpp"
#include "steps/low_rank/projection.hpp"

namespace pdbfw::low_rank {

class ProjectedSteps {
 public:
  ProjectedSteps(const Problem& problem, const Settings& settings)
      : p_(problem),
        threads_(settings.threads),
        gradient_(problem, settings.threads, settings.seed),
        projection_(problem, settings, Projection::kForSteps) {}

  static constexpr Index kStepsBetweenLooks = 1;  // at the clock

  // The snapshot must live as long as the steps; X begins there.
  void begin(const PrimalPoint& snapshot, double step) {
    snapshot_ = &snapshot;
    step_ = step;
    now_ = snapshot;
    steps_ = 0;
    work_before_ = work();
  }
  // One step with these samples. Returns the multiply-adds, but for the projection's.
  double step(std::span<const Index> samples) {
    const double cost = gradient_.reduced(samples, *snapshot_, now_);
    now_.set(projection_(Matrix((1 - step_ * p_.ridge) * now_.x + step_ * now_.u)), threads_);
    ++steps_;
    return cost;
  }
  void write(PrimalPoint& to) const { to = now_; }

  // Those of the next epoch: of samples that cost about as much as a projection did in the last one.
  [[nodiscard]] Batches batches() const {
    const Index count =
        steps_ == 0
            ? kFirst
            : static_cast<Index>(2 * p_.map->pass_cost() * static_cast<double>(steps_) / (work() - work_before_));
    const Index kept = std::clamp(count, Index{1}, std::min(p_.n(), kMost));
    return {kept, static_cast<double>(p_.n()) / static_cast<double>(kept)};
  }
  // Of projections.
  [[nodiscard]] double work() const { return projection_.cost(); }

 private:
  static constexpr Index kFirst = 4, kMost = 32;  // batches of an epoch

  const Problem& p_;
  int threads_;
  SampledGradient gradient_;
  Projection projection_;
  const PrimalPoint* snapshot_ = nullptr;
  double step_ = 0;
  PrimalPoint now_;
  Index steps_ = 0;  // since it began
  double work_before_ = 0;
};

}  // namespace pdbfw::low_rank
