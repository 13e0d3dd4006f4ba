// The methods that we compare with, each defined at the end of its own file. The registries list them.
#pragma once

#include <memory>

#include "core/judge.hpp"
#include "core/low_rank_judge.hpp"

namespace pdbfw {

extern const Solver kFwSolver;          // Frank-Wolfe
extern const Solver kFwAwaySolver;      // ... with away steps
extern const Solver kFwPairwiseSolver;  // ... with pairwise steps
extern const Solver kBlockFwSolver;     // block Frank-Wolfe: the primal method that Algorithm 1 is built on
extern const Solver kPgSolver;          // projected gradient
extern const Solver kApgSolver;         // accelerated projected gradient
extern const Solver kSvrgSolver;        // stochastic variance-reduced gradient, with a projection
extern const Solver kScgsSolver;        // stochastic conditional gradient sliding
extern const Solver kStorcSolver;       // ... variance-reduced
extern const Solver kSvrfSolver;        // stochastic variance-reduced Frank-Wolfe

// Where the gradient of block Frank-Wolfe comes from (block_gradient.hpp).
enum class GradientFrom { whichever_is_cheaper, data, gram };
[[nodiscard]] std::unique_ptr<Engine> make_block_fw(const Problem& problem, const Settings& settings,
                                                    const Start& start, GradientFrom from);

}  // namespace pdbfw

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
