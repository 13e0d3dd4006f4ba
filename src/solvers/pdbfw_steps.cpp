#include "solvers/pdbfw_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/products.hpp"

namespace pdbfw {
namespace {

// The theorem's numbers.                                                                                     [M12]
//   eta = mu / (2 L),   delta = (1/k) ( L / (mu n beta) + 5 beta R / (2 alpha mu n^2) (1 + 4 L / mu) )^-1
// s must bound the non-zeros of the inner minimiser, which nobody knows: d always does. The rate depends on k delta
// alone, so k = n costs nothing in iterations.
PdbfwSteps theory_steps(const Problem& p, const Settings& settings) {
  const double mu = p.regulariser->strong_convexity(), L = p.regulariser->smoothness();
  const double beta = p.loss->smoothness(), alpha = p.loss->curvature();
  const auto n = static_cast<double>(p.n());
  std::vector<double> norms(p.b.size());
  squared_norms(p.A->by_row(), {}, norms);
  const double R = *std::max_element(norms.begin(), norms.end());

  PdbfwSteps steps{};
  steps.s = std::min(settings.block_primal.value_or(p.d()), p.d());
  steps.k = std::min(settings.block_dual.value_or(p.n()), p.n());
  steps.eta = settings.eta.value_or(mu / (2 * L));
  const double inverse = L / (mu * n * beta) + 5 * beta * R / (2 * alpha * mu * n * n) * (1 + 4 * L / mu);
  steps.delta = settings.delta.value_or(1 / (static_cast<double>(steps.k) * inverse));
  return steps;
}

class FixedSteps final : public PdbfwStepRule {
 public:
  explicit FixedSteps(PdbfwSteps steps) : PdbfwStepRule(steps) {}
  void learn(const PdbfwProgress&, PdbfwState&) override {}
};

// Climbs the rate at which log(gap) falls, as a function of log(delta): windows of a few iterations, each judged by its
// best gap because a gap may jump to and fro; a larger delta while the rate gets better, the other direction when it
// gets worse, and back to the best state with a much smaller delta when the gap blows up. s grows when it has bound a
// whole window, k follows so that rows cost as much as columns. Deviation: the paper fixes all four numbers beforehand.
class AdaptiveSteps final : public PdbfwStepRule {
 public:
  AdaptiveSteps(const Problem& p, const Settings& settings)
      : PdbfwStepRule(first_steps(p, settings)), n_(p.n()), d_(p.d()), given_(settings) {
    mean_row_ = std::max(1.0, static_cast<double>(p.A->nonzeros()) / static_cast<double>(n_));
  }

  void learn(const PdbfwProgress& progress, PdbfwState& state) override {
    if (!(progress.relative_gap <= kBlownUp * best_gap_)) {
      fall_back(progress.relative_gap, state);
      return;
    }
    if (progress.relative_gap < kWorthKeeping * best_gap_) {
      best_gap_ = progress.relative_gap;
      best_state_ = state;
      falls_ = 0;
    }
    window_best_ = std::min(window_best_, progress.relative_gap);
    is_bound_ = is_bound_ && progress.atom_nonzeros >= steps_.s;
    columns_touched_ += progress.columns_touched;
    if (++age_ < kWindow) return;
    choose_delta(window_best_);
    choose_blocks();
    begin_window(window_best_);
  }

 private:
  static constexpr int kWindow = 5;
  static constexpr double kBlownUp = 3;         // a gap so many times the best one is no progress
  static constexpr double kWorthKeeping = 0.8;  // copying the state costs O(n + d): only for a real improvement
  static constexpr double kBackOff = 4;
  static constexpr int kMostFalls = 10;        // in a row; kBackOff^10 is a million
  static constexpr Index kFirstShareOfD = 20;  // s begins at d / 20
  static constexpr Index kSmallestBlock = 100;
  static constexpr Index kSmallestShareOfN = 4;  // k stays above n / 4: fewer rows hardly moved the dual in trials

  // delta begins where one row alone could step, n mu / |a_i|^2, tempered by sqrt(n) for all that step at once.
  static PdbfwSteps first_steps(const Problem& p, const Settings& settings) {
    std::vector<double> norms(p.b.size());
    squared_norms(p.A->by_row(), {}, norms);
    double mean = 0;
    for (const double norm : norms) mean += norm / static_cast<double>(norms.size());
    const double mu = p.regulariser->strong_convexity(), L = p.regulariser->smoothness();
    const auto n = static_cast<double>(p.n());
    PdbfwSteps steps{};
    steps.s = settings.block_primal.value_or(std::max(kSmallestBlock, p.d() / kFirstShareOfD));
    steps.k = settings.block_dual.value_or(p.n());
    steps.s = std::min(steps.s, p.d());
    steps.k = std::min(steps.k, p.n());
    steps.eta = settings.eta.value_or(mu / (2 * L));
    steps.delta = settings.delta.value_or(mean > 0 ? n * n * mu / (mean * std::sqrt(n)) : n);
    return steps;
  }

  // A gap that not even a millionth of the step can hold was luck, a crossing of two values on their way: the run goes
  // on from where it is, as if it had never been seen.
  void fall_back(double gap, PdbfwState& state) {
    if (falls_ == 0) delta_before_falls_ = steps_.delta / (given_.delta ? 1 : kBackOff);
    if (++falls_ > kMostFalls && std::isfinite(gap)) {
      best_gap_ = gap;
      best_state_ = state;
      steps_.delta = delta_before_falls_;
      falls_ = 0;
      begin_window(gap);
      return;
    }
    if (!best_state_.x.empty()) state = best_state_;
    if (!given_.delta) steps_.delta /= kBackOff;
    last_rate_ = 0;
    is_growing_ = false;
    growth_ = std::max(1.2, std::sqrt(growth_));
    begin_window(best_gap_);
  }

  void choose_delta(double gap) {
    const double rate = std::log(window_gap_ / gap) / kWindow;
    if (rate < last_rate_) {
      is_growing_ = !is_growing_;
      growth_ = std::max(1.2, std::sqrt(growth_));
    }
    last_rate_ = rate;
    if (!given_.delta) steps_.delta *= is_growing_ ? growth_ : 1 / growth_;
  }

  void choose_blocks() {
    if (is_bound_ && !given_.block_primal) steps_.s = std::min(2 * steps_.s, d_);
    if (given_.block_dual) return;
    const auto balanced = static_cast<Index>(columns_touched_ / kWindow / mean_row_);
    steps_.k = std::clamp(balanced, std::max<Index>(1, n_ / kSmallestShareOfN), n_);
  }

  void begin_window(double gap) {
    window_gap_ = gap;
    window_best_ = std::numeric_limits<double>::infinity();
    age_ = 0;
    columns_touched_ = 0;
    is_bound_ = true;
  }

  Index n_, d_;
  Settings given_;
  double mean_row_ = 1;
  double best_gap_ = std::numeric_limits<double>::infinity();
  PdbfwState best_state_;
  double window_gap_ = 1;  // best of the last window, and of this one so far
  double window_best_ = std::numeric_limits<double>::infinity();
  double last_rate_ = 0;
  double growth_ = 2;
  bool is_growing_ = true;
  int falls_ = 0;  // since the best gap was seen
  double delta_before_falls_ = 0;
  int age_ = 0;
  bool is_bound_ = true;
  double columns_touched_ = 0;
};

}  // namespace

std::unique_ptr<PdbfwStepRule> make_step_rule(const Problem& problem, const Settings& settings) {
  if (settings.steps == "theory") return std::make_unique<FixedSteps>(theory_steps(problem, settings));
  return std::make_unique<AdaptiveSteps>(problem, settings);
}

}  // namespace pdbfw
