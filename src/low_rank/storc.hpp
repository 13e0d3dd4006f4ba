// Stochastic variance-reduced conditional gradient sliding.
#pragma once

#include "core/low_rank_solver.hpp"

namespace pdbfw::low_rank {

class Storc final : public Solver {
 public:
  [[nodiscard]] SolverDescription describe() const override;
  void check(const Problem& problem, const Settings& settings) const override;
  [[nodiscard]] std::unique_ptr<Engine> make_engine(const Problem& problem, const Settings& settings,
                                                    const Start& start) const override;
};

}  // namespace pdbfw::low_rank
