// SCGS, stochastic conditional gradient sliding (Lan, Zhou 2016, Algorithm 3).
//
//   for k = 1, 2, ...:
//     z   = (1 - gamma_k) y + gamma_k x,    g ~ grad P(z) from a batch of B_k rows
//     x  <- argmin_{C} <g, x'> + (beta_k/2) |x' - x|^2,  up to an inner gap of eta_k (sliding.hpp)
//     y  <- (1 - gamma_k) y + gamma_k x
//
//   gamma_k = 3/(k+2),  beta_k = 4 L/(k+2),  eta_k = L D^2 / (k (k+1)),  B_k = sigma^2 (k+2)^3 / (L D)^2
//   where sigma^2 bounds the variance of one row's gradient and D the distance from the start to the optimum:
//       E P(y_k) - P* <= 6 L D^2 / (k+2)^2 + 9 L D^2 / (2 (k+1)(k+2))   (Corollary 3.2)
//
//   steps = theory     D the diameter of C, sigma^2 measured at the start. An iteration goes on until k has grown by
//                      half, where y is evaluated, which costs A y and A'f'; while gradients are exact it is one step,
//                      and what is known about z comes for free.
//   steps = adaptive   phases as in the paper's section for strongly convex problems: each begins at the last y with
//                      k = 1, sigma^2 measured anew and D^2 = 2 gap / mu from the gap that y proves (mu at least
//                      L/1000, for ridge 0), and ends when the gap has halved or after 8 sqrt(L/mu) steps. L falls
//                      while phases are good and doubles after one that is not; pairwise inner steps.
//
// Where B_k >= n the gradient is exact. Cost of a step: each of B_k rows twice (at most A z and A'y); O(d), and
// O(non-zeros of x) an inner step.
#include <algorithm>
#include <cmath>

#include "baselines/active_set.hpp"
#include "baselines/baselines.hpp"
#include "baselines/line_search.hpp"
#include "baselines/primal_point.hpp"
#include "baselines/sampled_gradient.hpp"
#include "baselines/sliding.hpp"
#include "baselines/step_rules.hpp"
#include "linalg/products.hpp"

namespace pdbfw {
namespace {

class ScgsEngine final : public PrimalPointEngine {
 public:
  ScgsEngine(const Problem& p, const Settings& settings, const Start& start)
      : PrimalPointEngine(p, settings, start),
        gradient_(p, settings.threads, settings.seed),
        sliding_(p, is_theory_ ? InnerSteps::classic : InnerSteps::pairwise),
        z_(answer_),
        row_norms_(p.loss->size()) {}

  [[nodiscard]] std::string name() const override { return "scgs"; }

  void iterate(Run& run) override {
    pay(run);
    if (smoothness_ == 0) {
      smoothness_ = primal_smoothness(p_, settings_, run, is_theory_ ? kExactly : kRoughly);
      squared_norms(p_.A->by_row(), {}, row_norms_);
      run.charge(static_cast<double>(p_.A->nonzeros()));
    }
    if (phase_.steps == 0) begin_phase();
    const Index until = phase_.next_look();
    do step(run);
    while (phase_.steps < until && !is_exact_ && run.may_go_on());
    if (!is_exact_ || !run.may_go_on()) look_at_y(run);
    if (is_theory_) return;
    (void)estimate();
    phase_.learn(gap_, smoothness_factor_);
  }

 private:
  void begin() override { phase_.steps = 0; }

  void look_at_y(Run& run) {
    z_.x = y_;
    p_.set->project(z_.x);  // rounding
    run.charge(evaluate(p_, threads_, z_) + differentiate(p_, threads_, z_));
    keep_z();
  }

  void keep_z() {
    if (is_no_higher(z_.value, answer_.value)) answer_ = z_;
  }

  // The variance of one row's gradient at y:  (1/n) sum_i f_i'^2 |a_i|^2 - |u|^2
  [[nodiscard]] double variance() const {
    double sum = 0, mean = 0;
    for (std::size_t i = 0; i < row_norms_.size(); ++i) sum += answer_.y[i] * answer_.y[i] * row_norms_[i];
    for (const double u_j : answer_.u) mean += u_j * u_j;
    return std::max(0.0, sum / static_cast<double>(p_.n()) - mean);
  }

  void begin_phase() {
    x_ = y_ = answer_.x;
    const double D = diameter(p_);
    phase_ = {.L = smoothness_ / scale_, .D2 = D * D, .sigma2 = variance()};
    if (is_theory_) return;
    (void)estimate();
    phase_.adapt(smoothness_factor_.factor(), p_.regulariser->strong_convexity(), gap_);
  }

  void step(Run& run) {
    ++phase_.steps;
    const auto [gamma, beta, eta] = phase_.numbers();
    const double batch = std::ceil(phase_.batch());
    blend(gamma, z_.x);
    is_exact_ = !(batch < static_cast<double>(p_.n()));
    run.charge(gradient_.plain(is_exact_ ? p_.n() : std::max<Index>(1, static_cast<Index>(batch)), z_));
    if (is_exact_) keep_z();  // it lies in C, and all is known about it
    gradient_at(p_, z_, g_);
    sliding_.slide({g_, beta, eta}, x_, run);
    blend(gamma, y_);
  }

  // out = (1 - gamma) y + gamma x
  void blend(double gamma, std::vector<double>& out) {
    for (std::size_t j = 0; j < x_.size(); ++j) out[j] = (1 - gamma) * y_[j] + gamma * x_[j];
  }

  SampledGradient gradient_;
  Sliding sliding_;
  PrimalPoint z_;
  std::vector<double> x_, y_, g_, row_norms_;
  double smoothness_ = 0;  // 0: not known yet
  ScgsPhase phase_;
  TrialSmoothness smoothness_factor_;
  bool is_exact_ = false;  // the last gradient
};

}  // namespace

const Solver kScgsSolver{.about = {.name = "scgs",
                                   .summary = "stochastic conditional gradient sliding",
                                   .reference = "Lan, Zhou 2016",
                                   .sets = "those whose vertices are +-radius e_j (l1, simplex, nonnegative)",
                                   .options = kStepOptions},
                         .make_engine = &Solver::make<ScgsEngine>,
                         .refuse = [](const Problem& p, const Settings&) { require_coordinate_vertices(p, "scgs"); }};

}  // namespace pdbfw
