// The one equation behind the l1 ball and the simplex: the t that meets the radius,                         [M6]
//     sum_j ( m_j - t )_+ / q_j = radius,
// for magnitudes m_j and curvatures q_j. The left side is convex, piecewise linear and falls in t: Newton's iteration
// comes from the left after one step whatever its start, rises, and ends exactly when the pieces no longer change.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "linalg/above.hpp"
#include "pdbfw/set.hpp"

namespace pdbfw {

// m_j = |v_j| or v_j.
struct Magnitudes {
  std::span<const double> v;
  bool is_absolute;
  [[nodiscard]] double operator[](Index j) const {
    const double v_j = v[static_cast<std::size_t>(j)];
    return is_absolute ? std::abs(v_j) : v_j;
  }
  [[nodiscard]] Index size() const { return static_cast<Index>(v.size()); }
};

// What lies above t: sum of m_j / q_j, and sum of 1 / q_j. Of every stride-th magnitude.
struct Above {
  double weighted = 0;
  double weight = 0;
};

inline Above look_above(double t, const Magnitudes& m, const Curvatures& q, Index stride) {
  if (q.is_uniform()) {
    const SumAbove all = sum_above(t, m.v, stride, m.is_absolute);
    return {all.sum / q.uniform, all.count / q.uniform};
  }
  Above above;
  for (Index j = 0; j < m.size(); j += stride) {
    if (!(m[j] > t && q[j] > 0)) continue;
    above.weighted += m[j] / q[j];
    above.weight += 1 / q[j];
  }
  return above;
}

// Newton's iteration from `t`; the answer is not below `lowest`.
inline double meet_radius(double t, double lowest, const Magnitudes& m, const Curvatures& q, double radius,
                          Index stride) {
  double weight = -1;
  for (bool is_left = false;; is_left = true) {
    const Above above = look_above(t, m, q, stride);
    if (above.weight == 0) {  // the start was too far right, or there is nothing to meet
      if (t <= lowest || is_left) return std::max(t, lowest);
      t = lowest;
      continue;
    }
    if (above.weight == weight) return t;  // the same pieces: t solves them
    const double next = std::max(lowest, (above.weighted - radius) / above.weight);
    if (is_left && next <= t) return t;  // rounding, or the radius is slack
    weight = above.weight;
    t = next;
  }
}

// The answer is never below `floor` (0 where a slack radius costs nothing, -inf where the radius must be met), and
// never below a magnitude whose q is 0, which would else grow without bound. `guess`: a value near the answer or NaN;
// it saves time, and what it changes is rounding.
inline double find_threshold(const Magnitudes& m, const Curvatures& q, double radius, double floor, double guess) {
  double lowest = floor;
  if (!q.is_uniform() || q.uniform == 0)
    for (Index j = 0; j < m.size(); ++j)
      if (q[j] == 0) lowest = std::max(lowest, m[j]);
  if (q.is_uniform() && q.uniform == 0) return lowest;

  double start = std::isnan(guess) ? lowest : std::max(lowest, guess);
  // Without a guess: a sample of the magnitudes, if there are many, makes one.
  constexpr Index kStride = 64;
  constexpr Index kWorthSampling = 65'536;
  if (std::isnan(guess) && m.size() > kWorthSampling)
    start = meet_radius(lowest, lowest, m, q, radius / static_cast<double>(kStride), kStride);
  return meet_radius(start, lowest, m, q, radius, 1);
}

}  // namespace pdbfw
