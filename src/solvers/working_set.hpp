// The primal engine: a working set of features, its face of C, and Newton's method on the face.
#pragma once

#include <memory>
#include <vector>

#include "core/engine.hpp"
#include "core/solver.hpp"

namespace pdbfw {

class WorkingSet final : public Solver {
 public:
  [[nodiscard]] SolverDescription describe() const override;
  [[nodiscard]] std::unique_ptr<Engine> make_engine(const Problem& problem, const Settings& settings,
                                                    const Start& start) const override;
};

}  // namespace pdbfw
