// STORC, stochastic variance-reduced conditional gradient sliding (Hazan, Luo 2016, Algorithm 2).
//
//   an iteration = an epoch, from the snapshot Y_0 = X_0; for k = 1 .. N:
//     Z   = (1 - gamma_k) Y + gamma_k X,    g ~ grad P(Z) from a batch of m samples, with the snapshot's full gradient
//     X  <- argmin_{C} <g, X'> + (beta_k/2) |X' - X|^2,  up to an inner gap of eta_k (sliding.hpp)
//     Y  <- (1 - gamma_k) Y + gamma_k X
//
//   gamma_k = 2/(k+1),  beta_k = 3 L/k
//
//   steps = theory     with kappa = L/mu:  N = sqrt(32 kappa),  m = 5600 N kappa,  eta_k = 2 L D_t^2 / (N k),
//                      D_t^2 = kappa D^2 / 2^(t-1), D the diameter of C:   E P(Y_t) - P* <= L D^2 / 2^(t+1)
//                      (Theorem 2). m is more than n samples for all but the largest data; then the gradient is exact.
//   steps = adaptive   D_t^2 = 2 gap / mu, which is what the theorem's D_t^2 bounds, from the gap that the snapshot
//                      proves; m begins at a 32nd of the samples and doubles after an epoch that has not halved the
//                      gap; L falls while epochs are good until P rises, which doubles it and takes the epoch back;
//                      N = 3 sqrt(kappa), at most 300; corrective inner steps.
//
// Cost of a step: m samples of the adjoint, A(X) by the factors of X, and a linear oracle an inner step.
#include "low_rank/storc.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "low_rank/dual_estimate.hpp"
#include "low_rank/sampled_gradient.hpp"
#include "low_rank/sliding_point.hpp"
#include "low_rank/smoothness.hpp"

namespace pdbfw::low_rank {
namespace {

constexpr double kTheoryLength = 32, kTheoryBatch = 5'600;
constexpr double kMostSteps = 1e9;  // of an epoch: what an Index holds with ease
constexpr double kAdaptiveLength = 3, kLongestEpoch = 300;
constexpr double kFirstShare = 1.0 / 32;  // of the samples
constexpr double kGoodEpoch = 0.5;
constexpr double kFall = 0.7, kRise = 2, kLeast = 0.01;
// P is known up to its rounding, in this share of it.
constexpr double kRounding = 1e-14;

struct Epoch {
  Index length, batch;
  double L, squared_distance;
};

class StorcEngine final : public Engine {
 public:
  StorcEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p),
        is_theory_(settings.steps == "theory"),
        scale_(settings.step_scale),
        threads_(settings.threads),
        gradient_(p, settings.threads, settings.seed),
        points_(p, settings, is_theory_ ? InnerSteps::classic : InnerSteps::corrective),
        dual_(p, settings),
        snapshot_(point_at(p, start.X, settings.threads)),
        batch_(kFirstShare * static_cast<double>(p.n())) {
    owed_ = evaluate(p_, threads_, snapshot_) + differentiate(p_, threads_, snapshot_);
    Z_ = next_ = snapshot_;
  }

  [[nodiscard]] std::string name() const override { return "storc"; }
  [[nodiscard]] Estimate estimate() override { return {snapshot_.value, dual_.value(), points_.rank()}; }
  [[nodiscard]] Point point() override { return {factors_of(p_, snapshot_), dual_.Y()}; }

  void iterate(Monitor& monitor) override {
    monitor.charge(std::exchange(owed_, 0));
    if (++epoch_ == 1) dual_.look(snapshot_.Y, snapshot_.u);
    run_epoch(is_theory_ ? theory() : adaptive(), monitor);
    points_.look_at_Y(next_, monitor);
    if (is_theory_) {
      std::swap(snapshot_, next_);
      dual_.look(snapshot_.Y, snapshot_.u);
    } else {
      learn();
    }
  }

 private:
  [[nodiscard]] double gap() const { return snapshot_.value - dual_.value(); }

  [[nodiscard]] Epoch theory() const {
    const double L = primal_smoothness(p_) / scale_, kappa = L / p_.ridge, D = diameter(p_);
    const double N = std::min(kMostSteps, std::ceil(std::sqrt(kTheoryLength * kappa)));
    return {static_cast<Index>(N), batch_of(p_, kTheoryBatch * N * kappa), L,
            kappa * D * D / std::exp2(static_cast<double>(epoch_ - 1))};
  }

  [[nodiscard]] Epoch adaptive() const {
    const double L = std::max(factor_ * primal_smoothness(p_) / scale_, p_.ridge);
    const double N = std::min(kLongestEpoch, std::ceil(kAdaptiveLength * std::sqrt(L / p_.ridge)));
    return {static_cast<Index>(N), batch_of(p_, batch_), L, 2 * std::max(gap(), 0.0) / p_.ridge};
  }

  void run_epoch(const Epoch& epoch, Monitor& monitor) {
    points_.begin(snapshot_);
    for (Index step = 1; step <= epoch.length && monitor.may_go_on(); ++step) {
      const auto k = static_cast<double>(step);
      const double gamma = 2 / (k + 1), beta = 3 * epoch.L / k;
      points_.look_ahead(gamma, Z_);
      monitor.charge(gradient_.reduced(epoch.batch, snapshot_, Z_));
      const double eta = 2 * epoch.L * epoch.squared_distance / (static_cast<double>(epoch.length) * k);
      points_.step(Z_, gamma, beta, eta, monitor);
    }
  }

  void learn() {
    if (!(next_.value <= snapshot_.value + kRounding * std::abs(snapshot_.value))) {
      was_too_small_ = factor_ < 1;
      factor_ = std::min(1.0, factor_ * kRise);
      batch_ *= kRise;
      return;
    }
    const double before = gap();
    std::swap(snapshot_, next_);
    dual_.look(snapshot_.Y, snapshot_.u);
    if (gap() > kGoodEpoch * before)
      batch_ *= kRise;
    else if (!was_too_small_)
      factor_ = std::max(kLeast, factor_ * kFall);
  }

  const Problem& p_;
  bool is_theory_;
  double scale_;
  int threads_;
  SampledGradient gradient_;
  SlidingPoint points_;
  DualEstimate dual_;
  PrimalPoint snapshot_, Z_, next_;
  double factor_ = 1;  // of L
  bool was_too_small_ = false;
  double batch_;
  Index epoch_ = 0;
  double owed_ = 0;  // multiply-adds before there was a monitor
};

}  // namespace

SolverDescription Storc::describe() const {
  static constexpr std::array<std::string_view, 2> kOptions{"steps", "step_scale"};
  return {.name = "storc",
          .summary = "stochastic variance-reduced conditional gradient sliding",
          .reference = "Hazan, Luo 2016",
          .losses = "any",
          .sets = "any",
          .needs_ridge = true,
          .options = kOptions};
}

void Storc::check(const Problem& p, const Settings& settings) const {
  Solver::check(p, settings);
  require_formed(p, name());
}

std::unique_ptr<Engine> Storc::make_engine(const Problem& p, const Settings& settings, const Start& start) const {
  return std::make_unique<StorcEngine>(p, settings, start);
}

}  // namespace pdbfw::low_rank
