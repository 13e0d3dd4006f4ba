// What every solver and every baseline is.
#pragma once

#include <string_view>

#include "pdbfw/problem.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/settings.hpp"

namespace pdbfw {

class Solver {
 public:
  Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  virtual ~Solver() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  // Throws InputError for a problem or settings that this solver cannot take; called before solve.
  virtual void check(const Problem& problem, const Settings& settings) const = 0;
  // Const: one solver may serve many threads.
  [[nodiscard]] virtual Result solve(const Problem& problem, const Settings& settings,
                                     const Callback& callback) const = 0;
};

}  // namespace pdbfw
