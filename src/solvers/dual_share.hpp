// The share of a dual point that proves most.
#pragma once

#include <span>

#include "pdbfw/problem.hpp"

namespace pdbfw {

struct DualShare {
  double share, value;  // of y, and its D on the features that u and q speak of
};

// All of y; for a penalty, as much as has the features without a ridge in its zone, or, far from the optimum, where
// those with a ridge may cost far more than the loss is worth, all features. `u` is -A'y / n of the features whose
// curvatures are `q`, and `primal` the P that D is to be near.                                                [M39]
[[nodiscard]] DualShare best_share(const Problem& problem, std::span<const double> y, std::span<const double> u,
                                   const Curvatures& q, const DeadZone& zone, double primal);

}  // namespace pdbfw
