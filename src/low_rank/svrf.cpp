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
#include "low_rank/svrf.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "low_rank/linear_step.hpp"
#include "low_rank/primal_state.hpp"
#include "low_rank/sample.hpp"

namespace pdbfw::low_rank {
namespace {

constexpr double kTheoryBatch = 96;
constexpr double kTrueShare = 0.5;  // of the estimated slope, else the batch is too small
constexpr double kRise = 2;
constexpr double kFirstShare = 1.0 / 32;  // of the samples

class SvrfEngine final : public Engine {
 public:
  SvrfEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p),
        n_(static_cast<double>(p.n())),
        is_theory_(settings.steps == "theory"),
        scale_(settings.step_scale),
        state_(p, settings, start),
        oracle_(p, settings),
        sampler_(p.n(), settings.seed),
        batch_adjoint_(p, settings.threads),
        batch_(kFirstShare * n_) {}

  [[nodiscard]] std::string name() const override { return "svrf"; }
  [[nodiscard]] Estimate estimate() override { return state_.estimate(); }
  [[nodiscard]] Point point() override { return state_.point(); }

  void iterate(Monitor& monitor) override {
    take_snapshot(monitor);
    state_.look_at_dual(oracle_.work(), monitor);
    if (is_theory_)
      theory_epoch(monitor);
    else
      adaptive_epoch(monitor);
  }

 private:
  void theory_epoch(Monitor& monitor) {
    const double length = std::exp2(static_cast<double>(++epoch_ + 3)) - 2;
    for (double k = 1; k <= length && monitor.may_go_on(); ++k) {
      const Direction e = k > 1 ? sampled(batch_of(p_, kTheoryBatch * (k + 1)), monitor) : exact(monitor);
      state_.move(std::min(1.0, scale_ * 2 / (k + 1)), e, monitor);
    }
  }

  void adaptive_epoch(Monitor& monitor) {
    const double enough = monitor.work().multiply_adds + p_.map->pass_cost();
    descend(exact(monitor), monitor);
    while (batch_ < n_ && monitor.work().multiply_adds < enough && monitor.may_go_on())
      descend(sampled(batch_of(p_, batch_), monitor), monitor);
  }

  void descend(const Direction& e, Monitor& monitor) {
    state_.move(std::min(1.0, scale_ * state_.exact_step(e)), e, monitor);
  }

  void take_snapshot(Monitor& monitor) {
    state_.look(monitor);
    snapshot_Y_ = state_.Y();
  }

  // At the snapshot itself.
  [[nodiscard]] Direction exact(Monitor& monitor) {
    Direction e = state_.towards(oracle_.vertex({{1 / n_, &state_.adjoint().Z()}}, state_.X(), monitor), monitor);
    oracle_.learn(state_, e);
    return e;
  }

  // g = Z~/n + (1/m) sum_i A_i*( Y_i - Y~_i ) + ridge X: its noise vanishes as X and the snapshot meet.
  [[nodiscard]] Direction sampled(Index m, Monitor& monitor) {
    if (m >= p_.n()) {
      take_snapshot(monitor);
      return exact(monitor);
    }
    state_.differentiate();
    const std::vector<Index> rows = sampler_.draw(m);
    const MapPtr some = p_.map->subset(rows);
    const Matrix change = state_.Y()(rows, Eigen::all) - snapshot_Y_(rows, Eigen::all);
    monitor.charge(batch_adjoint_.set(some, change));
    const double weight = 1 / static_cast<double>(m);
    Direction e = state_.towards(
        oracle_.vertex({{1 / n_, &state_.adjoint().Z()}, {weight, &batch_adjoint_.Z()}}, state_.X(), monitor), monitor);
    const double estimated = snapshot_Y_.cwiseProduct(e.W).sum() / n_ +
                             weight * change.cwiseProduct(e.W(rows, Eigen::all)).sum() + e.ridge_part;
    if (e.slope > kTrueShare * estimated) batch_ *= kRise;
    return e;
  }

  const Problem& p_;
  double n_;
  bool is_theory_;
  double scale_;
  PrimalState state_;
  LinearStep oracle_;
  Sampler sampler_;
  Matrix snapshot_Y_;
  Adjoint batch_adjoint_;
  double batch_;  // adaptive's m
  Index epoch_ = 0;
};

}  // namespace

SolverDescription Svrf::describe() const {
  static constexpr std::array<std::string_view, 2> kOptions{"steps", "step_scale"};
  return {.name = "svrf",
          .summary = "stochastic variance-reduced Frank-Wolfe",
          .reference = "Hazan, Luo 2016",
          .losses = "any",
          .sets = "any",
          .needs_ridge = false,
          .options = kOptions};
}

std::unique_ptr<Engine> Svrf::make_engine(const Problem& p, const Settings& settings, const Start& start) const {
  return std::make_unique<SvrfEngine>(p, settings, start);
}

}  // namespace pdbfw::low_rank
