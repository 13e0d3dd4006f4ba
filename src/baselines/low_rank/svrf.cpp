// SVRF, stochastic variance-reduced Frank-Wolfe (Hazan, Luo 2016, Algorithm 1).
//
//   an iteration = an epoch, from a snapshot with its full gradient; for k = 1 .. N:
//     g ~ grad P(X) from a batch of m samples, with the snapshot's full gradient
//     V  = argmin_C <g, V>,     X <- (1 - gamma) X + gamma V
//
//   steps = theory     N = 2^(t+3) - 2 in epoch t,  gamma_k = 2/(k+1),  m_k = 96 (k+1), exact where that is n or more:
//                      E P(X_t) - P* <= L D^2 / 2^(t+1), D the diameter of C (Theorem 1)
//   steps = adaptive   gamma minimises P on the way, which costs no product as W = A(X) is kept. m doubles whenever the
//                      true slope is less than half of the estimated one. The first step of an epoch has the exact
//                      gradient of the snapshot; the epoch ends when its batches have cost as much as a snapshot, and
//                      at once where m would be n.
//
// Cost of a step: m samples of the adjoint, A(V) for V of rank one, the largest singular value of g.
#include <algorithm>
#include <cmath>

#include "baselines/baselines.hpp"
#include "baselines/low_rank/linear_step.hpp"
#include "baselines/step_rules.hpp"

namespace pdbfw::low_rank {
namespace {

constexpr double kTheoryBatch = 96;

class SvrfEngine final : public SampledFrankWolfeEngine {
 public:
  using SampledFrankWolfeEngine::SampledFrankWolfeEngine;
  [[nodiscard]] std::string name() const override { return "svrf"; }

  void iterate(Run& run) override {
    take_snapshot(run);
    state_.look_at_dual(oracle_.work(), run);
    if (is_theory_)
      theory_epoch(run);
    else
      adaptive_epoch(run);
  }

 private:
  void theory_epoch(Run& run) {
    const double length = std::exp2(static_cast<double>(++epoch_ + 3)) - 2;
    for (double k = 1; k <= length && run.may_go_on(); ++k) {
      const Direction e = k > 1 ? reduced(batch_of(p_.n(), kTheoryBatch * (k + 1)), run) : exact(run);
      move(std::min(1.0, scale_ * 2 / (k + 1)), e, run);
    }
  }

  void adaptive_epoch(Run& run) {
    const double enough = run.work().multiply_adds + p_.map->pass_cost();
    descend(exact(run), run);
    while (batch() < n_ && run.work().multiply_adds < enough && run.may_go_on())
      descend(reduced(batch_of(p_.n(), batch()), run), run);
  }

  void descend(const Direction& e, Run& run) { move(std::min(1.0, scale_ * exact_step(e)), e, run); }

  void take_snapshot(Run& run) {
    state_.look(run);
    snapshot_Y_ = state_.Y();
  }

  // Of all samples a new snapshot is made, and the gradient there is exact.
  [[nodiscard]] Direction reduced(Index m, Run& run) {
    if (m < p_.n()) return sampled(m, &snapshot_Y_, run);
    take_snapshot(run);
    return exact(run);
  }

  Matrix snapshot_Y_;
  Index epoch_ = 0;
};

}  // namespace

const Solver kSvrfSolver{.about = {.name = "svrf",
                                   .summary = "stochastic variance-reduced Frank-Wolfe",
                                   .reference = "Hazan, Luo 2016",
                                   .options = kStepOptions},
                         .make_engine = &Solver::make<SvrfEngine>};

}  // namespace pdbfw::low_rank
