// SCGS, stochastic conditional gradient sliding (Lan, Zhou 2016, Algorithm 3), for both families: x is a vector or a
// matrix, and "row" stands for a sample of any kind.
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
//   steps = theory     D the diameter of C, sigma^2 measured (or bounded) at the start. An iteration goes on until k
//   has
//                      grown by half, where y is evaluated, which costs A y and A'f'; while gradients are exact it is
//                      one step, and what is known about z comes for free.
//   steps = adaptive   phases as in the paper's section for strongly convex problems: each begins at the last y with
//                      k = 1, sigma^2 measured anew and D^2 = 2 gap / mu from the gap that y proves (mu at least
//                      L/1000, for ridge 0), and ends when the gap has halved or after 8 sqrt(L/mu) steps. L falls
//                      while phases are good and doubles after one that is not; pairwise or corrective inner steps.
//
// Where B_k >= n the gradient is exact. Cost of a step: each of B_k rows twice (at most A z and A'y); of vectors, O(d)
// and O(non-zeros of x) an inner step; of matrices, A x by the factors of x and a linear oracle an inner step.
#include <cmath>

#include "baselines/active_set.hpp"
#include "baselines/baselines.hpp"
#include "baselines/low_rank/sampled_gradient.hpp"
#include "baselines/low_rank/sliding.hpp"
#include "baselines/sampled_gradient.hpp"
#include "baselines/sliding.hpp"
#include "baselines/step_rules.hpp"

namespace pdbfw {
namespace {

template <class Base, class Gradient, class Points>
class ScgsEngine final : public Base {
 public:
  ScgsEngine(const typename Base::Problem& p, const Settings& settings, const typename Base::Start& start)
      : Base(p, settings, start), gradient_(p, settings.threads, settings.seed), points_(p, settings), z_(answer_) {}

  [[nodiscard]] std::string name() const override { return "scgs"; }

  void iterate(Run& run) override {
    this->pay(run);
    if (phase_.steps == 0) begin_phase(run);
    const Index until = phase_.next_look();
    do step(run);
    while (phase_.steps < until && !is_exact_ && run.may_go_on());
    if (!is_exact_ || !run.may_go_on()) {
      points_.look_at_y(z_, run);
      keep_z();
    }
    this->look_at_dual_if_due(run, points_.work());
    if (!is_theory_) phase_.learn(this->gap(), smoothness_factor_);
  }

 private:
  using Base::answer_, Base::is_theory_, Base::p_, Base::scale_;

  void begin() override { phase_.steps = 0; }

  void keep_z() {
    if (is_no_higher(z_.value, answer_.value)) answer_ = z_;
  }

  void begin_phase(Run& run) {
    points_.begin(answer_);
    const double D = diameter(p_), L = this->smoothness(run) / scale_;
    phase_ = {.L = L, .D2 = D * D, .sigma2 = gradient_.variance(answer_, run)};
    if (is_theory_) return;
    this->look_at_dual();
    phase_.adapt(smoothness_factor_.factor(), strong_convexity(p_), this->gap());
  }

  void step(Run& run) {
    ++phase_.steps;
    const SlidingNumbers numbers = phase_.numbers();
    const double batch = std::ceil(phase_.batch());
    points_.look_ahead(numbers.gamma, z_);
    is_exact_ = !(batch < static_cast<double>(p_.n()));
    run.charge(gradient_.plain(is_exact_ ? p_.n() : batch_of(p_.n(), batch), z_));
    if (is_exact_) keep_z();  // it lies in C, and all is known about it
    points_.step(z_, numbers, run);
  }

  Gradient gradient_;
  Points points_;
  typename Base::PrimalPoint z_;
  ScgsPhase phase_;
  TrialSmoothness smoothness_factor_;
  bool is_exact_ = false;  // the last gradient
};

constexpr std::string_view kSummary = "stochastic conditional gradient sliding", kReference = "Lan, Zhou 2016";

}  // namespace

const Solver kScgsSolver{.about = {.name = "scgs",
                                   .summary = kSummary,
                                   .reference = kReference,
                                   .sets = kCoordinateSets,
                                   .options = kStepOptions},
                         .make_engine = &Solver::make<ScgsEngine<PrimalPointEngine, SampledGradient, SlidingPoint>>,
                         .refuse = [](const Problem& p, const Settings&) { require_coordinate_vertices(p, "scgs"); }};

const low_rank::Solver low_rank::kScgsSolver{
    .about = {.name = "scgs", .summary = kSummary, .reference = kReference, .options = kStepOptions},
    .make_engine = &Solver::make<ScgsEngine<PrimalPointEngine, SampledGradient, SlidingPoint>>,
    .refuse = [](const Problem& p, const Settings&) { require_formed(p, "scgs"); }};

}  // namespace pdbfw
