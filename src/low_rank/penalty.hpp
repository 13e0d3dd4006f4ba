// Penalties that find themselves.                                                                              [M31e]
#pragma once

#include <algorithm>
#include <cmath>

#include "pdbfw/errors.hpp"

namespace pdbfw::low_rank {

// For two copies x, z of one thing: |x - z| large says that the penalty on x = z is too small, a large step of z
// that it is too large. The factor is bounded by 10 at first, and the product of all bounds is finite, so that the
// penalty settles and the theory of a fixed one applies.
[[nodiscard]] inline double balancing_factor(double apart, double step, Index iteration) {
  if (!(apart > 0) || !(step > 0)) return 1;
  constexpr double kLargest = 10, kSettled = 10;
  const double share = static_cast<double>(iteration) / kSettled;
  const double bound = std::pow(kLargest, 1 / (1 + share * share));
  return std::clamp(std::sqrt(apart / step), 1 / bound, bound);
}

// Steps go on beyond the minimiser by this much: over-relaxation, in (0, 2); this is the usual value.
constexpr double kRelaxation = 1.6;

}  // namespace pdbfw::low_rank
