// Pairwise Frank-Wolfe (Lacoste-Julien, Jaggi 2015): weight moves from the worst vertex that x is made of to the best
// one of all.
//
//   v = argmin_{v in C} <grad P(x), v>,      a = argmax_{a active} <grad P(x), a>,      x = sum alpha_v v
//   x <- x + gamma (v - a),   gamma <= alpha_a; at the bound a leaves
//   theory:    gamma = <-grad P(x), e> / (L |e|^2)      adaptive:  gamma minimises P(x + gamma e),   e = v - a
//
// Linear where P is strongly convex. Cost per iteration: one A'y, two columns of A, and O(n + d). Takes ridge 0.
#include "solvers/fw_pairwise.hpp"

#include <algorithm>
#include <array>

#include "solvers/active_set.hpp"
#include "solvers/line_search.hpp"
#include "solvers/primal_state.hpp"
#include "solvers/smoothness.hpp"

namespace pdbfw {

SolverDescription FwPairwise::describe() const {
  static constexpr std::array<std::string_view, 2> kOptions{"steps", "step_scale"};
  return {.name = "fw_pairwise",
          .summary = "pairwise Frank-Wolfe, with exact line search or the short step 1/L",
          .reference = "Lacoste-Julien, Jaggi 2015",
          .losses = "any",
          .sets = "those whose vertices are +-radius e_j (l1, simplex, nonnegative)",
          .needs_ridge = false,
          .options = kOptions};
}

void FwPairwise::check(const Problem& p, const Settings& settings) const {
  Solver::check(p, settings);
  require_coordinate_vertices(p, name());
}

Result FwPairwise::solve(const Problem& p, const Settings& settings, const Callback& callback,
                         const Start& start) const {
  Monitor monitor(p, settings, callback);
  PrimalState st = make_primal_state(p, settings, start, monitor);
  ActiveSet active(p, st.x);
  const bool is_theory = settings.steps == "theory";
  const double L = is_theory ? primal_smoothness(p, settings, monitor) : 0;
  Direction e;
  while (monitor.carry_on(estimate(p, st), [&] { return Point{st.x, st.y}; })) {
    const Vertex v = best_vertex(p, st.gradient), a = active.worst(st.gradient);
    monitor.charge(aim_from(p, a, v, e), 1);

    const double most = active.weight(a);
    const double rule = is_theory ? short_step(st, e, L) : exact_step(p, st, e, most);
    const double gamma = std::min(most, settings.step_scale * rule);
    active.add(v, gamma);
    active.add(a, -gamma);
    move(p, gamma, e, st);
    active.write(st.x);
    refresh_now_and_then(p, settings, st, monitor);
    look(p, settings, st, monitor);
  }
  Result result = std::move(monitor).finish();
  result.solver = name();
  return result;
}

}  // namespace pdbfw
