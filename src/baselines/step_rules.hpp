// Rules of steps, batches and epochs that the sparse and the low-rank baselines share. They know numbers only; the file
// of a method says what its rule is good for.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <functional>
#include <optional>

#include "pdbfw/settings.hpp"

namespace pdbfw {

// P is known up to its rounding.
[[nodiscard]] inline bool is_no_higher(double value, double before) {
  constexpr double kRoundingOfValue = 1e-14;
  return value <= before + kRoundingOfValue * std::abs(before);
}

// A size of a batch: whole, at least 1, at most all samples.
[[nodiscard]] inline Index batch_of(Index samples, double size) {
  return static_cast<Index>(std::clamp(std::ceil(size), 1.0, static_cast<double>(samples)));
}

// How an epoch takes all samples: in this number of batches, of about this size.
struct Batches {
  Index count;
  double size;
};

// The t in [0, most] that minimises a convex, differentiable phi, from its slopes alone: where the slope is at most a
// ten-thousandth of that at 0, or `most` if it is falling still. Newton's first step, then secants inside the bracket;
// one step of it where the slope is linear. phi(t) <= phi(0) up to the rounding of the slopes.
[[nodiscard]] double line_minimum(const std::function<double(double)>& slope, double slope_at_0, double curvature_at_0,
                                  double most);

// The momentum of an accelerated gradient method.
//
//   with q = mu/L, t_1 = 1 and r = L_k/L_{k-1}                           (Chambolle, Pock 2016, Algorithm 5)
//       t_{k+1} = ( 1 - q t_k^2 + sqrt( (1 - q t_k^2)^2 + 4 r t_k^2 ) ) / 2
//       momentum = (t_k - 1) / t_{k+1} * (1 - q t_{k+1}) / (1 - q)
//
//   1 <= t_k <= 1/sqrt q while L is constant. A fall of L can end both: the second because q rises, the first because r
//   is below 1. Then the last factor is no longer in [0, 1], and without bound where q is near 1. So both are kept.
class Momentum {
 public:
  void restart() { t_ = 1; }

  // The one to go on with from x_{k+1}, made with L; `last_L` made x_k.
  double next(double mu, double L, double last_L) {
    const double q = std::min(mu / L, 1.0), most = 1 / std::sqrt(q);
    const double last = std::min(t_, most), s = 1 - q * last * last;
    t_ = std::clamp(0.5 * (s + std::sqrt(s * s + 4 * (L / last_L) * last * last)), 1.0, most);
    return last > 1 ? (last - 1) / t_ * (1 - q * t_) / (1 - q) : 0;
  }

 private:
  double t_ = 1;
};

// Projected gradient with spectral steps (Birgin, Martinez, Raydan 2000, algorithm SPG2): along the segment from now to
// next, P may rise a little now and then.
class SpectralSearch {
 public:
  static constexpr int kMostShortenings = 50;  // a search that fails so often has met the rounding of P

  void restart(double value) { last_values_.assign(1, value); }
  void remember(double value) {
    last_values_.push_back(value);
    if (last_values_.size() > kMemory) last_values_.pop_front();
  }
  // P(next) <= max of the last values + kDecreaseShare <grad P(now), next - now>, up to the rounding of P
  [[nodiscard]] bool accepts(double value, double slope) const {
    return is_no_higher(value - kDecreaseShare * slope, *std::max_element(last_values_.begin(), last_values_.end()));
  }
  // What to keep of the segment: the minimum of the parabola through P(now), its slope, and P(next).
  [[nodiscard]] static double shorter(double now, double next, double slope) {
    const double t = std::clamp(-slope / (2 * (next - now - slope)), kShortest, kLongest);
    return std::isnan(t) ? kShortest : t;
  }
  // <s, s> / <s, g>,  s and g the changes of x and of the gradient: the step that fits the curvature along s.
  [[nodiscard]] static double step(double scale, double ss, double sg) {
    return sg > 0 ? in_range(scale * ss / sg) : kLargestStep;
  }
  [[nodiscard]] static double in_range(double step) { return std::clamp(step, kTiniestStep, kLargestStep); }

 private:
  static constexpr std::size_t kMemory = 10;
  static constexpr double kDecreaseShare = 1e-4;
  static constexpr double kTiniestStep = 1e-30, kLargestStep = 1e30;
  static constexpr double kShortest = 0.1, kLongest = 0.9;
  std::deque<double> last_values_;
};

// The numbers of block Frank-Wolfe. mu and L are those of P as a whole; of theory's steps, s is the most that there is
// unless given.
class BlockRule {
 public:
  //   eta = mu / (2 L),  M = L eta
  [[nodiscard]] static BlockRule theory(double mu, double L, Index most_s, const Settings& settings) {
    const double eta = std::min(1.0, settings.step_scale * mu / (2 * L));
    return {settings, L * eta, most_s, most_s, eta};
  }
  // M and s begin here.
  [[nodiscard]] static BlockRule adaptive(double mu, double M, Index s, Index most_s, const Settings& settings) {
    if (!(M > 0 && std::isfinite(M))) M = 1;
    BlockRule rule(settings, M, s, most_s, {});
    rule.smallest_M_ = std::max(mu / 2, kFarthest * M);
    rule.largest_M_ = std::max(M / kFarthest, rule.smallest_M_);
    return rule;
  }

  [[nodiscard]] double M() const { return M_; }  // curvature of the model that the block step minimises
  [[nodiscard]] Index s() const { return s_; }   // most non-zeros, or the largest rank, of the block
  // The step of theory, or what the search finds.
  template <class Search>
  [[nodiscard]] double eta(const Search& search) const {
    return eta_ ? *eta_ : std::min(1.0, scale_ * search());
  }

  [[nodiscard]] bool is_adaptive() const { return !eta_; }  // only then it learns
  // After a step of this squared length that met this curvature (Barzilai, Borwein 1988).
  void learn_curvature(double length2, double curvature) {
    M_ = std::clamp(length2 > 0 ? curvature : 2 * M_, smallest_M_, largest_M_);
  }
  // After a block of this size, s doubles when it has bound for a while, or leads nowhere.
  void learn_size(Index size, double eta) {
    bound_for_ = size >= s_ ? bound_for_ + 1 : 0;
    if (s_is_given_ || s_ == most_s_ || (eta > 0 && bound_for_ < kWindow)) return;
    s_ = std::min(2 * s_, most_s_);
    bound_for_ = 0;
  }

 private:
  BlockRule(const Settings& settings, double M, Index s, Index most_s, std::optional<double> eta)
      : scale_(settings.step_scale),
        s_is_given_(settings.block_primal.has_value()),
        most_s_(most_s),
        s_(std::min(settings.block_primal.value_or(s), most_s)),
        eta_(eta),
        M_(M) {}

  static constexpr int kWindow = 5;
  static constexpr double kFarthest = 1e-9;  // M stays within this of where it began

  double scale_;
  bool s_is_given_;
  Index most_s_, s_;
  std::optional<double> eta_;  // theory's
  double M_, smallest_M_ = 0, largest_M_ = 0;
  int bound_for_ = 0;  // iterations
};

// SVRG: the step grows until P rises, and then, more and more rarely, again: what is too long may change on the way.
class GrowingStep {
 public:
  [[nodiscard]] double factor() const { return factor_; }
  void learn(bool has_fallen) {
    if (!has_fallen) {
      factor_ *= kShrink;
      good_epochs_ = 0;
      patience_ = patience_ == 1 ? kFirstPatience : std::min(kMostPatience, 2 * patience_);
    } else if (++good_epochs_ >= patience_) {
      factor_ *= kStepGrowth;
      good_epochs_ = 0;
    }
  }

 private:
  static constexpr double kStepGrowth = 1.5, kShrink = 0.5;
  // After a step was too long, it is tried again only after this number of good epochs, which doubles every time.
  static constexpr int kFirstPatience = 2, kMostPatience = 1 << 20;
  double factor_ = 1;
  int good_epochs_ = 0, patience_ = 1;
};

// Conditional gradient sliding: L falls while phases are good, and doubles after one that is not.
class TrialSmoothness {
 public:
  [[nodiscard]] double factor() const { return factor_; }
  void phase_was_good() {
    if (!was_too_small_) factor_ = std::max(kLeastFactor, factor_ * kFactorFall);
  }
  void phase_was_bad() {
    was_too_small_ = factor_ < 1;
    factor_ = std::min(1.0, factor_ * kFactorRise);
  }

 private:
  static constexpr double kFactorFall = 0.7, kFactorRise = 2, kLeastFactor = 0.01;
  double factor_ = 1;
  bool was_too_small_ = false;
};

// The numbers of one step of sliding.
struct SlidingNumbers {
  double gamma, beta, eta;
};

// A phase of SCGS, from k = 1 on.                                                    (Lan, Zhou 2016, Corollary 3.2)
//   gamma_k = 3/(k+2),  beta_k = 4 L/(k+2),  eta_k = L D^2 / (k (k+1)),  B_k = sigma^2 (k+2)^3 / (L D)^2
struct ScgsPhase {
  double L = 0, D2 = 0, sigma2 = 0;
  double mu = 0, gap = 0;  // of adaptive phases: the gap where it began
  Index steps = 0;         // made so far; 0: the next one begins it

  // Theory's L and D, and the true mu; `gap` is the one that is proven where the phase begins.
  void adapt(double factor, double true_mu, double gap_now) {
    constexpr double kWorstCondition = 1'000;
    L = std::max(factor * L, true_mu);
    mu = std::max(true_mu, L / kWorstCondition);
    gap = gap_now;
    D2 = std::min(D2, 2 * std::max(gap, 0.0) / mu);
  }
  [[nodiscard]] SlidingNumbers numbers() const {
    const auto k = static_cast<double>(steps);
    return {3 / (k + 2), 4 * L / (k + 2), L * D2 / (k * (k + 1))};
  }
  [[nodiscard]] double batch() const {
    const auto k = static_cast<double>(steps);
    return sigma2 * (k + 2) * (k + 2) * (k + 2) / (L * L * D2);
  }
  // Where y is looked at next, unless gradients are exact.
  [[nodiscard]] Index next_look() const {
    return std::max(steps + 1, static_cast<Index>(1.5 * static_cast<double>(steps)));
  }
  // An adaptive phase ends when the gap has halved, or when it is long.
  void learn(double gap_now, TrialSmoothness& smoothness) {
    const bool is_good = gap_now <= 0.5 * gap, is_long = static_cast<double>(steps) >= 8 * std::sqrt(L / mu);
    if (!is_good && !is_long) return;
    if (is_good)
      smoothness.phase_was_good();
    else
      smoothness.phase_was_bad();
    steps = 0;
  }
};

// An epoch of STORC.                                                                       (Hazan, Luo 2016, Theorem 2)
//   gamma_k = 2/(k+1),  beta_k = 3 L/k,  eta_k = 2 L D_t^2 / (N k)
struct StorcEpoch {
  double N, batch;
  double L, D2;

  //   kappa = L/mu:  N = sqrt(32 kappa),  m = 5600 N kappa,  D_t^2 = kappa D^2 / 2^(t-1)
  [[nodiscard]] static StorcEpoch theory(double L, double mu, double D, Index t) {
    constexpr double kMostOfIndex = 1e9;  // what an Index holds with ease
    const double kappa = L / mu, N = std::min(kMostOfIndex, std::ceil(std::sqrt(32 * kappa)));
    return {N, 5'600 * N * kappa, L, kappa * D * D / std::exp2(static_cast<double>(t - 1))};
  }
  //   D_t^2 = 2 gap / mu,  N = 3 sqrt(kappa), at most 300
  [[nodiscard]] static StorcEpoch adaptive(double L, double mu, double gap, double batch) {
    constexpr double kLongest = 300;
    L = std::max(L, mu);
    return {std::min(kLongest, std::ceil(3 * std::sqrt(L / mu))), batch, L, 2 * std::max(gap, 0.0) / mu};
  }
  [[nodiscard]] SlidingNumbers numbers(double k) const { return {2 / (k + 1), 3 * L / k, 2 * L * D2 / (N * k)}; }
  // Whether the gap has halved, else the batch is too small.
  [[nodiscard]] static bool is_good(double gap, double before) { return gap <= 0.5 * before; }
};

}  // namespace pdbfw
