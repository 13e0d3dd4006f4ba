// What every solver and every baseline is.
#pragma once

#include <memory>
#include <string_view>

#include "core/engine.hpp"
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
  [[nodiscard]] virtual Result solve(const Problem& problem, const Settings& settings, const Callback& callback,
                                     const Start& start) const = 0;
  // What iterates, for those who keep it from one problem to the next; null if this solver is not made that way.
  // `start` has been taken into C and the domain.
  [[nodiscard]] virtual std::unique_ptr<Engine> make_engine(const Problem& problem, const Settings& settings,
                                                            const Start& start) const = 0;
};

}  // namespace pdbfw
