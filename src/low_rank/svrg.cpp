// Stochastic variance-reduced gradient with a projection (Johnson, Zhang 2013; Xiao, Zhang 2014 for the projection).
//
//   an iteration = an epoch:   X~ the snapshot, u~ = -A*(grad f(A(X~)))/n
//     m times:  X <- Proj_C( X - step g ),  g = (1/b) sum_{i in batch} A_i*( grad f_i(A(X)_i) - Y~_i ) - u~ + ridge X
//
//   steps = theory     b = 1, m = 2 n, step = 0.1 / L_max, L_max that of the roughest sample; X~ is an inner point,
//                      drawn at random (option II). With h_s = E P(X~_s) - P*              (Xiao, Zhang 2014,
//                      Theorem 3.1)
//                          h_s <= rho h_{s-1},  rho = 1/(mu step (1 - 4 L step) m) + 4 L step (m+1)/((1 - 4 L step) m)
//   steps = adaptive   every sample once an epoch, in an order drawn anew, in batches that cost about as much as the
//                      projection that follows; X~ is the last inner point. The step begins at 1 / (L + L_max/b), grows
//                      while P falls from snapshot to snapshot; when P rises it is halved and the epoch taken back.
//
// Cost of an epoch: A(X~) and A*(Y) for the snapshot, each sample of a batch twice, m projections: theory's are for
// small problems only.
#include "low_rank/svrg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "low_rank/dual_estimate.hpp"
#include "low_rank/iterate.hpp"
#include "low_rank/projection.hpp"
#include "low_rank/sampled_gradient.hpp"
#include "low_rank/smoothness.hpp"

namespace pdbfw::low_rank {
namespace {

constexpr double kTheoryStep = 0.1;  // of 1 / L_max: Johnson and Zhang's own choice
constexpr Index kTheoryRounds = 2;   // m = 2 n
constexpr double kGrowth = 1.5, kShrink = 0.5;
// After a step was too long, it is tried again only after so many good epochs, twice as many every time.
constexpr int kFirstPatience = 2, kLongestPatience = 1 << 20;
constexpr Index kMostBatches = 32;  // of an epoch
// P is known up to its rounding, in this share of it.
constexpr double kRounding = 1e-14;

class SvrgEngine final : public Engine {
 public:
  SvrgEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p),
        is_theory_(settings.steps == "theory"),
        scale_(settings.step_scale),
        threads_(settings.threads),
        gradient_(p, settings.threads, settings.seed),
        projection_(p, settings, Projection::kForSteps),
        dual_(p, settings),
        snapshot_(point_at(p, start.X, settings.threads)),
        order_(static_cast<std::size_t>(p.n())) {
    std::iota(order_.begin(), order_.end(), Index{0});
    owed_ = evaluate(p_, threads_, snapshot_) + differentiate(p_, threads_, snapshot_);
    next_ = snapshot_;
  }

  [[nodiscard]] std::string name() const override { return "svrg"; }
  [[nodiscard]] Estimate estimate() override { return {snapshot_.value, dual_.value(), snapshot_.factors.rank()}; }
  [[nodiscard]] Point point() override { return {snapshot_.factors, dual_.Y()}; }

  void iterate(Monitor& monitor) override {
    monitor.charge(std::exchange(owed_, 0));
    if (dual_.is_due(monitor.work().multiply_adds + projection_.cost())) dual_.look(snapshot_.Y, snapshot_.u);
    next_ = snapshot_;
    if (is_theory_)
      theory_epoch(monitor);
    else
      adaptive_epoch(monitor);
  }

 private:
  void step(std::span<const Index> rows, double step, Monitor& monitor) {
    monitor.charge(gradient_.reduced(rows, snapshot_, next_), 1);
    next_.set(projection_(Matrix((1 - step * p_.ridge) * next_.X + step * next_.u)), threads_);
  }

  void theory_epoch(Monitor& monitor) {
    const auto n = static_cast<std::uint64_t>(p_.n());
    const Index m = kTheoryRounds * p_.n();
    Random& random = gradient_.sampler().random();
    const auto chosen = static_cast<Index>(random.below(static_cast<std::uint64_t>(m)));
    Factors drawn = snapshot_.factors;
    for (Index k = 0; k < m; ++k) {
      const std::array<Index, 1> row{static_cast<Index>(random.below(n))};
      step(row, kTheoryStep * scale_ / sample_smoothness(p_), monitor);
      if (k == chosen) drawn = next_.factors;
      if (!monitor.may_go_on()) return end_early(monitor);
    }
    next_.set(std::move(drawn), threads_);
    look_at_next(monitor);
    std::swap(snapshot_, next_);
  }

  void adaptive_epoch(Monitor& monitor) {
    const Index m = batches();
    const double b = static_cast<double>(p_.n()) / static_cast<double>(m);
    const double length = scale_ * growth_ / (primal_smoothness(p_) + sample_smoothness(p_) / b);
    gradient_.sampler().random().shuffle(std::span<Index>(order_));
    const double before = projection_.cost();
    for (Index k = 0; k < m; ++k) {
      const auto first = static_cast<std::size_t>(p_.n() * k / m),
                 last = static_cast<std::size_t>(p_.n() * (k + 1) / m);
      step(std::span(order_).subspan(first, last - first), length, monitor);
      if (!monitor.may_go_on()) return end_early(monitor);
    }
    projection_cost_ = (projection_.cost() - before) / static_cast<double>(m);
    look_at_next(monitor);
    learn(next_.value <= snapshot_.value + kRounding * std::abs(snapshot_.value));
  }

  // So many that the samples of one cost as much as a projection.
  [[nodiscard]] Index batches() const {
    if (projection_cost_ == 0) return std::min(p_.n(), Index{4});
    return std::clamp(static_cast<Index>(2 * p_.map->pass_cost() / projection_cost_), Index{1},
                      std::min(p_.n(), kMostBatches));
  }

  // Where it stands may be better than where it began.
  void end_early(Monitor& monitor) {
    look_at_next(monitor);
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

  void look_at_next(Monitor& monitor) {
    monitor.charge(evaluate(p_, threads_, next_) + differentiate(p_, threads_, next_));
  }

  const Problem& p_;
  bool is_theory_;
  double scale_;
  int threads_;
  SampledGradient gradient_;
  Projection projection_;
  DualEstimate dual_;
  PrimalPoint snapshot_, next_;
  std::vector<Index> order_;
  double projection_cost_ = 0;  // of the last epoch; 0: not known yet
  double growth_ = 1;           // of the step
  int good_epochs_ = 0, patience_ = 1;
  double owed_ = 0;  // multiply-adds before there was a monitor
};

}  // namespace

SolverDescription Svrg::describe() const {
  static constexpr std::array<std::string_view, 2> kOptions{"steps", "step_scale"};
  return {.name = "svrg",
          .summary =
              "stochastic variance-reduced gradient with a projection, in batches unless theory's steps are "
              "asked for",
          .reference = "Johnson, Zhang 2013; Xiao, Zhang 2014",
          .losses = "any",
          .sets = "any",
          .needs_ridge = false,
          .options = kOptions};
}

void Svrg::check(const Problem& p, const Settings& settings) const {
  Solver::check(p, settings);
  require_formed(p, name());
}

std::unique_ptr<Engine> Svrg::make_engine(const Problem& p, const Settings& settings, const Start& start) const {
  return std::make_unique<SvrgEngine>(p, settings, start);
}

}  // namespace pdbfw::low_rank
