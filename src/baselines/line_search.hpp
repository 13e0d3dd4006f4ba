// The lowest point of the objective on a line.
#pragma once

#include "baselines/frank_wolfe.hpp"
#include "baselines/step_rules.hpp"
#include "core/run.hpp"
#include "pdbfw/problem.hpp"
#include "pdbfw/settings.hpp"

namespace pdbfw {

// For phi(t) = P(x + t e):   phi'(t) = (1/n) sum_i f_i'(w_i + t (A e)_i) (A e)_i + <grad g(x), e> + t sum_j q_j e_j^2.
// O(rows that move) a slope.
[[nodiscard]] double exact_step(const Problem& problem, const PrimalPoint& from, const Direction& e, double most);

// The minimiser of the bound that L-smoothness gives:   <-grad P(x), e> / (L |e|^2),  `slope` = <grad P(x), e>.
[[nodiscard]] double short_step(const Direction& e, double slope, double L);

// The smoothness of the whole primal objective, which the step rules of the papers are made of.

// For methods that take L as it is, and for those that tune it while running: that costs a few passes only.
inline constexpr double kExactly = 0.01, kRoughly = 0.3;

// L = beta lambda_max(A'A) / n + max_j q_j,  by power iteration: lambda_max up to the share `accuracy` of it, from
// above as far as the residual of the last vector tells. What it costs is charged.
[[nodiscard]] double primal_smoothness(const Problem& problem, const Settings& settings, Run& run,
                                       double accuracy = kExactly);

}  // namespace pdbfw
