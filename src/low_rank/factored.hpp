// X in factors: projected gradients in a moving subspace find the rank, Newton's method on the factors does the rest.
#pragma once

#include "core/low_rank_solver.hpp"

namespace pdbfw::low_rank {

class Factored final : public Solver {
 public:
  [[nodiscard]] SolverDescription describe() const override;
  [[nodiscard]] std::unique_ptr<Engine> make_engine(const Problem& problem, const Settings& settings,
                                                    const Start& start) const override;
};

}  // namespace pdbfw::low_rank
