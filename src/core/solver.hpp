// What every solver and every baseline is.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string_view>

#include "core/engine.hpp"
#include "pdbfw/problem.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/settings.hpp"

namespace pdbfw {

// A solver that is one engine overrides make_engine, any other one solve.
class Solver {
 public:
  Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  virtual ~Solver() = default;

  [[nodiscard]] virtual SolverDescription describe() const = 0;
  [[nodiscard]] std::string_view name() const { return describe().name; }

  // Throws InputError for a problem or settings that this solver cannot take; called before solve.
  virtual void check(const Problem& problem, const Settings& /*settings*/) const {
    if (describe().needs_ridge && !(problem.regulariser->strong_convexity() > 0))
      throw InputError("ridge", "0", fmt::format("> 0 for the solver {}", name()));
  }
  // Const: one solver may serve many threads.
  [[nodiscard]] virtual Result solve(const Problem& problem, const Settings& settings, const Callback& callback,
                                     const Start& start) const {
    const Stopwatch watch;
    return run(problem, settings, callback, *make_engine(problem, settings, start), watch);
  }
  // What iterates, for those who keep it from one problem to the next; null if this solver is not made that way.
  // `start` has been taken into C and the domain.
  [[nodiscard]] virtual std::unique_ptr<Engine> make_engine(const Problem& /*problem*/, const Settings& /*settings*/,
                                                            const Start& /*start*/) const {
    return nullptr;
  }
};

}  // namespace pdbfw
