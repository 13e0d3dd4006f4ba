#include "losses/with_intercept.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace pdbfw {
namespace {

constexpr int kMostSteps = 200;
// The slopes cancel up to their rounding.
constexpr double kRounding = 1e-15;
// Sums of y beyond this share of its size are more than rounding.
constexpr double kBalanced = 1e-10;

std::vector<double> shifted(std::span<const double> w, double t) {
  std::vector<double> out(w.begin(), w.end());
  for (double& value : out) value += t;
  return out;
}

// sum of the entries > 0, and of the others' absolute values
struct Sides {
  double up = 0, down = 0;
};

Sides sides(std::span<const double> y) {
  Sides s;
  for (const double value : y) (value > 0 ? s.up : s.down) += std::abs(value);
  return s;
}

}  // namespace

WithIntercept::WithIntercept(std::shared_ptr<const Loss> each) : each_(std::move(each)) {}

// The zero of sum_i f_i'(w_i + t), which rises with t: Newton's method, inside what is known to hold the zero.
double WithIntercept::intercept(std::span<const double> b, std::span<const double> w) const {
  constexpr double kEverything = std::numeric_limits<double>::infinity();
  double low = -kEverything, high = kEverything, t = 0;
  std::vector<double> slope(b.size());
  for (int step = 0; step < kMostSteps; ++step) {
    const std::vector<double> at = shifted(w, t);
    each_->derivatives(b, at, slope);
    const auto [up, down] = sides(slope);
    const double sum = up - down;
    if (!(std::abs(sum) > kRounding * (up + down))) break;  // there, or not a number
    (sum > 0 ? high : low) = t;
    double bend = 0;
    for (std::size_t i = 0; i < b.size(); ++i) bend += each_->second_derivative(b[i], at[i]);
    double next = t - sum / bend;
    if (!(next > low && next < high)) {
      const double far = std::max(1.0, 2 * std::abs(t));
      next = std::isinf(low) ? t - far : std::isinf(high) ? t + far : low + (high - low) / 2;
    }
    if (next == t || next == low || next == high) break;  // neighbours
    t = next;
  }
  return t;
}

double WithIntercept::total_value(std::span<const double> b, std::span<const double> w) const {
  return each_->total_value(b, shifted(w, intercept(b, w)));
}

double WithIntercept::total_conjugate(std::span<const double> b, std::span<const double> y) const {
  const auto [up, down] = sides(y);
  if (std::abs(up - down) > kBalanced * (up + down)) return std::numeric_limits<double>::infinity();
  return each_->total_conjugate(b, y);
}

void WithIntercept::derivatives(std::span<const double> b, std::span<const double> w, std::span<double> y) const {
  each_->derivatives(b, shifted(w, intercept(b, w)), y);
  balance(y);
}

void WithIntercept::dual_proxes(std::span<const double> b, std::span<const double> w, std::span<const double> y,
                                double step, std::span<double> y_tilde) const {
  each_->dual_proxes(b, w, y, step, y_tilde);
}

// The heavier side is made lighter: the domain of every f_i* holds 0, because f_i is bounded from below.
void WithIntercept::balance(std::span<double> y) const {
  const auto [up, down] = sides(y);
  if (up == down) return;
  const double shrink = std::min(up, down) / std::max(up, down);
  for (double& value : y)
    if ((value > 0) == (up > down)) value *= shrink;
}

}  // namespace pdbfw
