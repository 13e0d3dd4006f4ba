// The one equation behind the l1 ball and the simplex: the t that meets the radius,                         [M6]
//     sum_j ( m_j - t )_+ / q_j = radius,
// for magnitudes m_j and curvatures q_j. Linear time by Michelot's iteration: assume that every candidate is above t,
// solve for t, drop the candidates that turn out to lie below, repeat. t only rises, so a dropped one never comes back.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "pdbfw/regulariser.hpp"

namespace pdbfw {

struct Candidate {
  double magnitude;
  double inverse_q;
};

// The t of the candidates; they shrink to those above it. Sums run over the survivors in index order, so the answer
// does not depend on how many hopeless candidates there were to begin with.
inline double meet_radius(std::vector<Candidate>& candidates, double radius) {
  for (;;) {
    double weighted = 0, weight = 0;
    for (const Candidate& c : candidates) {
      weighted += c.magnitude * c.inverse_q;
      weight += c.inverse_q;
    }
    const double t = (weighted - radius) / weight;
    const std::size_t before = candidates.size();
    std::erase_if(candidates, [t](const Candidate& c) { return !(c.magnitude > t); });
    if (candidates.size() == before) return t;
    if (candidates.empty()) return t;  // rounding alone; every magnitude equals t
  }
}

// `magnitude(j)` for j = 0 .. count - 1. The answer is never below `floor` (0 where a slack radius costs nothing, -inf
// where the radius must be met), and never below a magnitude whose q is 0, which would else grow without bound.
// `guess`: a value near the answer or NaN.
template <class Magnitude>
double find_threshold(Index count, const Magnitude& magnitude, const Curvatures& q, double radius, double floor,
                      double guess) {
  double lowest = floor;
  if (!q.is_uniform() || q.uniform == 0)
    for (Index j = 0; j < count; ++j)
      if (q[j] == 0) lowest = std::max(lowest, magnitude(j));
  if (q.is_uniform() && q.uniform == 0) return lowest;

  std::vector<Candidate> candidates;
  const auto collect_above = [&](double bound) {
    double sum = 0;
    candidates.clear();
    for (Index j = 0; j < count; ++j) {
      const double m = magnitude(j);
      if (m > bound && q[j] > 0) {
        candidates.push_back({m, 1 / q[j]});
        sum += (m - bound) / q[j];
      }
    }
    return sum;
  };
  // If what lies above a bound overfills the radius, t is above the bound and nothing below it matters. A little under
  // the last answer is the bound to try first.
  constexpr double kUnderGuess = 0.9;
  constexpr double kClearly = 1 + 1e-9;  // where rounding decides, it must decide as it does without a guess
  const double bound = guess > 0 ? kUnderGuess * guess : guess;
  const bool guess_helps = bound > lowest && collect_above(bound) >= kClearly * radius;
  if (!guess_helps && collect_above(lowest) <= radius && lowest > -std::numeric_limits<double>::infinity())
    return lowest;
  if (candidates.empty()) return lowest;
  return std::max(lowest, meet_radius(candidates, radius));
}

}  // namespace pdbfw
