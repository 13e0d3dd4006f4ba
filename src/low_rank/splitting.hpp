// Splitting with an exact solve in A, for rows of A times X: what ill-conditioned A needs.                     [M31]
#pragma once

#include "core/low_rank_solver.hpp"

namespace pdbfw::low_rank {

class Splitting final : public Solver {
 public:
  [[nodiscard]] SolverDescription describe() const override;
  void check(const Problem& problem, const Settings& settings) const override;
  [[nodiscard]] std::unique_ptr<Engine> make_engine(const Problem& problem, const Settings& settings,
                                                    const Start& start) const override;

  // Whether the map is X -> A X, the smaller side of A small enough for a dense decomposition, and all that is kept
  // small enough for memory.
  [[nodiscard]] static bool is_applicable(const Problem& problem);
};

}  // namespace pdbfw::low_rank
