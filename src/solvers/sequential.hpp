// Row-by-row dual ascent against the live primal point, with the exact threshold refresh.
#pragma once

#include <memory>

#include "core/engine.hpp"
#include "core/solver.hpp"

namespace pdbfw {

// Up to so many rows Newton's method on the dual [M17] helps the sweeps along, while its steps are cheap.
inline constexpr Index kFewRows = 2'000;

class Sequential final : public Solver {
 public:
  [[nodiscard]] SolverDescription describe() const override;
  [[nodiscard]] std::unique_ptr<Engine> make_engine(const Problem& problem, const Settings& settings,
                                                    const Start& start) const override;
};

}  // namespace pdbfw
