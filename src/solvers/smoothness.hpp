// The smoothness of the whole primal objective, which the step rules of the papers are made of.
#pragma once

#include "core/monitor.hpp"
#include "pdbfw/problem.hpp"
#include "pdbfw/settings.hpp"

namespace pdbfw {

// L = beta lambda_max(A'A) / n + max_j q_j,  by power iteration: lambda_max to about one per cent, from above as far as
// the residual of the last vector tells. What it costs is charged.
[[nodiscard]] double primal_smoothness(const Problem& problem, const Settings& settings, Monitor& monitor);

}  // namespace pdbfw
