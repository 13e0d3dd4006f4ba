// An algorithm of the low-rank family as something that iterates.
#pragma once

#include <string>
#include <utility>

#include "core/low_rank_monitor.hpp"

namespace pdbfw::low_rank {

class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  // One iteration; what it costs is charged to the monitor, which may ask it to end early.
  virtual void iterate(Monitor& monitor) = 0;
  [[nodiscard]] virtual Estimate estimate() = 0;  // nonzeros: the rank
  [[nodiscard]] virtual Point point() = 0;
};

inline Result run(const Problem& problem, const Settings& settings, const Callback& callback, Engine& engine,
                  Stopwatch watch = {}) {
  Monitor monitor(problem, settings, callback, watch);
  try {
    while (monitor.carry_on(engine.estimate(), [&] { return engine.point(); })) engine.iterate(monitor);
  } catch (const TeamLost& lost) {
    monitor.lose_team(lost.what());
  }
  Result result = std::move(monitor).finish();
  result.solver = engine.name();
  return result;
}

}  // namespace pdbfw::low_rank
