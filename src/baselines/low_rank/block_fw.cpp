// Block Frank-Wolfe (Allen-Zhu, Hazan, Hu, Li 2017): a step towards the best point of rank s instead of towards one of
// rank one.
//
//   X_tilde = nearest point of C to X - grad P(X) / M of rank at most s,      X <- X + eta (X_tilde - X)
//   theory:    eta = mu / (2 L),  M = L eta,  s = min(d, c) unless given:   P(X) - P* falls by the factor 1 - mu/(8 L)
//              a step, up to eps
//   adaptive:  eta = 1 if P falls enough, else the one that minimises P on the way to X_tilde; M is the curvature of P
//              along the last step (Barzilai, Borwein 1988); s begins small and doubles when it has bound for a while,
//              or leads nowhere
//
// X_tilde is a (1/2, eps/8)-approximation, eps the accuracy asked for. L and mu are those of P as a whole. Cost per
// iteration: one A*(Y), A(X_tilde) for X_tilde of rank s, s singular triplets. adaptive takes ridge 0.
#include <algorithm>
#include <array>
#include <cmath>

#include "baselines/baselines.hpp"
#include "baselines/low_rank/primal_point.hpp"
#include "baselines/low_rank/primal_state.hpp"
#include "baselines/step_rules.hpp"
#include "linalg/operators.hpp"
#include "steps/low_rank/block_step.hpp"

namespace pdbfw::low_rank {
namespace {

BlockRule make_rule(const Problem& p, const Settings& settings, const Start& start) {
  const Index most = std::min(p.d(), p.c());
  if (settings.steps == "theory") return BlockRule::theory(p.ridge, primal_smoothness(p), most, settings);
  constexpr Index kFirstRank = 8, kFirstShareOfSide = 20;
  const double M_of_a_sample =
      p.loss->smoothness() * p.map->largest_squared_sample_norm() / static_cast<double>(p.samples()) + p.ridge;
  return BlockRule::adaptive(p.ridge, M_of_a_sample, std::max({kFirstRank, start.X.rank(), most / kFirstShareOfSide}),
                             most, settings);
}

class BlockFwEngine final : public Engine {
 public:
  BlockFwEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p),
        n_(static_cast<double>(p.samples())),
        tol_(settings.tol),
        rule_(make_rule(p, settings, start)),
        state_(p, settings, start),
        oracle_(p, settings) {}

  [[nodiscard]] std::string name() const override { return "block_fw"; }
  [[nodiscard]] Estimate estimate() override { return state_.estimate(); }
  [[nodiscard]] Point point() override { return state_.point(); }

  void iterate(Run& run) override {
    last_Y_ = state_.Y();
    state_.look(run);
    if (rule_.is_adaptive() && last_Y_.cols() > 0) learn_curvature();
    state_.look_at_dual(oracle_.work(), run);
    const Direction e = state_.towards(block(run), run);
    const double eta = rule_.eta([&] { return state_.falls_all_the_way(e) ? 1 : state_.exact_step(e); });
    last_length2_ = eta * eta * e.length2;
    last_dW_ = eta * e.W;
    state_.move(eta, e, run);
    if (rule_.is_adaptive()) rule_.learn_size(e.V.rank(), eta);
    run.settings().block_primal = rule_.s();
  }

 private:
  // X - grad P(X) / M = (1 - ridge/M) X - Z / (n M)
  [[nodiscard]] Factors block(Run& run) {
    const double M = rule_.M();
    const BlockGoal goal{.of_X = 1 - p_.ridge / M,
                         .of_Z = -1 / (n_ * M),
                         .s = rule_.s(),
                         .accuracy = tol_ * std::abs(state_.value()) / (8 * M)};
    return oracle_.nearest(goal, {state_.X(), state_.adjoint(), dot_over_samples(p_, state_.W(), state_.Y())}, run);
  }

  // <dX, dG> / |dX|^2 = ( <dW, dY> / n + ridge |dX|^2 ) / |dX|^2
  void learn_curvature() {
    const double bend = dot_over_samples(p_, last_dW_, state_.Y() - last_Y_) / n_;
    rule_.learn_curvature(last_length2_, bend / last_length2_ + p_.ridge);
  }

  const Problem& p_;
  double n_, tol_;
  BlockRule rule_;
  PrimalState state_;
  BlockStep oracle_;
  Matrix last_Y_, last_dW_;
  double last_length2_ = 0;
};

constexpr std::array<std::string_view, 3> kOptions{"steps", "block_primal", "step_scale"};

void refuse(const Problem& p, const Settings& settings) {
  if (settings.steps == "theory" && !(p.ridge > 0))
    throw InputError("ridge", "0", "> 0 for the solver block_fw with theory's steps; use adaptive");
}

}  // namespace

const Solver kBlockFwSolver{
    .about = {.name = "block_fw",
              .summary = "block Frank-Wolfe: towards the best point of rank s, by the full gradient",
              .reference = "Allen-Zhu, Hazan, Hu, Li 2017",
              .options = kOptions,
              .takes_team = true},
    .make_engine = &Solver::make<BlockFwEngine>,
    .refuse = refuse};

}  // namespace pdbfw::low_rank
