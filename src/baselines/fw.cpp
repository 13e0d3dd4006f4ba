// Frank-Wolfe (Jaggi 2013): towards the vertex that the gradient likes best.
//
//   v = argmin_{v in C} <grad P(x), v>,     x <- x + gamma (v - x)
//   theory:    gamma = 2 / (t + 2)                                 P(x_t) - P* <= 2 L diameter^2 / (t + 2)
//   adaptive:  gamma in [0, 1] minimises P(x + gamma (v - x))      P falls in every step
//
// Cost per iteration: one A'y, the column of v, and O(n + d). Takes ridge 0.
#include <algorithm>

#include "baselines/baselines.hpp"
#include "baselines/frank_wolfe.hpp"

namespace pdbfw {
namespace {

class FwEngine final : public FrankWolfeEngine {
 public:
  using FrankWolfeEngine::FrankWolfeEngine;
  [[nodiscard]] std::string name() const override { return "fw"; }

  void iterate(Run& run) override {
    pay(run);
    const auto t = static_cast<double>(run.work().iterations);
    p_.set->linear_oracle(gradient_, v_);
    run.charge(aim_at(p_, v_, answer_, e_), 1);
    const double gamma = is_theory_ ? 2 / (t + 2) : exact_step(p_, answer_, e_, 1);
    move(p_, std::min(1.0, scale_ * gamma), e_, answer_);
    arrive(run);
  }

 private:
  SparseAtom v_;
};

}  // namespace

const Solver kFwSolver{.about = {.name = "fw",
                                 .summary = "Frank-Wolfe, with exact line search or 2/(t+2)",
                                 .reference = "Frank, Wolfe 1956; Jaggi 2013",
                                 .options = kStepOptions,
                                 .takes_polytopes = true,
                                 .takes_streamed = true},
                       .make_engine = &Solver::make<FwEngine>};

}  // namespace pdbfw
