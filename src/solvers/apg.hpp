// Accelerated projected gradient.
#pragma once

#include "core/solver.hpp"

namespace pdbfw {

class Apg final : public Solver {
 public:
  [[nodiscard]] SolverDescription describe() const override;
  [[nodiscard]] std::unique_ptr<Engine> make_engine(const Problem& problem, const Settings& settings,
                                                    const Start& start) const override;
};

}  // namespace pdbfw
