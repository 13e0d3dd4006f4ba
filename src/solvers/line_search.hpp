// The lowest point of a convex function on a line.
#pragma once

#include <functional>

#include "solvers/primal_state.hpp"

namespace pdbfw {

// The t in [0, most] that minimises a convex, differentiable phi, from its slopes alone: where the slope is at most a
// ten-thousandth of that at 0, or `most` if it is falling still. Newton's first step, then secants inside the bracket;
// one step of it where the slope is linear. phi(t) <= phi(0) up to the rounding of the slopes.
[[nodiscard]] double line_minimum(const std::function<double(double)>& slope, double slope_at_0, double curvature_at_0,
                                  double most);

// For phi(t) = P(x + t e):   phi'(t) = (1/n) sum_i f_i'(w_i + t (A e)_i) (A e)_i + <grad g(x), e> + t sum_j q_j e_j^2.
// O(rows that move) a slope.
[[nodiscard]] double exact_step(const Problem& problem, const PrimalState& st, const Direction& e, double most);

// The minimiser of the bound that L-smoothness gives:   <-grad P(x), e> / (L |e|^2).
[[nodiscard]] double short_step(const PrimalState& st, const Direction& e, double L);

}  // namespace pdbfw
