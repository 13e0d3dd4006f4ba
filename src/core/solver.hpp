// What every solver and every baseline of any family is: a row that makes an engine, and the one loop that runs it.
#pragma once

#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/monitor.hpp"
#include "pdbfw/settings.hpp"

namespace pdbfw {

// An algorithm as something that iterates: what a solver runs, and what `auto` chooses between.
template <class Judge>
class EngineOf {
 public:
  EngineOf() = default;
  EngineOf(const EngineOf&) = delete;
  EngineOf& operator=(const EngineOf&) = delete;
  virtual ~EngineOf() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  // One iteration; what it costs is charged to the run, which may ask it to end early.
  virtual void iterate(Run& run) = 0;
  [[nodiscard]] virtual Estimate estimate() = 0;
  [[nodiscard]] virtual typename Judge::Point point() = 0;
};

// The watch was made before the engine, if that was made for this solve alone.
template <class Judge>
typename Judge::Result run(const typename Judge::Problem& problem, const Settings& settings, const Callback& callback,
                           EngineOf<Judge>& engine, Stopwatch watch = {}) {
  MonitorOf<Judge> monitor(problem, settings, callback, watch);
  try {
    while (monitor.carry_on(engine.estimate(), [&] { return engine.point(); })) engine.iterate(monitor.run());
  } catch (const TeamLost& loss) {
    monitor.run().lose_team(loss.what());
  }
  typename Judge::Result result = std::move(monitor).finish();
  result.solver = engine.name();
  return result;
}

template <class Judge, class Engine>
struct SolverOf {
  using Problem = typename Judge::Problem;
  using Start = typename Judge::Start;

  SolverDescription about;
  // `start` has been taken into C and the domain of the conjugate, or is empty.
  std::unique_ptr<Engine> (*make_engine)(const Problem& problem, const Settings& settings, const Start& start);
  template <class Made>
  static std::unique_ptr<Engine> make(const Problem& problem, const Settings& settings, const Start& start) {
    return std::make_unique<Made>(problem, settings, start);
  }
  // Throws InputError for what else this solver cannot take; null: it takes all else.
  void (*refuse)(const Problem& problem, const Settings& settings) = nullptr;

  [[nodiscard]] std::string_view name() const { return about.name; }

  // Throws InputError for a problem or settings that this solver cannot take; called before solve.
  void check(const Problem& problem, const Settings& settings) const {
    if (about.needs_ridge && !Judge::has_ridge(problem))
      throw InputError("ridge", "0", fmt::format("> 0 for the solver {}", name()));
    if (refuse) refuse(problem, settings);
  }
  [[nodiscard]] typename Judge::Result solve(const Problem& problem, const Settings& settings, const Callback& callback,
                                             const Start& start) const {
    const Stopwatch watch;
    return run<Judge>(problem, settings, callback, *make_engine(problem, settings, start), watch);
  }
};

// What most baselines read.
inline constexpr std::array<std::string_view, 2> kStepOptions{"steps", "step_scale"};

}  // namespace pdbfw
