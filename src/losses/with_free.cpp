#include "losses/with_free.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/team.hpp"
#include "linalg/decompositions.hpp"
#include "pdbfw/pairwise_sum.hpp"

namespace pdbfw {
namespace {

constexpr int kMostSteps = 200;
constexpr int kMostHalvings = 60;
constexpr double kSufficientDecrease = 1e-4;
// A step whose values no longer tell a fall is judged by the slopes, which must fall to this share.
constexpr double kFlatter = 0.9;
constexpr double kLevel = 1e-13;
// Where no sample curves, this much of the curvature that those with a slope could have.
constexpr double kDamping = 1e-10;
// A step that promises less than this share of the loss at t = 0 has nothing to gain: t may have no end, as where the
// free columns alone tell the classes apart.
constexpr double kNothing = 1e-32;
// Eigenvalues below this share of the largest have few digits left.
constexpr double kDrowned = 1e-8;
// The squared length of what rounding leaves where columns of Z depend on each other, as a share of their own.
constexpr double kCancelled = 1e-28;
// The slopes cancel up to their rounding.
constexpr double kRounding = 1e-15;
// A step of Newton's method that promises no more than this share of the loss ends at the rounding of the slopes, and
// need not be looked at.
constexpr double kLastStep = 1e-17;
// Sums of y beyond this share of its size are more than rounding; of wide sums, beyond the second.
constexpr double kBalanced = 1e-10;
constexpr double kWidelyBalanced = 1e-13;
constexpr int kMostBalancings = 100;

// sum of the entries > 0, and of the others' absolute values
struct Sides {
  double up = 0, down = 0;
};

Sides sides(std::span<const double> y, const TeamPtr& team) {
  std::array<double, 2> sums{pairwise_sum(0, y.size(), [&](std::size_t i) { return y[i] > 0 ? y[i] : 0; }),
                             pairwise_sum(0, y.size(), [&](std::size_t i) { return y[i] > 0 ? 0 : -y[i]; })};
  if (team) team->sum(sums);
  return {sums[0], sums[1]};
}

// Z'y, and the sum of the absolute values of its terms; in wide sums, as what is left where terms cancel matters.
struct Product {
  Vector sum, size;
  [[nodiscard]] bool is_zero(double share) const { return !((sum.array().abs() > share * size.array()).any()); }
};

Product product(const FreeColumns& Z, std::span<const double> y) {
  Product p{Vector::Zero(Z.count), Vector::Zero(Z.count)};
  for (Index c = 0; c < Z.count; ++c) {
    const std::span<const double> z = Z[c];
    long double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      sum += static_cast<long double>(z[i]) * y[i];
      p.size[c] += std::abs(z[i] * y[i]);
    }
    p.sum[c] = static_cast<double>(sum);
  }
  return p;
}

// Z' diag(h) Z seen from the directions in the columns of `basis`, and what its diagonal would be if nothing cancelled.
struct Gram {
  Eigen::MatrixXd entries;
  Vector size;
};

Gram gram(const FreeColumns& Z, std::span<const double> h, const Eigen::MatrixXd& basis) {
  constexpr Index kRows = 1024;  // at a time, so that no second Z is made
  const auto n = static_cast<Index>(h.size());
  const Eigen::Map<const Eigen::MatrixXd> all(Z.value.data(), n, Z.count);
  const Eigen::Map<const Vector> weight(h.data(), n);
  Gram out{Eigen::MatrixXd::Zero(basis.cols(), basis.cols()), Vector::Zero(basis.cols())};
  for (Index first = 0; first < n; first += kRows) {
    const Index rows = std::min(kRows, n - first);
    const auto part = all.middleRows(first, rows);
    const Vector root = weight.segment(first, rows).cwiseSqrt();
    const Eigen::MatrixXd seen = root.asDiagonal() * (part * basis);
    out.entries.noalias() += seen.transpose() * seen;
    out.size += (root.asDiagonal() * (part.cwiseAbs() * basis.cwiseAbs())).colwise().squaredNorm().transpose();
  }
  return out;
}

// The shortest solution x of (Z' diag(h) Z) x = v. Weights h of many orders make eigenvalues of many orders, and the
// small ones drown in the rounding of the large ones; so their directions are looked at again without the large ones,
// until only those are left in which columns of Z cancel.
Vector solve(const FreeColumns& Z, std::span<const double> h, const Vector& v) {
  Vector x = Vector::Zero(Z.count);
  Eigen::MatrixXd basis = Eigen::MatrixXd::Identity(Z.count, Z.count);
  while (basis.cols() > 0) {
    const Gram seen = gram(Z, h, basis);
    const Vector diagonal = seen.entries.diagonal();
    Vector scale = Vector::Zero(basis.cols());
    for (Index k = 0; k < basis.cols(); ++k)
      if (std::isfinite(diagonal[k]) && diagonal[k] > kCancelled * seen.size[k]) scale[k] = 1 / std::sqrt(diagonal[k]);
    if (!(scale.array() > 0).any()) break;
    const Eigen::MatrixXd scaled = basis * scale.asDiagonal();
    const Eigenpairs eigen = eigenpairs(scale.asDiagonal() * seen.entries * scale.asDiagonal());
    const Vector& value = eigen.values;
    const double least = kDrowned * value[value.size() - 1];
    const Index small = (value.array() <= least).count();
    const auto large = eigen.vectors.rightCols(value.size() - small);
    x += scaled *
         (large * (large.transpose() * (scaled.transpose() * v)).cwiseQuotient(value.tail(value.size() - small)));
    basis = scaled * eigen.vectors.leftCols(small);
  }
  return x;
}

}  // namespace

WithFree::WithFree(std::shared_ptr<const Loss> each, Index count, std::vector<double> Z, TeamPtr team)
    : each_(std::move(each)),
      count_(count),
      Z_(std::move(Z)),
      team_(std::move(team)),
      is_intercept_(count == 1 && std::all_of(Z_.begin(), Z_.end(), [](double z) { return z == 1; })) {}

// The zero of sum_i f_i'(w_i + t), which rises with t: Newton's method, inside what is known to hold the zero.
double WithFree::intercept(std::span<const double> w, double near) const {
  constexpr double kEverything = std::numeric_limits<double>::infinity();
  double low = -kEverything, high = kEverything, t = near;
  std::vector<double> slope(size()), bends(size());
  for (int step = 0; step < kMostSteps; ++step) {
    const std::vector<double> at = shifted(w, free_columns(), {&t, 1});
    const double value = sum_over(team_, each_->local_model(at, slope, bends));
    const auto [up, down] = sides(slope, team_);
    const double sum = up - down;
    if (!(std::abs(sum) > kRounding * (up + down))) break;  // there, or not a number
    (sum > 0 ? high : low) = t;
    const double bend = pairwise_sum(0, bends.size(), [&](std::size_t i) { return bends[i]; });
    double next = t - sum / sum_over(team_, bend);
    if (next > low && next < high && sum * (t - next) <= kLastStep * std::abs(value)) return next;
    if (!(next > low && next < high)) {
      const double far = std::max(1.0, 2 * std::abs(t));
      next = std::isinf(low) ? t - far : std::isinf(high) ? t + far : low + (high - low) / 2;
    }
    if (next == t || next == low || next == high) break;  // neighbours
    t = next;
  }
  return t;
}

// Newton's method with halved steps; at the end, where values are all the same to rounding, as long as slopes fall.
std::vector<double> WithFree::free_weights(std::span<const double> w, std::span<const double> near) const {
  if (is_intercept_) return {intercept(w, near.empty() ? 0 : near[0])};
  const FreeColumns Z = free_columns();
  const Vector sums = product(Z, std::vector<double>(size(), 1.0)).size.cwiseMax(std::numeric_limits<double>::min());
  // Several columns may have no best weights that can be reached: a search from elsewhere would then end elsewhere, and
  // what is handed over would not be what was certified. So it always begins at zero.
  std::vector<double> t(static_cast<std::size_t>(count_), 0.0), at(w.begin(), w.end()), slope(size()), h(size());
  each_->derivatives(at, slope);
  double value = each_->total_value(at);
  const double nothing = kNothing * std::abs(value);
  Product gradient = product(Z, slope);
  for (int step = 0; step < kMostSteps && !gradient.is_zero(kRounding); ++step) {
    for (std::size_t i = 0; i < h.size(); ++i)
      h[i] = each_->second_derivative(i, at[i]) + kDamping * std::min(each_->smoothness(), std::abs(slope[i]));
    const Vector direction = solve(Z, h, -gradient.sum);
    const double promised = -gradient.sum.dot(direction);
    if (!(promised > nothing)) break;
    bool has_moved = false;
    double length = 1;
    for (int halving = 0; halving < kMostHalvings && !has_moved; ++halving, length /= 2) {
      std::vector<double> next = t;
      for (Index c = 0; c < count_; ++c) next[static_cast<std::size_t>(c)] += length * direction[c];
      if (next == t) break;
      std::vector<double> next_at = shifted(w, Z, next);
      const double next_value = each_->total_value(next_at);
      each_->derivatives(next_at, slope);
      Product next_gradient = product(Z, slope);
      const bool falls = next_value <= value - kSufficientDecrease * length * promised;
      const bool is_level = next_value <= value + kLevel * std::abs(value);
      const double steepness = gradient.sum.cwiseQuotient(sums).norm();
      has_moved = falls || (is_level && next_gradient.sum.cwiseQuotient(sums).norm() < kFlatter * steepness);
      if (!has_moved) continue;
      t = std::move(next);
      at = std::move(next_at);
      value = next_value;
      gradient = std::move(next_gradient);
    }
    if (!has_moved) break;
  }
  return t;
}

double WithFree::total_value(std::span<const double> w) const {
  return each_->total_value(shifted(w, free_columns(), free_weights(w, {})));
}

double WithFree::total_conjugate(std::span<const double> y) const {
  if (is_intercept_) {
    const auto [up, down] = sides(y, team_);
    if (std::abs(up - down) > kBalanced * (up + down)) return std::numeric_limits<double>::infinity();
  } else if (!product(free_columns(), y).is_zero(kWidelyBalanced)) {
    return std::numeric_limits<double>::infinity();
  }
  return each_->total_conjugate(y);
}

void WithFree::derivatives(std::span<const double> w, std::span<double> y) const {
  each_->derivatives(shifted(w, free_columns(), free_weights(w, {})), y);
  balance(y);
}

void WithFree::dual_proxes(std::span<const double> w, std::span<const double> y, double step,
                           std::span<double> y_tilde) const {
  each_->dual_proxes(w, y, step, y_tilde);
}

// Every entry is made smaller: the domain of every f_i* holds 0, because f_i is bounded from below. For an intercept
// the heavier side is; else the factors are 1 - sign(y_i) z_i'l, with the l that takes Z'y to zero, divided by the
// largest. Where that would turn signs, those entries become 0 and it is done again.
void WithFree::balance(std::span<double> y) const {
  if (is_intercept_) {
    const auto [up, down] = sides(y, team_);
    if (up == down) return;
    const double shrink = std::min(up, down) / std::max(up, down);
    for (double& value : y)
      if ((value > 0) == (up > down)) value *= shrink;
    return;
  }
  const FreeColumns Z = free_columns();
  std::vector<double> magnitude(y.size()), change(y.size());
  for (int round = 0; round < kMostBalancings; ++round) {
    const Product off = product(Z, y);
    if (off.is_zero(kRounding)) return;
    for (std::size_t i = 0; i < y.size(); ++i) magnitude[i] = std::abs(y[i]);
    const Vector l = solve(Z, magnitude, off.sum);
    change = shifted(std::vector<double>(y.size(), 0.0), Z, {l.data(), static_cast<std::size_t>(l.size())});
    double largest = 1;
    for (std::size_t i = 0; i < y.size(); ++i) {
      change[i] = std::max(0.0, 1 - (y[i] < 0 ? -change[i] : change[i]));
      largest = std::max(largest, change[i]);
    }
    for (std::size_t i = 0; i < y.size(); ++i) y[i] *= change[i] / largest;
  }
  if (!product(Z, y).is_zero(kWidelyBalanced)) std::fill(y.begin(), y.end(), 0.0);
}

}  // namespace pdbfw
