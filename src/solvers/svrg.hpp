// Stochastic variance-reduced gradient, with a projection.
#pragma once

#include "core/solver.hpp"

namespace pdbfw {

class Svrg final : public Solver {
 public:
  [[nodiscard]] SolverDescription describe() const override;
  [[nodiscard]] std::unique_ptr<Engine> make_engine(const Problem& problem, const Settings& settings,
                                                    const Start& start) const override;
};

}  // namespace pdbfw
