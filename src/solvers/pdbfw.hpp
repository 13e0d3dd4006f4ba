// Primal-Dual Block Frank-Wolfe: Algorithm 1 of the paper.
#pragma once

#include "core/solver.hpp"

namespace pdbfw {

class Pdbfw final : public Solver {
 public:
  [[nodiscard]] std::string_view name() const override { return "pdbfw"; }
  void check(const Problem& problem, const Settings& settings) const override;
  [[nodiscard]] Result solve(const Problem& problem, const Settings& settings, const Callback& callback,
                             const Start& start) const override;
  [[nodiscard]] std::unique_ptr<Engine> make_engine(const Problem&, const Settings&, const Start&) const override {
    return nullptr;
  }
};

}  // namespace pdbfw
