// What every solver and every baseline of the low-rank family is.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string_view>

#include "core/low_rank_engine.hpp"
#include "pdbfw/settings.hpp"

namespace pdbfw::low_rank {

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
    if (describe().needs_ridge && !(problem.ridge > 0))
      throw InputError("ridge", "0", fmt::format("> 0 for the solver {}", name()));
  }
  // `start` lies in C and in the domain, or is empty.
  [[nodiscard]] virtual std::unique_ptr<Engine> make_engine(const Problem& problem, const Settings& settings,
                                                            const Start& start) const = 0;
  // The problem of a team has gone through over_team() (low_rank_team.hpp), and all members call it together. Throws
  // TeamLost only where there is no point yet.
  [[nodiscard]] Result solve(const Problem& problem, const Settings& settings, const Callback& callback,
                             const Start& start) const {
    const Stopwatch watch;
    return run(problem, settings, callback, *make_engine(problem, settings, start), watch);
  }
};

}  // namespace pdbfw::low_rank
