// The lowest point of the objective on a line.
#pragma once

#include "baselines/primal_state.hpp"
#include "baselines/step_rules.hpp"

namespace pdbfw {

// For phi(t) = P(x + t e):   phi'(t) = (1/n) sum_i f_i'(w_i + t (A e)_i) (A e)_i + <grad g(x), e> + t sum_j q_j e_j^2.
// O(rows that move) a slope.
[[nodiscard]] double exact_step(const Problem& problem, const PrimalState& st, const Direction& e, double most);

// The minimiser of the bound that L-smoothness gives:   <-grad P(x), e> / (L |e|^2).
[[nodiscard]] double short_step(const PrimalState& st, const Direction& e, double L);

}  // namespace pdbfw
