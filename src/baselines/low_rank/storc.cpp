// STORC, stochastic variance-reduced conditional gradient sliding (Hazan, Luo 2016, Algorithm 2).
//
//   an iteration = an epoch, from the snapshot Y_0 = X_0 (answer_); for k = 1 .. N:
//     Z   = (1 - gamma_k) Y + gamma_k X,    g ~ grad P(Z) from a batch of m samples, with the snapshot's full gradient
//     X  <- argmin_{C} <g, X'> + (beta_k/2) |X' - X|^2,  up to an inner gap of eta_k (sliding.hpp)
//     Y  <- (1 - gamma_k) Y + gamma_k X
//
//   gamma_k = 2/(k+1),  beta_k = 3 L/k
//
//   steps = theory     with kappa = L/mu:  N = sqrt(32 kappa),  m = 5600 N kappa,  eta_k = 2 L D_t^2 / (N k),
//                      D_t^2 = kappa D^2 / 2^(t-1), D the diameter of C:   E P(Y_t) - P* <= L D^2 / 2^(t+1)
//                      (Theorem 2). m is more than n samples for all but the largest data; then the gradient is exact.
//   steps = adaptive   D_t^2 = 2 gap / mu, which is what the theorem's D_t^2 bounds, from the gap that the snapshot
//                      proves; m begins at a 32nd of the samples and doubles after an epoch that has not halved the
//                      gap; L falls while epochs are good until P rises, which doubles it and takes the epoch back;
//                      N = 3 sqrt(kappa), at most 300; corrective inner steps.
//
// Cost of a step: m samples of the adjoint, A(X) by the factors of X, and a linear oracle an inner step.
#include <algorithm>
#include <cmath>
#include <utility>

#include "baselines/low_rank/baselines.hpp"
#include "baselines/low_rank/primal_point.hpp"
#include "baselines/low_rank/sampled_gradient.hpp"
#include "baselines/low_rank/sliding.hpp"
#include "baselines/step_rules.hpp"

namespace pdbfw::low_rank {
namespace {

constexpr double kFirstShare = 1.0 / 32;  // of the samples
constexpr double kRise = 2;               // of the batch

class StorcEngine final : public PrimalPointEngine {
 public:
  StorcEngine(const Problem& p, const Settings& settings, const Start& start)
      : PrimalPointEngine(p, settings, start),
        gradient_(p, settings.threads, settings.seed),
        points_(p, settings, is_theory_ ? InnerSteps::classic : InnerSteps::corrective),
        Z_(answer_),
        next_(answer_),
        batch_(kFirstShare * static_cast<double>(p.n())) {}

  [[nodiscard]] std::string name() const override { return "storc"; }
  [[nodiscard]] Estimate estimate() override { return {answer_.value, dual_.value(), points_.rank()}; }

  void iterate(Run& run) override {
    pay(run);
    if (++epoch_ == 1) dual_.look(answer_.Y, answer_.u);
    run_epoch(next_epoch(), run);
    points_.look_at_Y(next_, run);
    if (is_theory_) {
      std::swap(answer_, next_);
      dual_.look(answer_.Y, answer_.u);
    } else {
      learn();
    }
  }

 private:
  [[nodiscard]] StorcEpoch next_epoch() const {
    const double L = primal_smoothness(p_) / scale_;
    if (is_theory_) return StorcEpoch::theory(L, p_.ridge, diameter(p_), epoch_);
    return StorcEpoch::adaptive(smoothness_factor_.factor() * L, p_.ridge, gap(), batch_);
  }

  void run_epoch(const StorcEpoch& epoch, Run& run) {
    const Index batch = batch_of(p_, epoch.batch);
    points_.begin(answer_);
    for (double k = 1; k <= epoch.N && run.may_go_on(); ++k) {
      const auto [gamma, beta, eta] = epoch.numbers(k);
      points_.look_ahead(gamma, Z_);
      run.charge(gradient_.reduced(batch, answer_, Z_));
      points_.step(Z_, gamma, beta, eta, run);
    }
  }

  void learn() {
    if (!is_no_higher(next_.value, answer_.value)) {
      smoothness_factor_.phase_was_bad();
      batch_ *= kRise;
      return;
    }
    const double before = gap();
    std::swap(answer_, next_);
    dual_.look(answer_.Y, answer_.u);
    if (StorcEpoch::is_good(gap(), before))
      smoothness_factor_.phase_was_good();
    else
      batch_ *= kRise;
  }

  SampledGradient gradient_;
  SlidingPoint points_;
  PrimalPoint Z_, next_;
  TrialSmoothness smoothness_factor_;
  double batch_;
  Index epoch_ = 0;
};

}  // namespace

const Solver kStorcSolver{.about = {.name = "storc",
                                    .summary = "stochastic variance-reduced conditional gradient sliding",
                                    .reference = "Hazan, Luo 2016",
                                    .needs_ridge = true,
                                    .options = kStepOptions},
                          .make_engine = &Solver::make<StorcEngine>,
                          .refuse = [](const Problem& p, const Settings&) { require_formed(p, "storc"); }};

}  // namespace pdbfw::low_rank
