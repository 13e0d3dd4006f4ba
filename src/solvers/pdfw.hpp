// Primal-dual Frank-Wolfe for any polytope, with A times each atom kept: the paper's appendix on polytopes.
#pragma once

#include "core/solver.hpp"

namespace pdbfw {

class Pdfw final : public Solver {
 public:
  [[nodiscard]] SolverDescription describe() const override;
  void check(const Problem& problem, const Settings& settings) const override;
  [[nodiscard]] std::unique_ptr<Engine> make_engine(const Problem& problem, const Settings& settings,
                                                    const Start& start) const override;
};

}  // namespace pdbfw
