// The methods that we compare with, for the low-rank family; each is defined at the end of its own file. The registry
// lists them.
#pragma once

#include "core/low_rank_judge.hpp"

namespace pdbfw::low_rank {

extern const Solver kFwSolver;       // Frank-Wolfe
extern const Solver kSfwSolver;      // stochastic Frank-Wolfe
extern const Solver kBlockFwSolver;  // block Frank-Wolfe: the primal method that Algorithm 2 is built on
extern const Solver kPgSolver;       // projected gradient
extern const Solver kApgSolver;      // accelerated projected gradient
extern const Solver kSvrgSolver;     // stochastic variance-reduced gradient, with a projection
extern const Solver kScgsSolver;     // stochastic conditional gradient sliding
extern const Solver kStorcSolver;    // ... variance-reduced
extern const Solver kSvrfSolver;     // stochastic variance-reduced Frank-Wolfe

}  // namespace pdbfw::low_rank
