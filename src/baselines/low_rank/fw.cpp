// Frank-Wolfe (Jaggi 2013): towards the rank-one matrix that the gradient likes best.
//
//   V = argmin_{V in C} <grad P(X), V>,     X <- X + gamma (V - X)
//   theory:    gamma = 2 / (t + 2)                                 P(X_t) - P* <= 2 L diameter^2 / (t + 2)
//   adaptive:  gamma in [0, 1] minimises P(X + gamma (V - X))      P falls in every step
//
// Cost per iteration: one A*(Y), A(V) for V of rank one, the largest singular value of the gradient. Takes ridge 0.
#include <algorithm>

#include "baselines/baselines.hpp"
#include "baselines/low_rank/linear_step.hpp"
#include "baselines/low_rank/primal_state.hpp"

namespace pdbfw::low_rank {
namespace {

class FwEngine final : public FrankWolfeEngine {
 public:
  FwEngine(const Problem& p, const Settings& settings, const Start& start) : FrankWolfeEngine(p, settings, start) {}

  [[nodiscard]] std::string name() const override { return "fw"; }

  void iterate(Run& run) override {
    const auto t = static_cast<double>(run.work().iterations);
    state_.look(run);
    state_.look_at_dual(oracle_.work(), run);
    const Direction e = exact(run);
    const double gamma = is_theory_ ? 2 / (t + 2) : state_.exact_step(e);
    state_.move(std::min(1.0, scale_ * gamma), e, run);
  }
};

}  // namespace

const Solver kFwSolver{.about = {.name = "fw",
                                 .summary = "Frank-Wolfe, with exact line search or 2/(t+2)",
                                 .reference = "Frank, Wolfe 1956; Jaggi 2013",
                                 .options = kStepOptions,
                                 .takes_team = true},
                       .make_engine = &Solver::make<FwEngine>};

}  // namespace pdbfw::low_rank
