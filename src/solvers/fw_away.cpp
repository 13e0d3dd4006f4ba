// Frank-Wolfe with away steps (Lacoste-Julien, Jaggi 2015): towards the best vertex, or away from the worst one that x
// is made of, whichever the gradient likes better.
//
//   v = argmin_{v in C} <grad P(x), v>,      a = argmax_{a active} <grad P(x), a>,      x = sum alpha_v v
//   e = v - x,  gamma <= 1                              if  <grad P(x), v - x> <= <grad P(x), x - a>
//   e = x - a,  gamma <= alpha_a / (1 - alpha_a)        else; at the bound a leaves
//   x <- x + gamma e
//   theory:    gamma = <-grad P(x), e> / (L |e|^2)      adaptive:  gamma minimises P(x + gamma e)
//
// Linear where P is strongly convex. Cost per iteration: one A'y, one column of A, and O(n + d). Takes ridge 0.
#include "solvers/fw_away.hpp"

#include <algorithm>
#include <array>

#include "solvers/active_set.hpp"
#include "solvers/line_search.hpp"
#include "solvers/primal_state.hpp"
#include "solvers/smoothness.hpp"

namespace pdbfw {
namespace {

SparseAtom atom_of(const Vertex& v) { return v.at < 0 ? SparseAtom{} : SparseAtom{{v.at}, {v.value}}; }

// e = x - a and A e = w - A a: one column.
double aim_away(const Problem& p, const Vertex& a, const PrimalState& st, Direction& e) {
  const double cost = aim_at(p, atom_of(a), st, e);
  for (double& e_j : e.x) e_j = -e_j;
  for (double& e_i : e.w) e_i = -e_i;
  return cost;
}

}  // namespace

SolverDescription FwAway::describe() const {
  static constexpr std::array<std::string_view, 2> kOptions{"steps", "step_scale"};
  return {.name = "fw_away",
          .summary = "Frank-Wolfe with away steps, with exact line search or the short step 1/L",
          .reference = "Lacoste-Julien, Jaggi 2015",
          .losses = "any",
          .sets = "those whose vertices are +-radius e_j (l1, simplex, nonnegative)",
          .needs_ridge = false,
          .options = kOptions};
}

void FwAway::check(const Problem& p, const Settings& settings) const {
  Solver::check(p, settings);
  require_coordinate_vertices(p, name());
}

Result FwAway::solve(const Problem& p, const Settings& settings, const Callback& callback, const Start& start) const {
  Monitor monitor(p, settings, callback);
  PrimalState st = make_primal_state(p, settings, start, monitor);
  ActiveSet active(p, st.x);
  const bool is_theory = settings.steps == "theory";
  const double L = is_theory ? primal_smoothness(p, settings, monitor) : 0;
  Direction e;
  while (monitor.carry_on(estimate(p, st), [&] { return Point{st.x, st.y}; })) {
    const Vertex v = best_vertex(p, st.gradient), a = active.worst(st.gradient);
    const double at_x = dot(st.gradient, st.x), alpha = active.weight(a);
    const bool is_away = at_x - slope(st.gradient, a) < slope(st.gradient, v) - at_x && alpha < 1;
    monitor.charge(is_away ? aim_away(p, a, st, e) : aim_at(p, atom_of(v), st, e), 1);

    const double most = is_away ? alpha / (1 - alpha) : 1;
    const double rule = is_theory ? short_step(st, e, L) : exact_step(p, st, e, most);
    const double gamma = std::min(most, settings.step_scale * rule);
    active.scale(is_away ? 1 + gamma : 1 - gamma);
    active.add(is_away ? a : v, is_away ? -gamma : gamma);
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
