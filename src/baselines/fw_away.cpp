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
#include "baselines/active_set.hpp"
#include "baselines/baselines.hpp"

namespace pdbfw {
namespace {

SparseAtom atom_of(const Vertex& v) { return v.at < 0 ? SparseAtom{} : SparseAtom{{v.at}, {v.value}}; }

// e = x - a and A e = w - A a: one column.
double aim_away(const Problem& p, const Vertex& a, const PrimalPoint& from, Direction& e) {
  const double cost = aim_at(p, atom_of(a), from, e);
  for (double& e_j : e.x) e_j = -e_j;
  for (double& e_i : e.w) e_i = -e_i;
  return cost;
}

class FwAwayEngine final : public ActiveSetEngine {
 public:
  using ActiveSetEngine::ActiveSetEngine;
  [[nodiscard]] std::string name() const override { return "fw_away"; }

  void iterate(Run& run) override {
    pay(run);
    const Vertex v = best_vertex(p_, gradient_), a = active_.worst(gradient_);
    const double at_x = dot(gradient_, answer_.x), alpha = active_.weight(a);
    const bool is_away = at_x - slope(gradient_, a) < slope(gradient_, v) - at_x && alpha < 1;
    run.charge(is_away ? aim_away(p_, a, answer_, e_) : aim_at(p_, atom_of(v), answer_, e_), 1);

    const double most = is_away ? alpha / (1 - alpha) : 1;
    const double gamma = step(most, run);
    active_.scale(is_away ? 1 + gamma : 1 - gamma);
    active_.add(is_away ? a : v, is_away ? -gamma : gamma);
    move_to(gamma, run);
  }
};

}  // namespace

const Solver kFwAwaySolver{
    .about = {.name = "fw_away",
              .summary = "Frank-Wolfe with away steps, with exact line search or the short step 1/L",
              .reference = "Lacoste-Julien, Jaggi 2015",
              .sets = "those whose vertices are +-radius e_j (l1, simplex, nonnegative)",
              .options = kStepOptions},
    .make_engine = &Solver::make<FwAwayEngine>,
    .refuse = [](const Problem& p, const Settings&) { require_coordinate_vertices(p, "fw_away"); }};

}  // namespace pdbfw
