// STORC, stochastic variance-reduced conditional gradient sliding (Hazan, Luo 2016, Algorithm 2).
//
//   an iteration = an epoch, from the snapshot y_0 = x_0; for k = 1 .. N:
//     z   = (1 - gamma_k) y + gamma_k x,    g ~ grad P(z) from a batch of m rows, with the snapshot's full gradient
//     x  <- argmin_{C} <g, x'> + (beta_k/2) |x' - x|^2,  up to an inner gap of eta_k (sliding.hpp)
//     y  <- (1 - gamma_k) y + gamma_k x
//
//   gamma_k = 2/(k+1),  beta_k = 3 L/k
//
//   steps = theory     with kappa = L/mu:  N = sqrt(32 kappa),  m = 5600 N kappa,  eta_k = 2 L D_t^2 / (N k),
//                      D_t^2 = kappa D^2 / 2^(t-1), D the diameter of C:   E P(y_t) - P* <= L D^2 / 2^(t+1)
//                      (Theorem 2). m is more than n rows for all but the largest data; then the gradient is exact.
//   steps = adaptive   D_t^2 = 2 gap / mu, which is what the theorem's D_t^2 bounds, from the gap that the snapshot
//                      proves; m begins at the rows that hold d entries, which pays for the O(d) of a slide, and
//                      doubles after an epoch that has not halved the gap; L falls while epochs are good until P rises,
//                      which doubles it and takes the epoch back; N = 3 sqrt(kappa), at most 300; pairwise inner steps.
//
// Cost of a step: each of m rows twice (at most A z and A'y); O(d), and O(non-zeros of x) an inner step.
#include "solvers/storc.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "solvers/active_set.hpp"
#include "solvers/primal_point.hpp"
#include "solvers/sampled_gradient.hpp"
#include "solvers/sliding.hpp"
#include "solvers/smoothness.hpp"

namespace pdbfw {
namespace {

constexpr double kTheoryLength = 32, kTheoryBatch = 5'600;
constexpr double kMostSteps = 1e9;  // of an epoch: what an Index holds with ease
constexpr double kAdaptiveLength = 3, kLongestEpoch = 300;
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
        settings_(settings),
        is_theory_(settings.steps == "theory"),
        scale_(settings.step_scale),
        threads_(settings.threads),
        has_start_(!start.x.empty()),
        gradient_(p, settings.threads, settings.seed),
        sliding_(p, is_theory_ ? InnerSteps::classic : InnerSteps::pairwise),
        snapshot_(point_at(p, has_start_ ? start.x : start_point(p))),
        z_(snapshot_),
        next_(snapshot_) {
    begin();
  }

  [[nodiscard]] std::string name() const override { return "storc"; }
  void radius_has_changed() override {
    p_.set->project(snapshot_.x);
    begin();
  }
  [[nodiscard]] Estimate estimate() override {
    const double dual = dual_value(p_, snapshot_.y, snapshot_.u, zone_);
    gap_ = snapshot_.value - dual;
    return {snapshot_.value, dual, count_nonzeros(snapshot_.x)};
  }
  [[nodiscard]] Point point() const override { return {snapshot_.x, snapshot_.y}; }

  void iterate(Monitor& monitor) override {
    monitor.charge(std::exchange(owed_, 0));
    if (smoothness_ == 0) {
      smoothness_ = primal_smoothness(p_, settings_, monitor, is_theory_ ? kExactly : kRoughly);
      if (is_theory_ && !has_start_) monitor.charge(move_to_best_vertex(p_, threads_, snapshot_), 1);
    }
    ++epoch_;
    run_epoch(is_theory_ ? theory() : adaptive(), monitor);
    p_.set->project(next_.x);  // rounding
    monitor.charge(evaluate(p_, threads_, next_) + differentiate(p_, threads_, next_));
    if (is_theory_)
      std::swap(snapshot_, next_);
    else
      learn();
  }

 private:
  void begin() {
    owed_ = evaluate(p_, threads_, snapshot_) + differentiate(p_, threads_, snapshot_);
    epoch_ = 0;
  }

  [[nodiscard]] Index rows(double count) const {
    return static_cast<Index>(std::clamp(std::ceil(count), 1.0, static_cast<double>(p_.n())));
  }

  [[nodiscard]] Epoch theory() const {
    const double L = smoothness_ / scale_, kappa = L / p_.regulariser->strong_convexity(), D = diameter(p_);
    const double N = std::min(kMostSteps, std::ceil(std::sqrt(kTheoryLength * kappa)));
    return {static_cast<Index>(N), rows(kTheoryBatch * N * kappa), L,
            kappa * D * D / std::exp2(static_cast<double>(epoch_ - 1))};
  }

  [[nodiscard]] Epoch adaptive() {
    const double mu = p_.regulariser->strong_convexity(), L = std::max(factor_ * smoothness_ / scale_, mu);
    if (batch_ == 0)
      batch_ = static_cast<double>(p_.n()) * static_cast<double>(p_.d()) /
               static_cast<double>(std::max<Index>(1, p_.A->nonzeros()));
    const double N = std::min(kLongestEpoch, std::ceil(kAdaptiveLength * std::sqrt(L / mu)));
    return {static_cast<Index>(N), rows(batch_), L, 2 * std::max(gap_, 0.0) / mu};
  }

  void run_epoch(const Epoch& epoch, Monitor& monitor) {
    x_ = next_.x = snapshot_.x;  // next_.x is y
    std::vector<double> g;
    for (Index step = 1; step <= epoch.length && monitor.may_go_on(); ++step) {
      const auto k = static_cast<double>(step);
      const double gamma = 2 / (k + 1), beta = 3 * epoch.L / k;
      blend(gamma, z_.x);
      monitor.charge(gradient_.reduced(epoch.batch, snapshot_, z_));
      gradient_at(p_, z_, g);
      const double eta = 2 * epoch.L * epoch.squared_distance / (static_cast<double>(epoch.length) * k);
      sliding_.slide({g, beta, eta}, x_, monitor);
      blend(gamma, next_.x);
    }
  }

  // out = (1 - gamma) y + gamma x
  void blend(double gamma, std::vector<double>& out) {
    for (std::size_t j = 0; j < x_.size(); ++j) out[j] = (1 - gamma) * next_.x[j] + gamma * x_[j];
  }

  void learn() {
    if (!(next_.value <= snapshot_.value + kRounding * std::abs(snapshot_.value))) {
      was_too_small_ = factor_ < 1;
      factor_ = std::min(1.0, factor_ * kRise);
      batch_ *= kRise;
      return;
    }
    const double before = gap_;
    std::swap(snapshot_, next_);
    (void)estimate();
    if (gap_ > kGoodEpoch * before)
      batch_ *= kRise;
    else if (!was_too_small_)
      factor_ = std::max(kLeast, factor_ * kFall);
  }

  const Problem& p_;
  Settings settings_;
  bool is_theory_;
  double scale_;
  int threads_;
  bool has_start_;
  SampledGradient gradient_;
  Sliding sliding_;
  PrimalPoint snapshot_, z_, next_;
  std::vector<double> x_;
  double smoothness_ = 0;  // 0: not known yet
  double gap_ = 0;         // at the snapshot
  double factor_ = 1;      // of L
  bool was_too_small_ = false;
  double batch_ = 0;  // 0: not chosen yet
  Index epoch_ = 0;
  double owed_ = 0;  // entries touched before there was a monitor
  DeadZone zone_;
};

}  // namespace

SolverDescription Storc::describe() const {
  static constexpr std::array<std::string_view, 2> kOptions{"steps", "step_scale"};
  return {.name = "storc",
          .summary = "stochastic variance-reduced conditional gradient sliding",
          .reference = "Hazan, Luo 2016",
          .losses = "any",
          .sets = "those whose vertices are +-radius e_j (l1, simplex, nonnegative)",
          .needs_ridge = true,
          .options = kOptions};
}

void Storc::check(const Problem& p, const Settings& settings) const {
  Solver::check(p, settings);
  require_coordinate_vertices(p, name());
}

std::unique_ptr<Engine> Storc::make_engine(const Problem& p, const Settings& settings, const Start& start) const {
  return std::make_unique<StorcEngine>(p, settings, start);
}

}  // namespace pdbfw
