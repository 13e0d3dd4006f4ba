// The monitor of the low-rank family; used like monitor.hpp's.
#pragma once

#include <functional>

#include "core/run_monitor.hpp"
#include "core/spectral_set.hpp"
#include "pdbfw/low_rank_problem.hpp"

namespace pdbfw::low_rank {

struct Point {
  Factors X;  // any factors; the monitor makes them orthonormal
  Matrix Y;   // no rows: the dual candidate of X
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
  Factors X_;  // the best ones
  Matrix Y_;
  TopSpectrum top_;  // of A*(Y), from one certificate to the next
};

}  // namespace pdbfw::low_rank
