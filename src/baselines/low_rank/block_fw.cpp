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

#include "baselines/low_rank/baselines.hpp"
#include "baselines/low_rank/primal_point.hpp"
#include "baselines/low_rank/primal_state.hpp"
#include "linalg/operators.hpp"
#include "steps/low_rank/block_step.hpp"

namespace pdbfw::low_rank {
namespace {

constexpr int kWindow = 5;
constexpr Index kFirstRank = 8, kFirstShareOfSide = 20;
constexpr double kFarthest = 1e-9;  // M stays within this of where it began

class BlockFwEngine final : public Engine {
 public:
  BlockFwEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p),
        n_(static_cast<double>(p.samples())),
        is_theory_(settings.steps == "theory"),
        s_is_given_(settings.block_primal.has_value()),
        scale_(settings.step_scale),
        tol_(settings.tol),
        most_(std::min(p.d(), p.c())),
        s_(std::min(settings.block_primal.value_or(
                        is_theory_ ? most_ : std::max({kFirstRank, start.X.rank(), most_ / kFirstShareOfSide})),
                    most_)),
        state_(p, settings, start),
        oracle_(p, settings) {
    if (is_theory_) {
      const double L = primal_smoothness(p);
      eta_ = std::min(1.0, scale_ * p.ridge / (2 * L));
      M_ = L * eta_;
      return;
    }
    M_ = p.loss->smoothness() * p.map->largest_squared_sample_norm() / n_ + p.ridge;  // one sample's
    if (!(M_ > 0 && std::isfinite(M_))) M_ = 1;
    smallest_M_ = std::max(p.ridge / 2, kFarthest * M_);
    largest_M_ = std::max(M_ / kFarthest, smallest_M_);
  }

  [[nodiscard]] std::string name() const override { return "block_fw"; }
  [[nodiscard]] Estimate estimate() override { return state_.estimate(); }
  [[nodiscard]] Point point() override { return state_.point(); }

  void iterate(Run& run) override {
    last_Y_ = state_.Y();
    state_.look(run);
    if (!is_theory_ && last_Y_.cols() > 0) learn_curvature();
    state_.look_at_dual(oracle_.work(), run);
    const Direction e = state_.towards(block(run), run);
    const double eta = is_theory_ ? eta_ : std::min(1.0, scale_ * line_search(e));
    last_length2_ = eta * eta * e.length2;
    last_dW_ = eta * e.W;
    state_.move(eta, e, run);
    if (!is_theory_ && !s_is_given_) learn_rank(e.V.rank(), eta);
    run.settings().block_primal = s_;
  }

 private:
  // X - grad P(X) / M = (1 - ridge/M) X - Z / (n M)
  [[nodiscard]] Factors block(Run& run) {
    const BlockGoal goal{.of_X = 1 - p_.ridge / M_,
                         .of_Z = -1 / (n_ * M_),
                         .s = s_,
                         .accuracy = tol_ * std::abs(state_.value()) / (8 * M_)};
    return oracle_.nearest(goal, {state_.X(), state_.adjoint(), dot_over_samples(p_, state_.W(), state_.Y())}, run);
  }

  // All the way if P falls enough there, else to the lowest point.
  [[nodiscard]] double line_search(const Direction& e) const {
    return state_.falls_all_the_way(e) ? 1 : state_.exact_step(e);
  }

  // <dX, dG> / |dX|^2 = ( <dW, dY> / n + ridge |dX|^2 ) / |dX|^2
  void learn_curvature() {
    const double bend = dot_over_samples(p_, last_dW_, state_.Y() - last_Y_) / n_;
    const double M = last_length2_ > 0 ? bend / last_length2_ + p_.ridge : 2 * M_;
    M_ = std::clamp(M, smallest_M_, largest_M_);
  }

  void learn_rank(Index rank, double eta) {
    bound_for_ = rank >= s_ ? bound_for_ + 1 : 0;
    if (s_ == most_ || (eta > 0 && bound_for_ < kWindow)) return;
    s_ = std::min(2 * s_, most_);
    bound_for_ = 0;
  }

  const Problem& p_;
  double n_;
  bool is_theory_, s_is_given_;
  double scale_, tol_;
  Index most_, s_;
  PrimalState state_;
  BlockStep oracle_;
  double eta_ = 1, M_ = 1;
  double smallest_M_ = 0, largest_M_ = 0;
  int bound_for_ = 0;  // iterations
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
