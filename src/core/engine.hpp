// An algorithm as something that iterates: what a solver runs, and what `auto` chooses between.
#pragma once

#include <string>
#include <utility>

#include "core/monitor.hpp"

namespace pdbfw {

class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  // One iteration; what it costs is charged to the monitor, which may ask it to end early.
  virtual void iterate(Monitor& monitor) = 0;
  // The problem's set has another radius now.
  virtual void radius_has_changed() = 0;
  // Passes over the data before which its rate of progress means little.
  [[nodiscard]] virtual double first_look() const { return 0; }
  [[nodiscard]] virtual Estimate estimate() = 0;
  [[nodiscard]] virtual Point point() const = 0;
};

// The whole of a solver that is one engine. The watch was made before the engine, if that was made for this solve
// alone.
inline Result run(const Problem& problem, const Settings& settings, const Callback& callback, Engine& engine,
                  Stopwatch watch = {}) {
  Monitor monitor(problem, settings, callback, watch);
  try {
    while (monitor.carry_on(engine.estimate(), [&] { return engine.point(); })) engine.iterate(monitor);
  } catch (const TeamLost& loss) {
    monitor.lose_team(loss.what());
  }
  Result result = std::move(monitor).finish();
  result.solver = engine.name();
  return result;
}

}  // namespace pdbfw
