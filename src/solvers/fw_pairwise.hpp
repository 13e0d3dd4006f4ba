// Pairwise Frank-Wolfe.
#pragma once

#include "core/solver.hpp"

namespace pdbfw {

class FwPairwise final : public Solver {
 public:
  [[nodiscard]] SolverDescription describe() const override;
  void check(const Problem& problem, const Settings& settings) const override;
  [[nodiscard]] Result solve(const Problem& problem, const Settings& settings, const Callback& callback,
                             const Start& start) const override;
};

}  // namespace pdbfw
