// STORC, stochastic variance-reduced conditional gradient sliding (Hazan, Luo 2016, Algorithm 2), for both families: x
// is a vector or a matrix, and "row" stands for a sample of any kind.
//
//   an iteration = an epoch, from the snapshot y_0 = x_0 (answer_); for k = 1 .. N:
//     z   = (1 - gamma_k) y + gamma_k x,    g ~ grad P(z) from a batch of m rows, with the snapshot's full gradient
//     x  <- argmin_{C} <g, x'> + (beta_k/2) |x' - x|^2,  up to an inner gap of eta_k (sliding.hpp)
//     y  <- (1 - gamma_k) y + gamma_k x
//
//   gamma_k = 2/(k+1),  beta_k = 3 L/k
//
//   steps = theory     with kappa = L/mu:  N = sqrt(32 kappa),  m = 5600 N kappa,  eta_k = 2 L D_t^2 / (N k),
//                      D_t^2 = kappa D^2 / 2^(t-1), D the diameter of C:   E P(y_t) - P* <= L D^2 / 2^(t+1)
//                      (Theorem 2). m is more than n rows for all but the largest data; then the gradient is exact.
//   steps = adaptive   D_t^2 = 2 gap / mu, which is what the theorem's D_t^2 bounds, from the gap that the snapshot
//                      proves; m begins small (SampledGradient::first_batch) and doubles after an epoch that has not
//                      halved the gap; L falls while epochs are good until P rises, which doubles it and takes the
//                      epoch back; N = 3 sqrt(kappa), at most 300; pairwise or corrective inner steps.
//
// Cost of a step: each of m rows twice (at most A z and A'y); of vectors, O(d) and O(non-zeros of x) an inner step; of
// matrices, A x by the factors of x and a linear oracle an inner step.
#include <utility>

#include "baselines/active_set.hpp"
#include "baselines/baselines.hpp"
#include "baselines/low_rank/sampled_gradient.hpp"
#include "baselines/low_rank/sliding.hpp"
#include "baselines/sampled_gradient.hpp"
#include "baselines/sliding.hpp"
#include "baselines/step_rules.hpp"

namespace pdbfw {
namespace {

constexpr double kRise = 2;  // of the batch

template <class Base, class Gradient, class Points>
class StorcEngine final : public Base {
 public:
  StorcEngine(const typename Base::Problem& p, const Settings& settings, const typename Base::Start& start)
      : Base(p, settings, start),
        gradient_(p, settings.threads, settings.seed),
        points_(p, settings),
        z_(answer_),
        next_(answer_),
        batch_(gradient_.first_batch()) {}

  [[nodiscard]] std::string name() const override { return "storc"; }

  void iterate(Run& run) override {
    this->pay(run);
    this->begin_at_vertex(run);
    if (++epoch_ == 1) this->look_at_dual();
    run_epoch(next_epoch(run), run);
    points_.look_at_y(next_, run);
    if (is_theory_)
      take_next();
    else
      learn();
  }

 private:
  using Base::answer_, Base::is_theory_, Base::p_, Base::scale_;

  void begin() override { epoch_ = 0; }

  [[nodiscard]] StorcEpoch next_epoch(Run& run) {
    const double mu = strong_convexity(p_), L = this->smoothness(run) / scale_;
    if (is_theory_) return StorcEpoch::theory(L, mu, diameter(p_), epoch_);
    return StorcEpoch::adaptive(smoothness_factor_.factor() * L, mu, this->gap(), batch_);
  }

  void run_epoch(const StorcEpoch& epoch, Run& run) {
    const Index batch = batch_of(p_.n(), epoch.batch);
    points_.begin(answer_);
    for (double k = 1; k <= epoch.N && run.may_go_on(); ++k) {
      const SlidingNumbers numbers = epoch.numbers(k);
      points_.look_ahead(numbers.gamma, z_);
      run.charge(gradient_.reduced(batch, answer_, z_));
      points_.step(z_, numbers, run);
    }
  }

  void take_next() {
    std::swap(answer_, next_);
    this->look_at_dual();
  }

  void learn() {
    if (!is_no_higher(next_.value, answer_.value)) {
      smoothness_factor_.phase_was_bad();
      batch_ *= kRise;
      return;
    }
    const double before = this->gap();
    take_next();
    if (StorcEpoch::is_good(this->gap(), before))
      smoothness_factor_.phase_was_good();
    else
      batch_ *= kRise;
  }

  Gradient gradient_;
  Points points_;
  typename Base::PrimalPoint z_, next_;
  TrialSmoothness smoothness_factor_;
  double batch_;
  Index epoch_ = 0;
};

constexpr std::string_view kSummary = "stochastic variance-reduced conditional gradient sliding";
constexpr std::string_view kReference = "Hazan, Luo 2016";

}  // namespace

const Solver kStorcSolver{.about = {.name = "storc",
                                    .summary = kSummary,
                                    .reference = kReference,
                                    .sets = kCoordinateSets,
                                    .needs_ridge = true,
                                    .options = kStepOptions},
                          .make_engine = &Solver::make<StorcEngine<PrimalPointEngine, SampledGradient, SlidingPoint>>,
                          .refuse = [](const Problem& p, const Settings&) { require_coordinate_vertices(p, "storc"); }};

const low_rank::Solver low_rank::kStorcSolver{
    .about =
        {.name = "storc", .summary = kSummary, .reference = kReference, .needs_ridge = true, .options = kStepOptions},
    .make_engine = &Solver::make<StorcEngine<PrimalPointEngine, SampledGradient, SlidingPoint>>,
    .refuse = [](const Problem& p, const Settings&) { require_formed(p, "storc"); }};

}  // namespace pdbfw
