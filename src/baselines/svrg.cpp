// Stochastic variance-reduced gradient with a projection (Johnson, Zhang 2013; Xiao, Zhang 2014 for the projection),
// for both families: x is a vector or a matrix, and "row" stands for a sample of any kind.
//
//   an iteration = an epoch:   x~ the snapshot (answer_), u~ = -A'f'(A x~)/n
//     m times:  x <- Proj_C( x - step v ),  v = (1/b) sum_{i in batch} ( f_i'(a_i'x) - f_i'(a_i'x~) ) a_i - u~ + q x
//
//   steps = theory     b = 1, m = 2 n, step = 0.1 / L_max, L_max that of the roughest row; x~ is an inner point, drawn
//                      at random (option II). With h_s = E P(x~_s) - P*                    (Xiao, Zhang 2014,
//                      Theorem 3.1)
//                          h_s <= rho h_{s-1},  rho = 1/(mu step (1 - 4 L step) m) + 4 L step (m+1)/((1 - 4 L step) m)
//   steps = adaptive   every row once per epoch, in an order drawn anew, in batches that pay for the projection that
//                      follows (projected_steps.hpp); x~ is the last inner point. The step begins at 1 / (L + L_max/b),
//                      grows while P falls from snapshot to snapshot; when P rises it is halved and the epoch taken
//                      back.
//
// Cost of an epoch: A x~ and A'y for the snapshot, each row of a batch twice, and m projections: of matrices, theory's
// are for small problems only.
#include <array>
#include <numeric>
#include <utility>

#include "base/random.hpp"
#include "baselines/baselines.hpp"
#include "baselines/low_rank/projected_steps.hpp"
#include "baselines/projected_steps.hpp"
#include "baselines/step_rules.hpp"
#include "steps/low_rank/iterate.hpp"

namespace pdbfw {
namespace {

constexpr double kTheoryStep = 0.1;  // of 1 / L_max: Johnson and Zhang's own choice
constexpr Index kTheoryRounds = 2;   // m = 2 n

template <class Base, class Steps>
class SvrgEngine final : public Base {
 public:
  SvrgEngine(const typename Base::Problem& p, const Settings& settings, const typename Base::Start& start)
      : Base(p, settings, start),
        random_(settings.seed),
        next_(answer_),
        steps_(p, settings),
        order_(static_cast<std::size_t>(p.n())) {
    std::iota(order_.begin(), order_.end(), Index{0});
  }

  [[nodiscard]] std::string name() const override { return "svrg"; }

  void iterate(Run& run) override {
    this->pay(run);
    this->look_at_dual_if_due(run, steps_.work());
    if (is_theory_)
      theory_epoch(run);
    else
      adaptive_epoch(run);
  }

 private:
  using Base::answer_, Base::is_theory_, Base::p_, Base::scale_, Base::threads_;

  void begin() override {}

  void theory_epoch(Run& run) {
    const auto n = static_cast<std::uint64_t>(p_.n());
    const Index m = kTheoryRounds * p_.n();
    const auto chosen = static_cast<Index>(random_.below(static_cast<std::uint64_t>(m)));
    steps_.begin(answer_, kTheoryStep * scale_ / this->row_smoothness(run));
    for (Index k = 0; k < m && goes_on(k, run); ++k) {
      const std::array<Index, 1> row{static_cast<Index>(random_.below(n))};
      run.charge(steps_.step(row), 1);
      if (k == chosen) steps_.write(next_);
    }
    if (!run.may_go_on()) return end_early(run);
    take_snapshot(run);
    std::swap(answer_, next_);
  }

  void adaptive_epoch(Run& run) {
    const Batches batches = steps_.batches();
    const double roughness = this->row_smoothness(run) / batches.size;
    const double step = scale_ * growth_.factor() / (this->smoothness(run) + roughness);
    random_.shuffle(std::span<Index>(order_));
    steps_.begin(answer_, step);
    for (Index k = 0; k < batches.count && goes_on(k, run); ++k) {
      const auto first = static_cast<std::size_t>(p_.n() * k / batches.count);
      const auto last = static_cast<std::size_t>(p_.n() * (k + 1) / batches.count);
      run.charge(steps_.step(std::span(order_).subspan(first, last - first)), 1);
    }
    if (!run.may_go_on()) return end_early(run);
    steps_.write(next_);
    take_snapshot(run);
    const bool has_fallen = is_no_higher(next_.value, answer_.value);
    if (has_fallen) std::swap(answer_, next_);
    growth_.learn(has_fallen);
  }

  // Where it stands may be better than where it began.
  void end_early(Run& run) {
    steps_.write(next_);
    take_snapshot(run);
    if (next_.value < answer_.value) std::swap(answer_, next_);
  }

  void take_snapshot(Run& run) { run.charge(evaluate(p_, threads_, next_) + differentiate(p_, threads_, next_)); }

  [[nodiscard]] static bool goes_on(Index k, Run& run) {
    return k % Steps::kStepsBetweenLooks != Steps::kStepsBetweenLooks - 1 || run.may_go_on();
  }

  Random random_;
  typename Base::PrimalPoint next_;
  Steps steps_;
  std::vector<Index> order_;
  GrowingStep growth_;
};

constexpr std::string_view kReference = "Johnson, Zhang 2013; Xiao, Zhang 2014";

}  // namespace

const Solver kSvrgSolver{.about = {.name = "svrg",
                                   .summary = "stochastic variance-reduced gradient with a projection, in lazy batches "
                                              "unless theory's steps are asked for",
                                   .reference = kReference,
                                   .options = kStepOptions},
                         .make_engine = &Solver::make<SvrgEngine<PrimalPointEngine, ProjectedSteps>>};

const low_rank::Solver low_rank::kSvrgSolver{
    .about = {.name = "svrg",
              .summary = "stochastic variance-reduced gradient with a projection, in batches unless theory's steps are "
                         "asked for",
              .reference = kReference,
              .options = kStepOptions},
    .make_engine = &Solver::make<SvrgEngine<PrimalPointEngine, ProjectedSteps>>,
    .refuse = [](const Problem& p, const Settings&) { require_formed(p, "svrg"); }};

}  // namespace pdbfw
