// Primal-Dual Block Frank-Wolfe: Algorithm 1 of the paper.
#pragma once

#include "core/solver.hpp"

namespace pdbfw {

class Pdbfw final : public Solver {
 public:
  [[nodiscard]] SolverDescription describe() const override;
  void check(const Problem& problem, const Settings& settings) const override;
  [[nodiscard]] Result solve(const Problem& problem, const Settings& settings, const Callback& callback,
                             const Start& start) const override;
};

}  // namespace pdbfw
