// Block Frank-Wolfe: the primal method that Algorithm 1 of the paper is built on.
#pragma once

#include "core/solver.hpp"

namespace pdbfw {

class BlockFw final : public Solver {
 public:
  // Where the gradient comes from (block_gradient.hpp).
  enum class Gradient { whichever_is_cheaper, from_data, from_gram };

  explicit BlockFw(Gradient gradient = Gradient::whichever_is_cheaper) : gradient_(gradient) {}
  [[nodiscard]] SolverDescription describe() const override;
  void check(const Problem& problem, const Settings& settings) const override;
  [[nodiscard]] Result solve(const Problem& problem, const Settings& settings, const Callback& callback,
                             const Start& start) const override;

 private:
  Gradient gradient_;
};

}  // namespace pdbfw
