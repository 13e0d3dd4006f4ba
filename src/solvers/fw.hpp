// Frank-Wolfe.
#pragma once

#include "core/solver.hpp"

namespace pdbfw {

class Fw final : public Solver {
 public:
  [[nodiscard]] SolverDescription describe() const override;
  [[nodiscard]] Result solve(const Problem& problem, const Settings& settings, const Callback& callback,
                             const Start& start) const override;
};

}  // namespace pdbfw
