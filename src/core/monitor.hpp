// Everything around an algorithm that is not the algorithm: clock, limits, certificates, trace, callback, status. A
// solver's loop is
//
//   Monitor monitor(problem, settings, callback);
//   while (monitor.carry_on(estimate(state), [&] { return point(state); })) { ...one iteration... }
//   return std::move(monitor).finish();
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/certify.hpp"
#include "core/run_monitor.hpp"
#include "pdbfw/problem.hpp"

namespace pdbfw {

struct Point {
  std::vector<double> x, y;
  ColumnBounds columns{};  // if the solver knows them; they live as long as the solver
};

class Monitor final : public RunMonitor {
 public:
  // The solve has begun when the watch was made: earlier than the monitor where a solver has something to prepare.
  Monitor(const Problem& problem, const Settings& settings, const Callback& callback, Stopwatch watch = {});

  // To be asked before every iteration. Certifies the point when the estimate claims the tolerance, when the last
  // certificate is old, or when a limit ends the run; false: stop.
  bool carry_on(const Estimate& estimate, const std::function<Point()>& make_point);

  // -A'y / n of the point that was certified before this iteration; empty when none was.
  [[nodiscard]] std::span<const double> certified_u() const { return certified_.u; }

  // The best primal and the best dual point, their certificate, and why it ended.
  [[nodiscard]] Result finish() &&;

 private:
  void certify_now(Point point);

  const Problem& problem_;
  std::vector<double> x_, y_;  // the best ones
  Index certificates_ = 0;
  DualSide certified_;
};

}  // namespace pdbfw
