#include "steps/pdbfw_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pdbfw {
namespace {

// Climbs the rate at which log(gap) falls, as a function of log(delta): windows of a few iterations, each judged by its
// best gap because a gap may jump to and fro; a larger delta while the rate gets better, the other direction when it
// gets worse, and back to the best state with a much smaller delta when the gap blows up. s grows when it has bound for
// five iterations, k follows so that rows cost as much as the primal step. Deviation: the paper fixes all four numbers
// beforehand.
class AdaptiveSteps final : public PdbfwStepRule {
 public:
  AdaptiveSteps(PdbfwSteps first, const PdbfwLimits& limits, const Settings& settings)
      : PdbfwStepRule(first), limits_(limits), given_(settings), growth_(limits.growth) {}

  Advice learn(const PdbfwProgress& progress) override {
    if (!(progress.relative_gap <= kBlownUp * best_gap_)) return fall_back(progress.relative_gap);
    Advice advice = Advice::go_on;
    if (progress.relative_gap < kWorthKeeping * best_gap_) {
      best_gap_ = progress.relative_gap;
      advice = Advice::remember;
      falls_ = 0;
    }
    window_best_ = std::min(window_best_, progress.relative_gap);
    is_bound_ = is_bound_ && progress.atom_size >= steps_.s;
    primal_cost_ += progress.primal_cost;
    ++age_;
    if (age_ % kIterationsOfBlocks == 0) choose_blocks();
    if (age_ < limits_.window) return advice;
    choose_delta(window_best_);
    begin_window(window_best_);
    return advice;
  }

 private:
  static constexpr double kBlownUp = 3;          // a gap of this many times the best one is no progress
  static constexpr int kIterationsOfBlocks = 5;  // after which s and k are chosen anew
  static constexpr double kWorthKeeping = 0.8;   // remembering costs a copy: only for a real improvement
  static constexpr double kBackOff = 4;
  static constexpr int kMostFalls = 10;  // in a row; kBackOff^10 is a million

  // A gap that not even a millionth of the step can hold was luck, a crossing of two values on their way: the run goes
  // on from where it is, as if it had never been seen.
  Advice fall_back(double gap) {
    if (falls_ == 0) delta_before_falls_ = steps_.delta / (given_.delta ? 1 : kBackOff);
    if (++falls_ > kMostFalls && std::isfinite(gap)) {
      best_gap_ = gap;
      steps_.delta = delta_before_falls_;
      falls_ = 0;
      begin_window(gap);
      return Advice::remember;
    }
    if (!given_.delta) steps_.delta /= kBackOff;
    last_rate_ = 0;
    is_growing_ = false;
    growth_ = std::max(1.2, std::sqrt(growth_));
    begin_window(best_gap_);
    return Advice::go_back;
  }

  void choose_delta(double gap) {
    const double rate = std::log(window_gap_ / gap) / limits_.window;
    if (rate < last_rate_) {
      is_growing_ = !is_growing_;
      growth_ = std::max(1.2, std::sqrt(growth_));
    }
    last_rate_ = rate;
    if (!given_.delta) steps_.delta *= is_growing_ ? growth_ : 1 / growth_;
  }

  void choose_blocks() {
    if (is_bound_ && !given_.block_primal) steps_.s = std::min(2 * steps_.s, limits_.most_s);
    const auto balanced = static_cast<Index>(primal_cost_ / kIterationsOfBlocks / limits_.row_cost);
    if (!given_.block_dual) steps_.k = std::clamp(balanced, limits_.fewest_k, limits_.most_k);
    primal_cost_ = 0;
    is_bound_ = true;
  }

  void begin_window(double gap) {
    window_gap_ = gap;
    window_best_ = std::numeric_limits<double>::infinity();
    age_ = 0;
    primal_cost_ = 0;
    is_bound_ = true;
  }

  PdbfwLimits limits_;
  Settings given_;
  double growth_;
  double best_gap_ = std::numeric_limits<double>::infinity();
  double window_gap_ = 1;  // best of the last window, and of this one so far
  double window_best_ = std::numeric_limits<double>::infinity();
  double last_rate_ = 0;
  bool is_growing_ = true;
  int falls_ = 0;  // since the best gap was seen
  double delta_before_falls_ = 0;
  int age_ = 0;
  bool is_bound_ = true;
  double primal_cost_ = 0;
};

}  // namespace

std::unique_ptr<PdbfwStepRule> fixed_steps(PdbfwSteps steps) { return std::make_unique<PdbfwStepRule>(steps); }

std::unique_ptr<PdbfwStepRule> adaptive_steps(PdbfwSteps first, const PdbfwLimits& limits, const Settings& settings) {
  return std::make_unique<AdaptiveSteps>(first, limits, settings);
}

}  // namespace pdbfw
