// Stochastic variance-reduced gradient with a projection (Johnson, Zhang 2013; Xiao, Zhang 2014 for the projection).
//
//   an iteration = an epoch:   x~ the snapshot (answer_), u~ = -A'f'(A x~)/n
//     m times:  x <- Proj_C( x - step v ),  v = (1/b) sum_{i in batch} ( f_i'(a_i'x) - f_i'(a_i'x~) ) a_i - u~ + q x
//
//   steps = theory     b = 1, m = 2 n, step = 0.1 / L_max, L_max that of the roughest row; x~ is an inner point, drawn
//                      at random (option II). With h_s = E P(x~_s) - P*                    (Xiao, Zhang 2014,
//                      Theorem 3.1)
//                          h_s <= rho h_{s-1},  rho = 1/(mu step (1 - 4 L step) m) + 4 L step (m+1)/((1 - 4 L step) m)
//   steps = adaptive   every row once per epoch, in an order drawn anew, in batches as large as the features in play,
//                      so that these are paid for (projected_steps.hpp: a step costs the non-zeros of x and of its
//                      rows, not d); x~ is the last inner point. The step begins at 1 / (L + L_max/b), grows while P
//                      falls from snapshot to snapshot; when P rises it is halved and the epoch taken back.
//
// Cost of an epoch: A x~ and A'y for the snapshot, and each row of a batch twice.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "baselines/baselines.hpp"
#include "baselines/line_search.hpp"
#include "baselines/primal_point.hpp"
#include "baselines/projected_steps.hpp"
#include "baselines/step_rules.hpp"

namespace pdbfw {
namespace {

constexpr double kTheoryStep = 0.1;  // of 1 / L_max: Johnson and Zhang's own choice
constexpr Index kTheoryRounds = 2;   // m = 2 n
// Inner steps between two looks at the clock.
constexpr Index kStepsBetweenLooks = 64;

class SvrgEngine final : public PrimalPointEngine {
 public:
  SvrgEngine(const Problem& p, const Settings& settings, const Start& start)
      : PrimalPointEngine(p, settings, start),
        random_(settings.seed),
        next_(answer_),
        steps_(p),
        order_(p.loss->size()) {
    std::iota(order_.begin(), order_.end(), Index{0});
    begin();
  }

  [[nodiscard]] std::string name() const override { return "svrg"; }

  void iterate(Run& run) override {
    pay(run);
    if (row_smoothness_ == 0) {
      row_smoothness_ = largest_row_smoothness(p_, run);
      if (!is_theory_) smoothness_ = primal_smoothness(p_, settings_, run, kRoughly);
    }
    if (is_theory_)
      theory_epoch(run);
    else
      adaptive_epoch(run);
  }

 private:
  void begin() override { features_in_play_ = p_.d(); }

  void theory_epoch(Run& run) {
    const auto n = static_cast<std::uint64_t>(p_.n());
    const Index m = kTheoryRounds * p_.n();
    const auto chosen = static_cast<Index>(random_.below(static_cast<std::uint64_t>(m)));
    steps_.begin(answer_, kTheoryStep * scale_ / row_smoothness_);
    for (Index k = 0; k < m && goes_on(k, run); ++k) {
      const std::array<Index, 1> row{static_cast<Index>(random_.below(n))};
      run.charge(steps_.step(row), 1);
      if (k == chosen) next_.x = steps_.x();
    }
    if (run.may_go_on()) {
      take_snapshot(run);
      std::swap(answer_, next_);
    } else {
      end_early(run);
    }
  }

  void adaptive_epoch(Run& run) {
    const auto mean_row = static_cast<double>(p_.A->nonzeros()) / static_cast<double>(p_.n());
    const auto b = static_cast<Index>(
        std::clamp(static_cast<double>(features_in_play_) / std::max(1.0, mean_row), 1.0, static_cast<double>(p_.n())));
    const double step = scale_ * growth_.factor() / (smoothness_ + row_smoothness_ / static_cast<double>(b));
    random_.shuffle(std::span<Index>(order_));
    steps_.begin(answer_, step);
    const Index m = (p_.n() + b - 1) / b;
    Index in_play = 0;
    for (Index k = 0; k < m && goes_on(k, run); ++k) {
      const Index first = p_.n() * k / m, last = p_.n() * (k + 1) / m;
      run.charge(steps_.step(std::span(order_).subspan(static_cast<std::size_t>(first),
                                                       static_cast<std::size_t>(last - first))),
                 1);
      in_play += steps_.features_in_play();
    }
    if (!run.may_go_on()) return end_early(run);
    features_in_play_ = in_play / m;
    next_.x = steps_.x();
    take_snapshot(run);
    const bool has_fallen = is_no_higher(next_.value, answer_.value);
    if (has_fallen) std::swap(answer_, next_);
    growth_.learn(has_fallen);
  }

  // Where it stands may be better than where it began.
  void end_early(Run& run) {
    next_.x = steps_.x();
    take_snapshot(run);
    if (next_.value < answer_.value) std::swap(answer_, next_);
  }

  void take_snapshot(Run& run) {
    p_.set->project(next_.x);  // rounding
    run.charge(evaluate(p_, threads_, next_) + differentiate(p_, threads_, next_), 1);
  }

  [[nodiscard]] static bool goes_on(Index k, Run& run) {
    return k % kStepsBetweenLooks != kStepsBetweenLooks - 1 || run.may_go_on();
  }

  Random random_;
  PrimalPoint next_;
  ProjectedSteps steps_;
  std::vector<Index> order_;
  double smoothness_ = 0, row_smoothness_ = 0;  // 0: not known yet
  Index features_in_play_ = 0;
  GrowingStep growth_;
};

}  // namespace

const Solver kSvrgSolver{.about = {.name = "svrg",
                                   .summary = "stochastic variance-reduced gradient with a projection, in lazy batches "
                                              "unless theory's steps are asked for",
                                   .reference = "Johnson, Zhang 2013; Xiao, Zhang 2014",
                                   .options = kStepOptions},
                         .make_engine = &Solver::make<SvrgEngine>};

}  // namespace pdbfw
