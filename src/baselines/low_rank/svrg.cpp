// Stochastic variance-reduced gradient with a projection (Johnson, Zhang 2013; Xiao, Zhang 2014 for the projection).
//
//   an iteration = an epoch:   X~ the snapshot (answer_), u~ = -A*(grad f(A(X~)))/n
//     m times:  X <- Proj_C( X - step g ),  g = (1/b) sum_{i in batch} A_i*( grad f_i(A(X)_i) - Y~_i ) - u~ + ridge X
//
//   steps = theory     b = 1, m = 2 n, step = 0.1 / L_max, L_max that of the roughest sample; X~ is an inner point,
//                      drawn at random (option II). With h_s = E P(X~_s) - P*              (Xiao, Zhang 2014,
//                      Theorem 3.1)
//                          h_s <= rho h_{s-1},  rho = 1/(mu step (1 - 4 L step) m) + 4 L step (m+1)/((1 - 4 L step) m)
//   steps = adaptive   every sample once per epoch, in an order drawn anew, in batches that cost about as much as the
//                      projection that follows; X~ is the last inner point. The step begins at 1 / (L + L_max/b), grows
//                      while P falls from snapshot to snapshot; when P rises it is halved and the epoch taken back.
//
// Cost of an epoch: A(X~) and A*(Y) for the snapshot, each sample of a batch twice, m projections: theory's are for
// small problems only.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "baselines/low_rank/baselines.hpp"
#include "baselines/low_rank/primal_point.hpp"
#include "baselines/low_rank/sampled_gradient.hpp"
#include "baselines/step_rules.hpp"
#include "steps/low_rank/iterate.hpp"
#include "steps/low_rank/projection.hpp"

namespace pdbfw::low_rank {
namespace {

constexpr double kTheoryStep = 0.1;  // of 1 / L_max: Johnson and Zhang's own choice
constexpr Index kTheoryRounds = 2;   // m = 2 n
constexpr Index kMostBatches = 32;   // of an epoch

class SvrgEngine final : public PrimalPointEngine {
 public:
  SvrgEngine(const Problem& p, const Settings& settings, const Start& start)
      : PrimalPointEngine(p, settings, start),
        gradient_(p, settings.threads, settings.seed),
        projection_(p, settings, Projection::kForSteps),
        next_(answer_),
        order_(static_cast<std::size_t>(p.n())) {
    std::iota(order_.begin(), order_.end(), Index{0});
  }

  [[nodiscard]] std::string name() const override { return "svrg"; }
  [[nodiscard]] Estimate estimate() override { return {answer_.value, dual_.value(), answer_.factors.rank()}; }

  void iterate(Run& run) override {
    pay(run);
    if (dual_.is_due(run.work().multiply_adds + projection_.cost())) dual_.look(answer_.Y, answer_.u);
    next_ = answer_;
    if (is_theory_)
      theory_epoch(run);
    else
      adaptive_epoch(run);
  }

 private:
  void step(std::span<const Index> rows, double step, Run& run) {
    run.charge(gradient_.reduced(rows, answer_, next_), 1);
    next_.set(projection_(Matrix((1 - step * p_.ridge) * next_.X + step * next_.u)), threads_);
  }

  void theory_epoch(Run& run) {
    const auto n = static_cast<std::uint64_t>(p_.n());
    const Index m = kTheoryRounds * p_.n();
    Random& random = gradient_.sampler().random();
    const auto chosen = static_cast<Index>(random.below(static_cast<std::uint64_t>(m)));
    Factors drawn = answer_.factors;
    for (Index k = 0; k < m; ++k) {
      const std::array<Index, 1> row{static_cast<Index>(random.below(n))};
      step(row, kTheoryStep * scale_ / sample_smoothness(p_), run);
      if (k == chosen) drawn = next_.factors;
      if (!run.may_go_on()) return end_early(run);
    }
    next_.set(std::move(drawn), threads_);
    look_at_next(run);
    std::swap(answer_, next_);
  }

  void adaptive_epoch(Run& run) {
    const Index m = batches();
    const double b = static_cast<double>(p_.n()) / static_cast<double>(m);
    const double length = scale_ * growth_.factor() / (primal_smoothness(p_) + sample_smoothness(p_) / b);
    gradient_.sampler().random().shuffle(std::span<Index>(order_));
    const double before = projection_.cost();
    for (Index k = 0; k < m; ++k) {
      const auto first = static_cast<std::size_t>(p_.n() * k / m),
                 last = static_cast<std::size_t>(p_.n() * (k + 1) / m);
      step(std::span(order_).subspan(first, last - first), length, run);
      if (!run.may_go_on()) return end_early(run);
    }
    projection_cost_ = (projection_.cost() - before) / static_cast<double>(m);
    look_at_next(run);
    const bool has_fallen = is_no_higher(next_.value, answer_.value);
    if (has_fallen) std::swap(answer_, next_);
    growth_.learn(has_fallen);
  }

  // So many that the samples of one cost as much as a projection.
  [[nodiscard]] Index batches() const {
    if (projection_cost_ == 0) return std::min(p_.n(), Index{4});
    return std::clamp(static_cast<Index>(2 * p_.map->pass_cost() / projection_cost_), Index{1},
                      std::min(p_.n(), kMostBatches));
  }

  // Where it stands may be better than where it began.
  void end_early(Run& run) {
    look_at_next(run);
    if (next_.value < answer_.value) std::swap(answer_, next_);
  }

  void look_at_next(Run& run) { run.charge(evaluate(p_, threads_, next_) + differentiate(p_, threads_, next_)); }

  SampledGradient gradient_;
  Projection projection_;
  PrimalPoint next_;
  std::vector<Index> order_;
  double projection_cost_ = 0;  // of the last epoch; 0: not known yet
  GrowingStep growth_;
};

}  // namespace

const Solver kSvrgSolver{
    .about = {.name = "svrg",
              .summary = "stochastic variance-reduced gradient with a projection, in batches unless theory's steps are "
                         "asked for",
              .reference = "Johnson, Zhang 2013; Xiao, Zhang 2014",
              .options = kStepOptions},
    .make_engine = &Solver::make<SvrgEngine>,
    .refuse = [](const Problem& p, const Settings&) { require_formed(p, "svrg"); }};

}  // namespace pdbfw::low_rank
