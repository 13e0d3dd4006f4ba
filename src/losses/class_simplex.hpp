// Where the dual rows of the multi-class losses live: the simplex, moved so that the true class t is the origin.
//   y = p - e_t,  p_j >= 0,  sum_j p_j = 1;    so  y_j >= 0 for j != t,  and  y_t = -sum_{j != t} y_j >= -1     [M22]
// In doubles the last equation holds up to rounding only. So a row counts as inside if it misses the simplex by no more
// than kSlack, which is far below what a certificate can tell, and y_t is always written as minus the sum of the
// others.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace pdbfw::class_simplex {

constexpr double kSlack = 1e-12;

[[nodiscard]] inline std::size_t class_of(std::span<const double> b) { return static_cast<std::size_t>(b[0]); }

[[nodiscard]] inline bool contains(std::size_t t, std::span<const double> y) {
  double sum = 0;
  for (std::size_t j = 0; j < y.size(); ++j) {
    if (!((j == t ? 1 + y[j] : y[j]) >= -kSlack)) return false;
    sum += y[j];
  }
  return std::abs(sum) <= kSlack;
}

// The others are given; y_t follows. Where rounding took their sum above 1, they are scaled.
inline void complete(std::size_t t, std::span<double> y) {
  y[t] = 0;
  double sum = 0;
  for (const double others : y) sum += others;
  if (sum > 1)
    for (double& others : y) others /= sum;
  y[t] = -std::min(sum, 1.0);
}

// The nearest point of the simplex to v is p_j = (v_j - lambda)_+ with the lambda at which they sum to 1.
struct Threshold {
  double top;        // the largest v_j
  double below_top;  // lambda - top, in [-1, 0)
  [[nodiscard]] double rest(double v) const { return std::max(0.0, (v - top) - below_top); }
};

// Newton's method from the left, which rises and ends exactly when no more entries fall below lambda. v(j) may be -inf.
template <class Entry>
[[nodiscard]] Threshold threshold(std::size_t size, const Entry& v) {
  double top = v(0);
  for (std::size_t j = 1; j < size; ++j) top = std::max(top, v(j));
  double below_top = -1;
  for (std::size_t last = size + 1;;) {
    double sum = 0;
    std::size_t above = 0;
    for (std::size_t j = 0; j < size; ++j)
      if (v(j) - top > below_top) {
        sum += v(j) - top;
        ++above;
      }
    if (above >= last) return {top, below_top};
    last = above;
    below_top = (sum - 1) / static_cast<double>(above);
  }
}

// y <- the nearest row of the moved simplex.
inline void project(std::size_t t, std::span<double> y) {
  y[t] += 1;
  const Threshold lambda = threshold(y.size(), [&](std::size_t j) { return y[j]; });
  for (double& entry : y) entry = lambda.rest(entry);
  complete(t, y);
}

}  // namespace pdbfw::class_simplex
