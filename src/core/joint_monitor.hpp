// The monitor of joint problems; used like monitor.hpp's.
#pragma once

#include <functional>

#include "core/joint_certify.hpp"
#include "core/run_monitor.hpp"
#include "pdbfw/joint_problem.hpp"

namespace pdbfw::joint {

struct Point {
  SparseRows X;
  Matrix Y;
};

class Monitor final : public RunMonitor {
 public:
  Monitor(const Problem& problem, const Settings& settings, const Callback& callback, Stopwatch watch = {});

  bool carry_on(const Estimate& estimate, const std::function<Point()>& make_point);

  // The best primal and the best dual point, their certificate, and why it ended.
  [[nodiscard]] Result finish() &&;

 private:
  void certify_now(Point point);

  const Problem& problem_;
  SparseRows X_;  // the best ones
  Matrix Y_;
};

}  // namespace pdbfw::joint
