// Our own solvers of sparse problems, each defined at the end of its own file (those of the sweeps in
// sweeps/engine.cpp). The registry lists them.
#pragma once

#include "core/judge.hpp"

namespace pdbfw {

extern const Solver kAutoSolver;        // the default: our own engines, whichever gets there sooner
extern const Solver kSequentialSolver;  // row-by-row dual ascent against the live primal point
extern const Solver kWorkingSetSolver;  // a working set of features, its face of C, and Newton's method on the face
extern const Solver kShardedSolver;     // the sweeps over rows that a team shares, or that are streamed, or both
extern const Solver kPdbfwSolver;       // Primal-Dual Block Frank-Wolfe: Algorithm 1 of the paper
extern const Solver kPdfwSolver;        // primal-dual Frank-Wolfe for any polytope: the paper's appendix

}  // namespace pdbfw
