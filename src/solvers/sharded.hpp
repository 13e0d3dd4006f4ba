// Sequential dual ascent over rows that are divided among the members of a team, or streamed from a file, or both.
#pragma once

#include "core/solver.hpp"

namespace pdbfw {

class Sharded final : public Solver {
 public:
  [[nodiscard]] SolverDescription describe() const override;
  [[nodiscard]] std::unique_ptr<Engine> make_engine(const Problem& problem, const Settings& settings,
                                                    const Start& start) const override;
};

}  // namespace pdbfw
