// Pairwise Frank-Wolfe (Lacoste-Julien, Jaggi 2015): weight moves from the worst vertex that x is made of to the best
// one of all.
//
//   v = argmin_{v in C} <grad P(x), v>,      a = argmax_{a active} <grad P(x), a>,      x = sum alpha_v v
//   x <- x + gamma (v - a),   gamma <= alpha_a; at the bound a leaves
//   theory:    gamma = <-grad P(x), e> / (L |e|^2)      adaptive:  gamma minimises P(x + gamma e),   e = v - a
//
// Linear where P is strongly convex. Cost per iteration: one A'y, two columns of A, and O(n + d). Takes ridge 0.
#include "baselines/active_set.hpp"
#include "baselines/baselines.hpp"

namespace pdbfw {
namespace {

class FwPairwiseEngine final : public ActiveSetEngine {
 public:
  using ActiveSetEngine::ActiveSetEngine;
  [[nodiscard]] std::string name() const override { return "fw_pairwise"; }

  void iterate(Run& run) override {
    pay(run);
    const Vertex v = best_vertex(p_, gradient_), a = active_.worst(gradient_);
    run.charge(aim_from(p_, a, v, e_), 1);

    const double most = active_.weight(a);
    const double gamma = step(most, run);
    active_.add(v, gamma);
    active_.add(a, -gamma);
    move_to(gamma, run);
  }
};

}  // namespace

const Solver kFwPairwiseSolver{
    .about = {.name = "fw_pairwise",
              .summary = "pairwise Frank-Wolfe, with exact line search or the short step 1/L",
              .reference = "Lacoste-Julien, Jaggi 2015",
              .sets = "those whose vertices are +-radius e_j (l1, simplex, nonnegative)",
              .options = kStepOptions},
    .make_engine = &Solver::make<FwPairwiseEngine>,
    .refuse = [](const Problem& p, const Settings&) { require_coordinate_vertices(p, "fw_pairwise"); }};

}  // namespace pdbfw
