// STORC, stochastic variance-reduced conditional gradient sliding (Hazan, Luo 2016, Algorithm 2).
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
//                      proves; m begins at the rows that hold d entries, which pays for the O(d) of a slide, and
//                      doubles after an epoch that has not halved the gap; L falls while epochs are good until P rises,
//                      which doubles it and takes the epoch back; N = 3 sqrt(kappa), at most 300; pairwise inner steps.
//
// Cost of a step: each of m rows twice (at most A z and A'y); O(d), and O(non-zeros of x) an inner step.
#include <algorithm>
#include <cmath>

#include "baselines/active_set.hpp"
#include "baselines/baselines.hpp"
#include "baselines/line_search.hpp"
#include "baselines/primal_point.hpp"
#include "baselines/sampled_gradient.hpp"
#include "baselines/sliding.hpp"
#include "baselines/step_rules.hpp"

namespace pdbfw {
namespace {

constexpr double kRise = 2;  // of the batch

class StorcEngine final : public PrimalPointEngine {
 public:
  StorcEngine(const Problem& p, const Settings& settings, const Start& start)
      : PrimalPointEngine(p, settings, start),
        has_start_(!start.x.empty()),
        gradient_(p, settings.threads, settings.seed),
        sliding_(p, is_theory_ ? InnerSteps::classic : InnerSteps::pairwise),
        z_(answer_),
        next_(answer_) {}

  [[nodiscard]] std::string name() const override { return "storc"; }

  void iterate(Run& run) override {
    pay(run);
    if (smoothness_ == 0) {
      smoothness_ = primal_smoothness(p_, settings_, run, is_theory_ ? kExactly : kRoughly);
      if (is_theory_ && !has_start_) run.charge(move_to_best_vertex(p_, threads_, answer_), 1);
    }
    ++epoch_;
    run_epoch(next_epoch(), run);
    p_.set->project(next_.x);  // rounding
    run.charge(evaluate(p_, threads_, next_) + differentiate(p_, threads_, next_));
    if (is_theory_)
      std::swap(answer_, next_);
    else
      learn();
  }

 private:
  void begin() override { epoch_ = 0; }

  [[nodiscard]] Index rows(double count) const {
    return static_cast<Index>(std::clamp(std::ceil(count), 1.0, static_cast<double>(p_.n())));
  }

  [[nodiscard]] StorcEpoch next_epoch() {
    const double mu = p_.regulariser->strong_convexity(), L = smoothness_ / scale_;
    if (is_theory_) return StorcEpoch::theory(L, mu, diameter(p_), epoch_);
    if (batch_ == 0)
      batch_ = static_cast<double>(p_.n()) * static_cast<double>(p_.d()) /
               static_cast<double>(std::max<Index>(1, p_.A->nonzeros()));
    return StorcEpoch::adaptive(smoothness_factor_.factor() * L, mu, gap_, batch_);
  }

  void run_epoch(const StorcEpoch& epoch, Run& run) {
    const Index batch = rows(epoch.batch);
    x_ = next_.x = answer_.x;  // next_.x is y
    std::vector<double> g;
    for (double k = 1; k <= epoch.N && run.may_go_on(); ++k) {
      const auto [gamma, beta, eta] = epoch.numbers(k);
      blend(gamma, z_.x);
      run.charge(gradient_.reduced(batch, answer_, z_));
      gradient_at(p_, z_, g);
      sliding_.slide({g, beta, eta}, x_, run);
      blend(gamma, next_.x);
    }
  }

  // out = (1 - gamma) y + gamma x
  void blend(double gamma, std::vector<double>& out) {
    for (std::size_t j = 0; j < x_.size(); ++j) out[j] = (1 - gamma) * next_.x[j] + gamma * x_[j];
  }

  void learn() {
    if (!is_no_higher(next_.value, answer_.value)) {
      smoothness_factor_.phase_was_bad();
      batch_ *= kRise;
      return;
    }
    const double before = gap_;
    std::swap(answer_, next_);
    (void)estimate();
    if (StorcEpoch::is_good(gap_, before))
      smoothness_factor_.phase_was_good();
    else
      batch_ *= kRise;
  }

  bool has_start_;
  SampledGradient gradient_;
  Sliding sliding_;
  PrimalPoint z_, next_;
  std::vector<double> x_;
  double smoothness_ = 0;  // 0: not known yet
  TrialSmoothness smoothness_factor_;
  double batch_ = 0;  // 0: not chosen yet
  Index epoch_ = 0;
};

}  // namespace

const Solver kStorcSolver{.about = {.name = "storc",
                                    .summary = "stochastic variance-reduced conditional gradient sliding",
                                    .reference = "Hazan, Luo 2016",
                                    .sets = "those whose vertices are +-radius e_j (l1, simplex, nonnegative)",
                                    .needs_ridge = true,
                                    .options = kStepOptions},
                          .make_engine = &Solver::make<StorcEngine>,
                          .refuse = [](const Problem& p, const Settings&) { require_coordinate_vertices(p, "storc"); }};

}  // namespace pdbfw
