// Frank-Wolfe with away steps, and pairwise Frank-Wolfe (Lacoste-Julien, Jaggi 2015): away from the worst vertex that x
// is made of, where the gradient likes that better than going towards the best one of all; or weight moves from the one
// to the other.
//
//   v = argmin_{v in C} <grad P(x), v>,      a = argmax_{a active} <grad P(x), a>,      x = sum alpha_v v
//   away steps:   e = v - x,  gamma <= 1                              if  <grad P(x), v - x> <= <grad P(x), x - a>
//                 e = x - a,  gamma <= alpha_a / (1 - alpha_a)        else; at the bound a leaves
//   pairwise:     e = v - a,  gamma <= alpha_a                        at the bound a leaves
//   x <- x + gamma e
//   theory:    gamma = <-grad P(x), e> / (L |e|^2)      adaptive:  gamma minimises P(x + gamma e)
//
// Linear where P is strongly convex. Cost per iteration: one A'y, one column of A or two, and O(n + d). Takes ridge 0.
#include <algorithm>

#include "baselines/active_set.hpp"
#include "baselines/baselines.hpp"
#include "baselines/frank_wolfe.hpp"

namespace pdbfw {
namespace {

void add_to(SparseAtom& atom, const Vertex& v, double sign) {
  if (v.at < 0) return;
  atom.at.push_back(v.at);
  atom.value.push_back(sign * v.value);
}

template <bool is_pairwise>
class ActiveSetEngine final : public FrankWolfeEngine {
 public:
  ActiveSetEngine(const Problem& p, const Settings& settings, const Start& start)
      : FrankWolfeEngine(p, settings, start), active_(p, answer_.x) {}

  [[nodiscard]] std::string name() const override { return is_pairwise ? "fw_pairwise" : "fw_away"; }

  void iterate(Run& run) override {
    pay(run);
    const Vertex v = best_vertex(p_, gradient_), a = active_.worst(gradient_);
    const double at_x = dot(gradient_, answer_.x), alpha = active_.weight(a);
    const bool is_away = !is_pairwise && at_x - slope(gradient_, a) < slope(gradient_, v) - at_x && alpha < 1;
    const bool has_v = !is_away, has_a = is_pairwise || is_away;

    // e = v - x, x - a or v - a
    const double of_x = is_pairwise ? 0 : is_away ? 1 : -1;
    SparseAtom ends;
    if (has_a) add_to(ends, a, -1);
    if (has_v) add_to(ends, v, 1);
    run.charge(aim_at(p_, ends, answer_, e_, of_x), 1);

    const double most = is_pairwise ? alpha : is_away ? alpha / (1 - alpha) : 1;
    const double rule =
        is_theory_ ? short_step(e_, dot(gradient_, e_.x), smoothness(run)) : pdbfw::exact_step(p_, answer_, e_, most);
    const double gamma = std::min(most, scale_ * rule);
    active_.scale(1 + of_x * gamma);
    if (has_v) active_.add(v, gamma);
    if (has_a) active_.add(a, -gamma);
    pdbfw::move(p_, gamma, e_, answer_);
    active_.write(answer_.x);
    arrive(run);
  }

 private:
  void begin() override {
    FrankWolfeEngine::begin();
    active_ = ActiveSet(p_, answer_.x);
  }

  ActiveSet active_;
};

constexpr std::string_view kReference = "Lacoste-Julien, Jaggi 2015";

}  // namespace

const Solver kFwAwaySolver{
    .about = {.name = "fw_away",
              .summary = "Frank-Wolfe with away steps, with exact line search or the short step 1/L",
              .reference = kReference,
              .sets = kCoordinateSets,
              .options = kStepOptions},
    .make_engine = &Solver::make<ActiveSetEngine<false>>,
    .refuse = [](const Problem& p, const Settings&) { require_coordinate_vertices(p, "fw_away"); }};

const Solver kFwPairwiseSolver{
    .about = {.name = "fw_pairwise",
              .summary = "pairwise Frank-Wolfe, with exact line search or the short step 1/L",
              .reference = kReference,
              .sets = kCoordinateSets,
              .options = kStepOptions},
    .make_engine = &Solver::make<ActiveSetEngine<true>>,
    .refuse = [](const Problem& p, const Settings&) { require_coordinate_vertices(p, "fw_pairwise"); }};

}  // namespace pdbfw
