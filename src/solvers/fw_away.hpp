// Frank-Wolfe with away steps.
#pragma once

#include "core/solver.hpp"

namespace pdbfw {

class FwAway final : public Solver {
 public:
  [[nodiscard]] SolverDescription describe() const override;
  void check(const Problem& problem, const Settings& settings) const override;
  [[nodiscard]] Result solve(const Problem& problem, const Settings& settings, const Callback& callback,
                             const Start& start) const override;
};

}  // namespace pdbfw
