// Our own solvers of the low-rank family, each defined at the end of its own file. The registry lists them.
#pragma once

#include "core/low_rank_judge.hpp"

namespace pdbfw::low_rank {

extern const Solver kAutoSolver;       // the default: our own engines and apg, whichever gets there sooner
extern const Solver kFactoredSolver;   // X in factors: projected gradients find the rank, Newton's method does the rest
extern const Solver kSplittingSolver;  // an exact solve in A, for rows of A times X: for ill-conditioned A      [M31]
extern const Solver kPdbfwSolver;      // Primal-Dual Block Frank-Wolfe: Algorithm 2 of the paper

// Whether `splitting` can take the problem: the map is X -> A X, the smaller side of A is small enough for a dense
// decomposition, and all that is kept is small enough for memory.
[[nodiscard]] bool splitting_applies(const Problem& problem);

}  // namespace pdbfw::low_rank
