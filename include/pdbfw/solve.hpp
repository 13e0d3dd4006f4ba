// Solve a problem and prove it.
//
//   pdbfw::Result r = pdbfw::solve(problem, {.tol = 1e-6});
//   r.x, r.certificate.relative_gap, pdbfw::to_string(r.status), r.message ...
#pragma once

#include <string_view>
#include <vector>

#include "pdbfw/problem.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/settings.hpp"

namespace pdbfw {

// Throws InputError for a bad problem or bad settings; afterwards all trouble is in Result::status and ::message.
// Prints nothing and keeps no state: any number of solves may run at once. The same seed gives the same bits.
[[nodiscard]] Result solve(const Problem& problem, const Settings& settings = {}, const Callback& callback = {});

[[nodiscard]] std::vector<std::string_view> solver_names();

}  // namespace pdbfw
