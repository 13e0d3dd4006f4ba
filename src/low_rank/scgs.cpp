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
#include "low_rank/scgs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "low_rank/dual_estimate.hpp"
#include "low_rank/sampled_gradient.hpp"
#include "low_rank/sliding_point.hpp"
#include "low_rank/smoothness.hpp"

namespace pdbfw::low_rank {
namespace {

constexpr double kEvaluationGrowth = 1.5;
constexpr double kPhaseLength = 8, kWorstCondition = 1'000;
constexpr double kGoodPhase = 0.5;
constexpr double kFall = 0.7, kRise = 2, kLeast = 0.01;
// P is known up to its rounding, in this share of it.
constexpr double kRounding = 1e-14;

class ScgsEngine final : public Engine {
 public:
  ScgsEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p),
        is_theory_(settings.steps == "theory"),
        scale_(settings.step_scale),
        threads_(settings.threads),
        gradient_(p, settings.threads, settings.seed),
        points_(p, settings, is_theory_ ? InnerSteps::classic : InnerSteps::corrective),
        dual_(p, settings),
        best_(point_at(p, start.X, settings.threads)) {
    owed_ = evaluate(p_, threads_, best_) + differentiate(p_, threads_, best_);
    Z_ = best_;
  }

  [[nodiscard]] std::string name() const override { return "scgs"; }
  [[nodiscard]] Estimate estimate() override { return {best_.value, dual_.value(), points_.rank()}; }
  [[nodiscard]] Point point() override { return {factors_of(p_, best_), dual_.Y()}; }

  void iterate(Monitor& monitor) override {
    monitor.charge(std::exchange(owed_, 0));
    if (k_ == 0) begin_phase();
    const auto until = std::max(k_ + 1, static_cast<Index>(kEvaluationGrowth * static_cast<double>(k_)));
    do step(monitor);
    while (k_ < until && !is_exact_ && monitor.may_go_on());
    if (!is_exact_ || !monitor.may_go_on()) {
      points_.look_at_Y(Z_, monitor);
      keep_Z();
    }
    if (dual_.is_due(monitor.work().multiply_adds + points_.work())) dual_.look(best_.Y, best_.u);
    if (!is_theory_) learn();
  }

 private:
  [[nodiscard]] double gap() const { return best_.value - dual_.value(); }

  void keep_Z() {
    if (Z_.value <= best_.value + kRounding * std::abs(best_.value)) best_ = Z_;
  }

  void begin_phase() {
    points_.begin(best_);
    sigma2_ = gradient_variance(p_, best_.Y, best_.u.squaredNorm());
    L_ = primal_smoothness(p_) / scale_;
    D2_ = diameter(p_) * diameter(p_);
    if (is_theory_) return;
    L_ = std::max(factor_ * L_, p_.ridge);
    mu_ = std::max(p_.ridge, L_ / kWorstCondition);
    dual_.look(best_.Y, best_.u);
    phase_gap_ = gap();
    D2_ = std::min(D2_, 2 * std::max(gap(), 0.0) / mu_);
  }

  void step(Monitor& monitor) {
    ++k_;
    const auto k = static_cast<double>(k_);
    const double gamma = 3 / (k + 2), beta = 4 * L_ / (k + 2), eta = L_ * D2_ / (k * (k + 1));
    const double batch = sigma2_ * (k + 2) * (k + 2) * (k + 2) / (L_ * L_ * D2_);
    points_.look_ahead(gamma, Z_);
    is_exact_ = !(batch < static_cast<double>(p_.n()));
    monitor.charge(gradient_.plain(is_exact_ ? p_.n() : batch_of(p_, batch), Z_));
    if (is_exact_) keep_Z();  // it lies in C, and all is known about it
    points_.step(Z_, gamma, beta, eta, monitor);
  }

  void learn() {
    const bool is_good = gap() <= kGoodPhase * phase_gap_;
    const bool is_over = static_cast<double>(k_) >= kPhaseLength * std::sqrt(L_ / mu_);
    if (!is_good && !is_over) return;
    if (!is_good) {
      was_too_small_ = factor_ < 1;
      factor_ = std::min(1.0, factor_ * kRise);
    } else if (!was_too_small_) {
      factor_ = std::max(kLeast, factor_ * kFall);
    }
    k_ = 0;
  }

  const Problem& p_;
  bool is_theory_;
  double scale_;
  int threads_;
  SampledGradient gradient_;
  SlidingPoint points_;
  DualEstimate dual_;
  PrimalPoint best_, Z_;
  double L_ = 0, mu_ = 0, sigma2_ = 0, D2_ = 0;
  double phase_gap_ = 0;
  double factor_ = 1;  // of L
  bool was_too_small_ = false;
  bool is_exact_ = false;  // the last gradient
  Index k_ = 0;
  double owed_ = 0;  // multiply-adds before there was a monitor
};

}  // namespace

SolverDescription Scgs::describe() const {
  static constexpr std::array<std::string_view, 2> kOptions{"steps", "step_scale"};
  return {.name = "scgs",
          .summary = "stochastic conditional gradient sliding",
          .reference = "Lan, Zhou 2016",
          .losses = "any",
          .sets = "any",
          .needs_ridge = false,
          .options = kOptions};
}

void Scgs::check(const Problem& p, const Settings& settings) const {
  Solver::check(p, settings);
  require_formed(p, name());
}

std::unique_ptr<Engine> Scgs::make_engine(const Problem& p, const Settings& settings, const Start& start) const {
  return std::make_unique<ScgsEngine>(p, settings, start);
}

}  // namespace pdbfw::low_rank
