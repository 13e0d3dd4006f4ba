// A problem whose samples are spread over a team.                                                               [M21b]
#pragma once

#include "pdbfw/low_rank_problem.hpp"

namespace pdbfw::low_rank {

// The same problem with a map and a loss that know the team; as it is where there is none. Then
//   A(X), gradients and proxes          are those of the samples here, as before;
//   A*(Y) and its products with blocks  are summed over the team: what comes back is the same at every member;
//   totals, norms and constants         are those of all samples;
//   costs                               are the mean of the members', so that they compare with work that all repeat.
// Every member calls them alike. Given a problem that went through this already, it would count everything twice.
[[nodiscard]] Problem over_team(const Problem& problem);

}  // namespace pdbfw::low_rank
