// Stochastic variance-reduced gradient with a projection (Johnson, Zhang 2013; Xiao, Zhang 2014 for the projection).
//
//   an iteration = an epoch:   x~ the snapshot, u~ = -A'f'(A x~)/n
//     m times:  x <- Proj_C( x - step v ),  v = (1/b) sum_{i in batch} ( f_i'(a_i'x) - f_i'(a_i'x~) ) a_i - u~ + q x
//
//   steps = theory     b = 1, m = 2 n, step = 0.1 / L_max, L_max that of the roughest row; x~ is an inner point, drawn
//                      at random (option II). With h_s = E P(x~_s) - P*                    (Xiao, Zhang 2014,
//                      Theorem 3.1)
//                          h_s <= rho h_{s-1},  rho = 1/(mu step (1 - 4 L step) m) + 4 L step (m+1)/((1 - 4 L step) m)
//   steps = adaptive   every row once an epoch, in an order drawn anew, in batches as large as the features in play, so
//                      that these are paid for (projected_steps.hpp: a step costs the non-zeros of x and of its rows,
//                      not d); x~ is the last inner point. The step begins at 1 / (L + L_max/b), grows while P falls
//                      from snapshot to snapshot; when P rises it is halved and the epoch taken back.
//
// Cost of an epoch: A x~ and A'y for the snapshot, and each row of a batch twice.
#include "solvers/svrg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "solvers/primal_point.hpp"
#include "solvers/projected_steps.hpp"
#include "solvers/smoothness.hpp"

namespace pdbfw {
namespace {

constexpr double kTheoryStep = 0.1;  // of 1 / L_max: Johnson and Zhang's own choice
constexpr Index kTheoryRounds = 2;   // m = 2 n
constexpr double kGrowth = 1.5, kShrink = 0.5;
// After a step was too long, it is tried again only after so many good epochs, twice as many every time.
constexpr int kFirstPatience = 2, kLongestPatience = 1 << 20;
// Inner steps between two looks at the clock.
constexpr Index kStepsBetweenLooks = 64;
// P is known up to its rounding, in this share of it.
constexpr double kRounding = 1e-14;

class SvrgEngine final : public Engine {
 public:
  SvrgEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p),
        settings_(settings),
        is_theory_(settings.steps == "theory"),
        scale_(settings.step_scale),
        threads_(settings.threads),
        random_(settings.seed),
        snapshot_(point_at(p, start.x.empty() ? start_point(p) : start.x)),
        next_(snapshot_),
        steps_(p),
        order_(p.b.size()) {
    std::iota(order_.begin(), order_.end(), Index{0});
    begin();
  }

  [[nodiscard]] std::string name() const override { return "svrg"; }
  void radius_has_changed() override {
    p_.set->project(snapshot_.x);
    begin();
  }
  [[nodiscard]] Estimate estimate() override {
    return {snapshot_.value, dual_value(p_, snapshot_.y, snapshot_.u, zone_), count_nonzeros(snapshot_.x)};
  }
  [[nodiscard]] Point point() const override { return {snapshot_.x, snapshot_.y}; }

  void iterate(Monitor& monitor) override {
    monitor.charge(std::exchange(owed_, 0));
    if (row_smoothness_ == 0) {
      row_smoothness_ = largest_row_smoothness(p_, monitor);
      if (!is_theory_) smoothness_ = primal_smoothness(p_, settings_, monitor, kRoughly);
    }
    if (is_theory_)
      theory_epoch(monitor);
    else
      adaptive_epoch(monitor);
  }

 private:
  void begin() {
    owed_ = evaluate(p_, threads_, snapshot_) + differentiate(p_, threads_, snapshot_);
    features_in_play_ = p_.d();
  }

  void theory_epoch(Monitor& monitor) {
    const auto n = static_cast<std::uint64_t>(p_.n());
    const Index m = kTheoryRounds * p_.n();
    const auto chosen = static_cast<Index>(random_.below(static_cast<std::uint64_t>(m)));
    steps_.begin(snapshot_, kTheoryStep * scale_ / row_smoothness_);
    for (Index k = 0; k < m && goes_on(k, monitor); ++k) {
      const std::array<Index, 1> row{static_cast<Index>(random_.below(n))};
      monitor.charge(steps_.step(row), 1);
      if (k == chosen) next_.x = steps_.x();
    }
    if (monitor.may_go_on()) {
      take_snapshot(monitor);
      std::swap(snapshot_, next_);
    } else {
      end_early(monitor);
    }
  }

  void adaptive_epoch(Monitor& monitor) {
    const auto mean_row = static_cast<double>(p_.A->nonzeros()) / static_cast<double>(p_.n());
    const auto b = static_cast<Index>(
        std::clamp(static_cast<double>(features_in_play_) / std::max(1.0, mean_row), 1.0, static_cast<double>(p_.n())));
    const double step = scale_ * growth_ / (smoothness_ + row_smoothness_ / static_cast<double>(b));
    random_.shuffle(std::span<Index>(order_));
    steps_.begin(snapshot_, step);
    const Index m = (p_.n() + b - 1) / b;
    Index in_play = 0;
    for (Index k = 0; k < m && goes_on(k, monitor); ++k) {
      const Index first = p_.n() * k / m, last = p_.n() * (k + 1) / m;
      monitor.charge(steps_.step(std::span(order_).subspan(static_cast<std::size_t>(first),
                                                           static_cast<std::size_t>(last - first))),
                     1);
      in_play += steps_.features_in_play();
    }
    if (!monitor.may_go_on()) return end_early(monitor);
    features_in_play_ = in_play / m;
    next_.x = steps_.x();
    take_snapshot(monitor);
    learn(next_.value <= snapshot_.value + kRounding * std::abs(snapshot_.value));
  }

  // Where it stands may be better than where it began.
  void end_early(Monitor& monitor) {
    next_.x = steps_.x();
    take_snapshot(monitor);
    if (next_.value < snapshot_.value) std::swap(snapshot_, next_);
  }

  // The step grows until P rises, and then, more and more rarely, again: what is too long may change on the way.
  void learn(bool has_fallen) {
    if (has_fallen) {
      std::swap(snapshot_, next_);
      if (++good_epochs_ < patience_) return;
      growth_ *= kGrowth;
      good_epochs_ = 0;
    } else {
      growth_ *= kShrink;
      good_epochs_ = 0;
      patience_ = patience_ == 1 ? kFirstPatience : std::min(kLongestPatience, 2 * patience_);
    }
  }

  void take_snapshot(Monitor& monitor) {
    p_.set->project(next_.x);  // rounding
    monitor.charge(evaluate(p_, threads_, next_) + differentiate(p_, threads_, next_), 1);
  }

  [[nodiscard]] static bool goes_on(Index k, Monitor& monitor) {
    return k % kStepsBetweenLooks != kStepsBetweenLooks - 1 || monitor.may_go_on();
  }

  const Problem& p_;
  Settings settings_;
  bool is_theory_;
  double scale_;
  int threads_;
  Random random_;
  PrimalPoint snapshot_, next_;
  ProjectedSteps steps_;
  std::vector<Index> order_;
  double smoothness_ = 0, row_smoothness_ = 0;  // 0: not known yet
  Index features_in_play_ = 0;
  double growth_ = 1;  // of the step
  int good_epochs_ = 0, patience_ = 1;
  double owed_ = 0;  // entries touched before there was a monitor
  DeadZone zone_;
};

}  // namespace

SolverDescription Svrg::describe() const {
  static constexpr std::array<std::string_view, 2> kOptions{"steps", "step_scale"};
  return {
      .name = "svrg",
      .summary =
          "stochastic variance-reduced gradient with a projection, in lazy batches unless theory's steps are asked for",
      .reference = "Johnson, Zhang 2013; Xiao, Zhang 2014",
      .losses = "any",
      .sets = "any",
      .needs_ridge = false,
      .options = kOptions};
}

std::unique_ptr<Engine> Svrg::make_engine(const Problem& p, const Settings& settings, const Start& start) const {
  return std::make_unique<SvrgEngine>(p, settings, start);
}

}  // namespace pdbfw
