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
#include "solvers/scgs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "linalg/products.hpp"
#include "solvers/active_set.hpp"
#include "solvers/primal_point.hpp"
#include "solvers/sampled_gradient.hpp"
#include "solvers/sliding.hpp"
#include "solvers/smoothness.hpp"

namespace pdbfw {
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
        settings_(settings),
        is_theory_(settings.steps == "theory"),
        scale_(settings.step_scale),
        threads_(settings.threads),
        gradient_(p, settings.threads, settings.seed),
        sliding_(p, is_theory_ ? InnerSteps::classic : InnerSteps::pairwise),
        best_(point_at(p, start.x.empty() ? start_point(p) : start.x)),
        z_(best_),
        row_norms_(p.b.size()) {
    begin();
  }

  [[nodiscard]] std::string name() const override { return "scgs"; }
  void radius_has_changed() override {
    p_.set->project(best_.x);
    begin();
  }
  [[nodiscard]] Estimate estimate() override {
    const double dual = dual_value(p_, best_.y, best_.u, zone_);
    gap_ = best_.value - dual;
    return {best_.value, dual, count_nonzeros(best_.x)};
  }
  [[nodiscard]] Point point() const override { return {best_.x, best_.y}; }

  void iterate(Monitor& monitor) override {
    monitor.charge(std::exchange(owed_, 0));
    if (smoothness_ == 0) {
      smoothness_ = primal_smoothness(p_, settings_, monitor, is_theory_ ? kExactly : kRoughly);
      squared_norms(p_.A->by_row(), {}, row_norms_);
      monitor.charge(static_cast<double>(p_.A->nonzeros()));
    }
    if (k_ == 0) begin_phase();
    const auto until = std::max(k_ + 1, static_cast<Index>(kEvaluationGrowth * static_cast<double>(k_)));
    do step(monitor);
    while (k_ < until && !is_exact_ && monitor.may_go_on());
    if (!is_exact_ || !monitor.may_go_on()) look_at_y(monitor);
    if (!is_theory_) learn();
  }

 private:
  void begin() {
    owed_ = evaluate(p_, threads_, best_) + differentiate(p_, threads_, best_);
    k_ = 0;
  }

  void look_at_y(Monitor& monitor) {
    z_.x = y_;
    p_.set->project(z_.x);  // rounding
    monitor.charge(evaluate(p_, threads_, z_) + differentiate(p_, threads_, z_));
    keep_z();
  }

  void keep_z() {
    if (z_.value <= best_.value + kRounding * std::abs(best_.value)) best_ = z_;
  }

  // The variance of one row's gradient at y:  (1/n) sum_i f_i'^2 |a_i|^2 - |u|^2
  [[nodiscard]] double variance() const {
    double sum = 0, mean = 0;
    for (std::size_t i = 0; i < row_norms_.size(); ++i) sum += best_.y[i] * best_.y[i] * row_norms_[i];
    for (const double u_j : best_.u) mean += u_j * u_j;
    return std::max(0.0, sum / static_cast<double>(p_.n()) - mean);
  }

  void begin_phase() {
    x_ = y_ = best_.x;
    sigma2_ = variance();
    L_ = smoothness_ / scale_;
    const double D = diameter(p_);
    D2_ = D * D;
    if (is_theory_) return;
    L_ = std::max(factor_ * L_, p_.regulariser->strong_convexity());
    mu_ = std::max(p_.regulariser->strong_convexity(), L_ / kWorstCondition);
    (void)estimate();
    phase_gap_ = gap_;
    D2_ = std::min(D2_, 2 * std::max(gap_, 0.0) / mu_);
  }

  void step(Monitor& monitor) {
    ++k_;
    const auto k = static_cast<double>(k_);
    const double gamma = 3 / (k + 2), beta = 4 * L_ / (k + 2), eta = L_ * D2_ / (k * (k + 1));
    const double batch = std::ceil(sigma2_ * (k + 2) * (k + 2) * (k + 2) / (L_ * L_ * D2_));
    const auto n = static_cast<double>(p_.n());
    blend(gamma, z_.x);
    is_exact_ = !(batch < n);
    monitor.charge(gradient_.plain(is_exact_ ? p_.n() : std::max<Index>(1, static_cast<Index>(batch)), z_));
    if (is_exact_) keep_z();  // it lies in C, and all is known about it
    gradient_at(p_, z_, g_);
    sliding_.slide({g_, beta, eta}, x_, monitor);
    blend(gamma, y_);
  }

  // out = (1 - gamma) y + gamma x
  void blend(double gamma, std::vector<double>& out) {
    for (std::size_t j = 0; j < x_.size(); ++j) out[j] = (1 - gamma) * y_[j] + gamma * x_[j];
  }

  void learn() {
    (void)estimate();
    const bool is_good = gap_ <= kGoodPhase * phase_gap_;
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
  Settings settings_;
  bool is_theory_;
  double scale_;
  int threads_;
  SampledGradient gradient_;
  Sliding sliding_;
  PrimalPoint best_, z_;
  std::vector<double> x_, y_, g_, row_norms_;
  double smoothness_ = 0;  // 0: not known yet
  double L_ = 0, mu_ = 0, sigma2_ = 0, D2_ = 0;
  double gap_ = 0, phase_gap_ = 0;
  double factor_ = 1;  // of L
  bool was_too_small_ = false;
  bool is_exact_ = false;  // the last gradient
  Index k_ = 0;
  double owed_ = 0;  // entries touched before there was a monitor
  DeadZone zone_;
};

}  // namespace

SolverDescription Scgs::describe() const {
  static constexpr std::array<std::string_view, 2> kOptions{"steps", "step_scale"};
  return {.name = "scgs",
          .summary = "stochastic conditional gradient sliding",
          .reference = "Lan, Zhou 2016",
          .losses = "any",
          .sets = "those whose vertices are +-radius e_j (l1, simplex, nonnegative)",
          .needs_ridge = false,
          .options = kOptions};
}

void Scgs::check(const Problem& p, const Settings& settings) const {
  Solver::check(p, settings);
  require_coordinate_vertices(p, name());
}

std::unique_ptr<Engine> Scgs::make_engine(const Problem& p, const Settings& settings, const Start& start) const {
  return std::make_unique<ScgsEngine>(p, settings, start);
}

}  // namespace pdbfw
