// Row-by-row dual ascent against the live primal point, with the exact threshold refresh.
#pragma once

#include "core/solver.hpp"

namespace pdbfw {

class Sequential final : public Solver {
 public:
  [[nodiscard]] std::string_view name() const override { return "sequential"; }
  void check(const Problem& problem, const Settings& settings) const override;
  [[nodiscard]] Result solve(const Problem& problem, const Settings& settings, const Callback& callback) const override;
};

}  // namespace pdbfw
