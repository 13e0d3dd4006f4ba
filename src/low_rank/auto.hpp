// The default solver of the low-rank family: whichever engine gets there sooner.
#pragma once

#include "core/low_rank_solver.hpp"

namespace pdbfw::low_rank {

class Auto final : public Solver {
 public:
  [[nodiscard]] SolverDescription describe() const override;
  [[nodiscard]] std::unique_ptr<Engine> make_engine(const Problem& problem, const Settings& settings,
                                                    const Start& start) const override;
};

}  // namespace pdbfw::low_rank
