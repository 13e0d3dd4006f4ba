// Everything around an algorithm that is not the algorithm: clock, limits, certificates, trace, callback, status. A
// solver's loop is
//
//   Monitor monitor(problem, settings, callback);
//   while (monitor.carry_on(estimate(state), [&] { return point(state); })) { ...one iteration... }
//   return std::move(monitor).finish();
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "core/certify.hpp"
#include "pdbfw/problem.hpp"
#include "pdbfw/result.hpp"

namespace pdbfw {

// What a solver believes after an iteration, from its running products. Cheap, perhaps stale or drifted: it decides
// only when a certificate is worth its price.
struct Estimate {
  double primal;
  double dual;
  Index nonzeros;
};

struct Point {
  std::vector<double> x, y;
  ColumnSums columns{};  // if the solver knows them; they live as long as the solver
};

class Monitor {
 public:
  // The solve has begun when the watch was made: earlier than the monitor where a solver has something to prepare.
  Monitor(const Problem& problem, const Settings& settings, const Callback& callback, Stopwatch watch = {});

  // To be asked before every iteration. Certifies the point when the estimate claims the tolerance, when the last
  // certificate is old, or when a limit ends the run; false: stop.
  bool carry_on(const Estimate& estimate, const std::function<Point()>& make_point);

  // To be asked inside a long iteration. False: end the iteration early, carry_on will stop.
  bool may_go_on();

  // Entries of A that were multiplied and added, and calls of the set's oracles.
  void charge(double multiply_adds, Index oracle_calls = 0);

  // Work beside the products with A (n scalar steps, a factorisation), for those who compare engines; not reported.
  void charge_other(double multiply_adds) { other_ += multiply_adds; }
  // All of it in passes over the data.
  [[nodiscard]] double effort() const;

  [[nodiscard]] const Work& work() const { return result_.work; }
  // Of the last iteration: certified if it was, else estimated.
  [[nodiscard]] double relative_gap() const { return now_.relative_gap; }
  [[nodiscard]] Index nonzeros() const { return now_.nonzeros; }
  // -A'y / n of the point that was certified before this iteration; empty when none was.
  [[nodiscard]] std::span<const double> certified_u() const { return certified_.u; }
  // Settings in force, for the solver to fill in what it chose itself.
  Settings& settings() { return result_.settings; }

  // The best primal and the best dual point, their certificate, and why it ended.
  [[nodiscard]] Result finish() &&;

 private:
  [[nodiscard]] double relative(double gap, double primal) const;
  [[nodiscard]] bool certificate_is_due(double relative_gap) const;
  void certify_now(Point point);
  void watch_progress();
  void check_limits();
  void record(const TracePoint& row);
  void stop(Status status, std::string message);
  bool ask_callback(const TracePoint& row);
  [[nodiscard]] double seconds_left() const;

  const Problem& problem_;
  const Callback& callback_;
  Stopwatch watch_;
  Result result_;
  bool has_started_ = false;
  bool has_stopped_ = false;
  double tiny_;  // kTinyFraction * P(0)
  Index certificates_ = 0;
  Index refuted_claims_ = 0;
  double certified_at_ = 0;  // multiply-adds when the last certificate was made
  Index certified_iteration_ = 0;
  double work_of_certificates_ = 0;  // multiply-adds
  double asked_at_ = 0;              // seconds when the callback was last asked
  double best_gap_;                  // smallest certified gap, and when it was found
  Index best_gap_iteration_ = 0;
  double best_gap_passes_ = 0, best_gap_work_ = 0;
  double other_ = 0;  // multiply-adds beside those with A
  DualSide certified_;
  TracePoint now_;
};

}  // namespace pdbfw
