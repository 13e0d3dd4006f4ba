// The smoothness of the whole primal objective, which the step rules of the papers are made of.
#pragma once

#include "core/run.hpp"
#include "pdbfw/problem.hpp"
#include "pdbfw/settings.hpp"

namespace pdbfw {

// For methods that take L as it is, and for those that tune it while running: that costs a few passes only.
inline constexpr double kExactly = 0.01, kRoughly = 0.3;

// L = beta lambda_max(A'A) / n + max_j q_j,  by power iteration: lambda_max up to the share `accuracy` of it, from
// above as far as the residual of the last vector tells. What it costs is charged.
[[nodiscard]] double primal_smoothness(const Problem& problem, const Settings& settings, Run& run,
                                       double accuracy = kExactly);

}  // namespace pdbfw
