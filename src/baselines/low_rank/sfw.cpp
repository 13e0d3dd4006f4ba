// Stochastic Frank-Wolfe (Hazan, Luo 2016, section 3): towards the rank-one matrix that an estimated gradient likes.
//
//   g = (1/b_t) sum over b_t samples of A_i*(grad f_i) + ridge X,   V = argmin_{V in C} <g, V>,   X <- X + gamma (V -
//   X)
//
//   steps = theory     gamma = 2 / (t + 2),  b_t = (G (t + 1) / (L D))^2, G^2 bounds the square of a sample's gradient,
//                      measured at the start, and D is the diameter of C:   E P(X_t) - P* <= 4 L D^2 / (t + 2)
//   steps = adaptive   gamma minimises P on the way, which costs no product as W = A(X) is kept; b doubles whenever the
//                      true slope of P on the way is less than half of the estimated one
//
// Where b >= n the gradient is exact. Cost per iteration: b samples of the adjoint, A(V) for V of rank one, the largest
// singular value of g. A full adjoint for the dual value is made only as often as it costs a fifth of the run.
#include <algorithm>
#include <cmath>

#include "baselines/baselines.hpp"
#include "baselines/low_rank/linear_step.hpp"
#include "baselines/low_rank/primal_state.hpp"
#include "baselines/step_rules.hpp"

namespace pdbfw::low_rank {
namespace {

constexpr double kPassesBetweenLooks = 4;

class SfwEngine final : public SampledFrankWolfeEngine {
 public:
  using SampledFrankWolfeEngine::SampledFrankWolfeEngine;
  [[nodiscard]] std::string name() const override { return "sfw"; }

  void iterate(Run& run) override {
    const auto t = static_cast<double>(run.work().iterations);
    const double work = run.work().multiply_adds;
    if (t == 0 || work >= looked_at_ + kPassesBetweenLooks * p_.map->pass_cost()) {
      look(run);
      looked_at_ = run.work().multiply_adds;
    }
    if (is_theory_ && t == 0) measure();
    const Index b = batch_of(p_.n(), is_theory_ ? growth_ * (t + 1) * (t + 1) : batch());
    if (b == p_.n()) look(run);
    const Direction e = b < p_.n() ? sampled(b, nullptr, run) : exact(run);
    const double gamma = is_theory_ ? 2 / (t + 2) : exact_step(e);
    move(std::min(1.0, scale_ * gamma), e, run);
  }

 private:
  void measure() {
    const double G2 = gradient_variance(p_, state_.Y(), 0), LD = primal_smoothness(p_) * diameter(p_);
    growth_ = G2 / (LD * LD);
  }

  double growth_ = 1;     // theory's b_t / (t + 1)^2
  double looked_at_ = 0;  // multiply-adds when the full gradient was last known
};

}  // namespace

const Solver kSfwSolver{.about = {.name = "sfw",
                                  .summary = "stochastic Frank-Wolfe, with batches that grow",
                                  .reference = "Hazan, Luo 2016",
                                  .options = kStepOptions},
                        .make_engine = &Solver::make<SfwEngine>};

}  // namespace pdbfw::low_rank
