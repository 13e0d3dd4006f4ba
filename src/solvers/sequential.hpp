// Row-by-row dual ascent against the live primal point, with the exact threshold refresh.
#pragma once

#include <memory>

#include "core/engine.hpp"
#include "core/solver.hpp"

namespace pdbfw {

class Sequential final : public Solver {
 public:
  [[nodiscard]] std::string_view name() const override { return "sequential"; }
  void check(const Problem& problem, const Settings& settings) const override;
  [[nodiscard]] Result solve(const Problem& problem, const Settings& settings, const Callback& callback) const override;
};

[[nodiscard]] std::unique_ptr<Engine> make_sequential_engine(const Problem& problem, const Settings& settings);

}  // namespace pdbfw
