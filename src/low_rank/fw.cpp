// Frank-Wolfe (Jaggi 2013): towards the rank-one matrix that the gradient likes best.
//
//   V = argmin_{V in C} <grad P(X), V>,     X <- X + gamma (V - X)
//   theory:    gamma = 2 / (t + 2)                                 P(X_t) - P* <= 2 L diameter^2 / (t + 2)
//   adaptive:  gamma in [0, 1] minimises P(X + gamma (V - X))      P falls in every step
//
// Cost per iteration: one A*(Y), A(V) for V of rank one, the largest singular value of the gradient. Takes ridge 0.
#include "low_rank/fw.hpp"

#include <algorithm>
#include <array>

#include "low_rank/linear_step.hpp"
#include "low_rank/primal_state.hpp"

namespace pdbfw::low_rank {
namespace {

class FwEngine final : public Engine {
 public:
  FwEngine(const Problem& p, const Settings& settings, const Start& start)
      : n_(static_cast<double>(p.samples())),
        is_theory_(settings.steps == "theory"),
        scale_(settings.step_scale),
        state_(p, settings, start),
        oracle_(p, settings) {}

  [[nodiscard]] std::string name() const override { return "fw"; }
  [[nodiscard]] Estimate estimate() override { return state_.estimate(); }
  [[nodiscard]] Point point() override { return state_.point(); }

  void iterate(Monitor& monitor) override {
    const auto t = static_cast<double>(monitor.work().iterations);
    state_.look(monitor);
    state_.look_at_dual(oracle_.work(), monitor);
    const Direction e = state_.towards(oracle_.vertex({{1 / n_, &state_.adjoint().Z()}}, state_.X(), monitor), monitor);
    oracle_.learn(state_, e);
    const double gamma = is_theory_ ? 2 / (t + 2) : state_.exact_step(e);
    state_.move(std::min(1.0, scale_ * gamma), e, monitor);
  }

 private:
  double n_;
  bool is_theory_;
  double scale_;
  PrimalState state_;
  LinearStep oracle_;
};

}  // namespace

SolverDescription Fw::describe() const {
  static constexpr std::array<std::string_view, 2> kOptions{"steps", "step_scale"};
  return {.name = "fw",
          .summary = "Frank-Wolfe, with exact line search or 2/(t+2)",
          .reference = "Frank, Wolfe 1956; Jaggi 2013",
          .losses = "any",
          .sets = "any",
          .needs_ridge = false,
          .options = kOptions,
          .takes_team = true};
}

std::unique_ptr<Engine> Fw::make_engine(const Problem& p, const Settings& settings, const Start& start) const {
  return std::make_unique<FwEngine>(p, settings, start);
}

}  // namespace pdbfw::low_rank
