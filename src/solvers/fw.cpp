// Frank-Wolfe (Jaggi 2013): towards the vertex that the gradient likes best.
//
//   v = argmin_{v in C} <grad P(x), v>,     x <- x + gamma (v - x)
//   theory:    gamma = 2 / (t + 2)                                 P(x_t) - P* <= 2 L diameter^2 / (t + 2)
//   adaptive:  gamma in [0, 1] minimises P(x + gamma (v - x))      P falls in every step
//
// Cost per iteration: one A'y, the column of v, and O(n + d). Takes ridge 0.
#include "solvers/fw.hpp"

#include <algorithm>
#include <array>

#include "solvers/line_search.hpp"
#include "solvers/primal_state.hpp"

namespace pdbfw {

SolverDescription Fw::describe() const {
  static constexpr std::array<std::string_view, 2> kOptions{"steps", "step_scale"};
  return {.name = "fw",
          .summary = "Frank-Wolfe, with exact line search or 2/(t+2)",
          .reference = "Frank, Wolfe 1956; Jaggi 2013",
          .losses = "any",
          .sets = "any",
          .needs_ridge = false,
          .options = kOptions,
          .takes_polytopes = true,
          .takes_streamed = true};
}

Result Fw::solve(const Problem& p, const Settings& settings, const Callback& callback, const Start& start) const {
  Monitor monitor(p, settings, callback);
  PrimalState st = make_primal_state(p, settings, start, monitor);
  const bool is_theory = settings.steps == "theory";
  SparseAtom v;
  Direction e;
  while (monitor.carry_on(estimate(p, st), [&] { return Point{st.x, st.y}; })) {
    const auto t = static_cast<double>(monitor.work().iterations);
    p.set->linear_oracle(st.gradient, v);
    monitor.charge(aim_at(p, v, st, e), 1);
    const double gamma = is_theory ? 2 / (t + 2) : exact_step(p, st, e, 1);
    move(p, std::min(1.0, settings.step_scale * gamma), e, st);
    refresh_now_and_then(p, settings, st, monitor);
    look(p, settings, st, monitor);
  }
  Result result = std::move(monitor).finish();
  result.solver = name();
  return result;
}

}  // namespace pdbfw
