// SCGS, stochastic conditional gradient sliding (Lan, Zhou 2016, Algorithm 3).
//
//   for k = 1, 2, ...:
//     Z   = (1 - gamma_k) Y + gamma_k X,    g ~ grad P(Z) from a batch of B_k samples
//     X  <- argmin_{C} <g, X'> + (beta_k/2) |X' - X|^2,  up to an inner gap of eta_k (sliding.hpp)
//     Y  <- (1 - gamma_k) Y + gamma_k X
//
//   gamma_k = 3/(k+2),  beta_k = 4 L/(k+2),  eta_k = L D^2 / (k (k+1)),  B_k = sigma^2 (k+2)^3 / (L D)^2
//   where sigma^2 bounds the variance of one sample's gradient and D the distance from the start to the optimum:
//       E P(Y_k) - P* <= 6 L D^2 / (k+2)^2 + 9 L D^2 / (2 (k+1)(k+2))   (Corollary 3.2)
//
//   steps = theory     D the diameter of C, sigma^2 bounded at the start. An iteration goes on until k has grown by
//                      half, where Y is evaluated, which costs A(Y) and A*; while gradients are exact it is one step,
//                      and what is known about Z comes for free.
//   steps = adaptive   phases as in the paper's section for strongly convex problems: each begins at the last Y with
//                      k = 1, sigma^2 bounded anew and D^2 = 2 gap / mu from the gap that Y proves (mu at least
//                      L/1000, for ridge 0), and ends when the gap has halved or after 8 sqrt(L/mu) steps. L falls
//                      while phases are good and doubles after one that is not; corrective inner steps.
//
// Where B_k >= n the gradient is exact. Cost of a step: B_k samples of the adjoint, A(X) by the factors of X, and a
// linear oracle an inner step.
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

class ScgsEngine final : public PrimalPointEngine {
 public:
  ScgsEngine(const Problem& p, const Settings& settings, const Start& start)
      : PrimalPointEngine(p, settings, start),
        gradient_(p, settings.threads, settings.seed),
        points_(p, settings, is_theory_ ? InnerSteps::classic : InnerSteps::corrective),
        Z_(answer_) {}

  [[nodiscard]] std::string name() const override { return "scgs"; }
  [[nodiscard]] Estimate estimate() override { return {answer_.value, dual_.value(), points_.rank()}; }

  void iterate(Run& run) override {
    pay(run);
    if (phase_.steps == 0) begin_phase();
    const Index until = phase_.next_look();
    do step(run);
    while (phase_.steps < until && !is_exact_ && run.may_go_on());
    if (!is_exact_ || !run.may_go_on()) {
      points_.look_at_Y(Z_, run);
      keep_Z();
    }
    if (dual_.is_due(run.work().multiply_adds + points_.work())) dual_.look(answer_.Y, answer_.u);
    if (!is_theory_) phase_.learn(gap(), smoothness_factor_);
  }

 private:
  void keep_Z() {
    if (is_no_higher(Z_.value, answer_.value)) answer_ = Z_;
  }

  void begin_phase() {
    points_.begin(answer_);
    const double D = diameter(p_), sigma2 = gradient_variance(p_, answer_.Y, answer_.u.squaredNorm());
    phase_ = {.L = primal_smoothness(p_) / scale_, .D2 = D * D, .sigma2 = sigma2};
    if (is_theory_) return;
    dual_.look(answer_.Y, answer_.u);
    phase_.adapt(smoothness_factor_.factor(), p_.ridge, gap());
  }

  void step(Run& run) {
    ++phase_.steps;
    const auto [gamma, beta, eta] = phase_.numbers();
    const double batch = phase_.batch();
    points_.look_ahead(gamma, Z_);
    is_exact_ = !(batch < static_cast<double>(p_.n()));
    run.charge(gradient_.plain(is_exact_ ? p_.n() : batch_of(p_, batch), Z_));
    if (is_exact_) keep_Z();  // it lies in C, and all is known about it
    points_.step(Z_, gamma, beta, eta, run);
  }

  SampledGradient gradient_;
  SlidingPoint points_;
  PrimalPoint Z_;
  ScgsPhase phase_;
  TrialSmoothness smoothness_factor_;
  bool is_exact_ = false;  // the last gradient
};

}  // namespace

const Solver kScgsSolver{.about = {.name = "scgs",
                                   .summary = "stochastic conditional gradient sliding",
                                   .reference = "Lan, Zhou 2016",
                                   .options = kStepOptions},
                         .make_engine = &Solver::make<ScgsEngine>,
                         .refuse = [](const Problem& p, const Settings&) { require_formed(p, "scgs"); }};

}  // namespace pdbfw::low_rank
