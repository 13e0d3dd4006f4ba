// The sets by brute force: their vertices, projections by sorting, best supports by trying all of them, and the
// multiplier of the radius by halving.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "pdbfw/set.hpp"
#include "reference/scalar.hpp"

namespace pdbfw::reference {

inline bool is_ball(const Set& set) {
  if (set.name() == "l1") return true;
  if (set.name() == "simplex" || set.name() == "nonnegative") return false;
  throw std::logic_error("a set without a reference: teach tests/reference/sets.hpp its vertices");
}

inline bool holds_zero(const Set& set) { return set.name() != "simplex"; }

// C is the convex hull of these.
inline std::vector<std::vector<double>> vertices(const Set& set, std::size_t d) {
  std::vector<std::vector<double>> all;
  if (holds_zero(set)) all.emplace_back(d, 0.0);
  for (std::size_t j = 0; j < d; ++j) {
    std::vector<double> v(d, 0.0);
    v[j] = set.radius();
    all.push_back(v);
    if (!is_ball(set)) continue;
    v[j] = -set.radius();
    all.push_back(v);
  }
  return all;
}

// The t with sum_j (m_j - t)_+ = radius, by sorting.
inline double threshold_by_sorting(std::vector<double> m, double radius) {
  std::sort(m.begin(), m.end(), std::greater<>());
  double sum = 0, t = 0;
  for (std::size_t k = 0; k < m.size(); ++k) {
    sum += m[k];
    const double candidate = (sum - radius) / static_cast<double>(k + 1);
    if (k > 0 && candidate >= m[k]) break;
    t = candidate;
  }
  return t;
}

inline std::vector<double> projection(const Set& set, std::span<const double> v) {
  std::vector<double> m(v.begin(), v.end());
  double norm = 0;
  for (double& m_j : m) {
    if (is_ball(set)) m_j = std::abs(m_j);
    if (holds_zero(set)) norm += m_j = std::max(m_j, 0.0);
  }
  if (holds_zero(set) && norm <= set.radius()) {
    for (std::size_t j = 0; j < m.size(); ++j) m[j] = std::copysign(m[j], is_ball(set) ? v[j] : 1.0);
    return m;
  }
  const double t = threshold_by_sorting(m, set.radius());
  std::vector<double> x(v.size());
  for (std::size_t j = 0; j < v.size(); ++j) x[j] = std::copysign(std::max(0.0, m[j] - t), is_ball(set) ? v[j] : 1.0);
  return x;
}

inline double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

// Squared distance from the centre to the nearest point of C with at most s non-zeros: all supports are tried.
inline double distance_by_trying_supports(const Set& set, std::span<const double> centre, Index s) {
  const std::size_t d = centre.size();
  double best = std::numeric_limits<double>::infinity();
  for (unsigned mask = 1; mask < (1U << d); ++mask) {
    std::vector<double> inside, x(d, 0.0);
    for (std::size_t j = 0; j < d; ++j)
      if ((mask >> j & 1U) != 0) inside.push_back(centre[j]);
    if (static_cast<Index>(inside.size()) > s) continue;
    const std::vector<double> projected = projection(set, inside);
    for (std::size_t j = 0, k = 0; j < d; ++j)
      if ((mask >> j & 1U) != 0) x[j] = projected[k++];
    best = std::min(best, squared_distance(centre, x));
  }
  return best;
}

// min over C of g(x) - <u, x>, by its dual: the largest of  -sum_j (m_j - t)_+^2 / (2 q_j) - t radius  over the t that
// leave no m_j with q_j = 0 outside (m = |u| for the ball, else u; t >= 0 where C holds 0, else free). The slope in t
// is sum_j (m_j - t)_+ / q_j - radius and falls.
inline double smallest_of_set(const Set& set, std::span<const double> u, const Curvatures& q) {
  const bool ball = is_ball(set);
  const auto magnitude = [&](std::size_t j) { return ball ? std::abs(u[j]) : u[j]; };
  double lowest = holds_zero(set) ? 0.0 : -std::numeric_limits<double>::infinity(), most = lowest;
  for (std::size_t j = 0; j < u.size(); ++j) {
    most = std::max(most, magnitude(j));
    const double q_j = q[static_cast<Index>(j)];
    if (q_j == 0) lowest = std::max(lowest, magnitude(j));
  }
  const auto slope = [&](double t) {
    double sum = -set.radius();
    for (std::size_t j = 0; j < u.size(); ++j)
      if (magnitude(j) > t && q[static_cast<Index>(j)] > 0) sum += (magnitude(j) - t) / q[static_cast<Index>(j)];
    return sum;
  };
  // Below most - radius max q the largest magnitude alone overfills the radius.
  double low = lowest;
  if (std::isinf(low)) {
    double largest_q = 0;
    for (std::size_t j = 0; j < u.size(); ++j) largest_q = std::max(largest_q, q[static_cast<Index>(j)]);
    low = most - set.radius() * largest_q * (1 + 1e-12) - std::abs(most) * 1e-12 - std::numeric_limits<double>::min();
  }
  const double t = slope(low) <= 0 ? low : root_of_falling(slope, low, most);
  double sum = 0;
  for (std::size_t j = 0; j < u.size(); ++j) {
    const double over = magnitude(j) - t;
    if (over > 0 && q[static_cast<Index>(j)] > 0) sum += over * over / q[static_cast<Index>(j)];
  }
  return -0.5 * sum - t * set.radius();
}

}  // namespace pdbfw::reference
