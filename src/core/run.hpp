// Everything around an algorithm that is neither the algorithm nor the problem: clock, limits, charges, trace,
// callback, checkpoints, and why it ended. What a point is and how it is certified, a family's judge knows
// (solver.hpp).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "base/clock.hpp"
#include "core/verdict.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/team.hpp"

namespace pdbfw {

// What a solver believes after an iteration, from its running products. Cheap, perhaps stale or drifted: it decides
// only when a certificate is worth its price.
struct Estimate {
  double primal;
  double dual;
  Index nonzeros;
};

// What rounding may leave of the constraint.
[[nodiscard]] double largest_violation(double radius);

class Run {
 public:
  // What the members of a team charge: each its own work, or all the same numbers, so that none need be asked.
  enum class Charges { own, common };

  // `pass` is the number of multiply-adds of one pass over the data. The solve has begun when the watch was made:
  // earlier than the run where a solver has something to prepare.
  Run(const Settings& settings, const Callback& callback, double pass, Stopwatch watch = {}, TeamPtr team = {},
      Charges charges = Charges::own);
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() = default;

  // For engines:

  // To be asked inside a long iteration. False: end the iteration early, carry_on will stop. The members of a team stop
  // between iterations only, all at the same one.
  bool may_go_on();

  // Entries of A that were multiplied and added, and calls of the set's oracles.
  void charge(double multiply_adds, Index oracle_calls = 0);
  // Work beside the products with A (n scalar steps, a factorisation), to compare engines by; not reported.
  void charge_other(double multiply_adds) { (has_own_charges_ ? own_other_ : other_) += multiply_adds; }
  // All of it in passes over the data.
  [[nodiscard]] double effort() const;

  [[nodiscard]] const Work& work() const { return outcome_.work; }
  // The gap of the last iteration: certified if it was, else estimated.
  [[nodiscard]] double relative_gap() const { return now_.relative_gap; }
  [[nodiscard]] Index nonzeros() const { return now_.nonzeros; }
  // -A'y / n of the point that was certified before this iteration; empty when none was, or not all of it was needed.
  [[nodiscard]] std::span<const double> certified_u() const { return certified_u_; }
  // Settings in force, for the solver to fill in what it chose itself.
  Settings& settings() { return outcome_.settings; }

  // For the monitor:

  // To be asked before every iteration; false: stop. `certify` makes a certificate of the point as it is now, between
  // begin_certificate() and end_certificate(): when the estimate claims the tolerance, when the last certificate is
  // old, or when a limit ends the run.
  bool carry_on(const Estimate& estimate, const std::function<void()>& certify);
  void set_objective_at_zero(double value) { objective_at_zero_ = value; }
  void begin_certificate() {
    work_before_certificate_ = outcome_.work.multiply_adds;
    effort_before_certificate_ = effort();
  }
  // The outcome's certificate has the values of the best two points by now, and `rounding` belongs to its dual value;
  // `most` is the largest violation that rounding may leave.
  void end_certificate(const Rounding& rounding, double most);
  void note_certified_u(std::span<const double> u) { certified_u_ = u; }
  // After carry_on: calls `save` when a point is to be kept and the run goes on. It is told whether to give the point
  // as it is now or the best that was certified, and which numbers belong to it. No certificate is made, so that a run
  // is the same with checkpoints and without.
  void save_if_due(const Estimate& estimate, const std::function<void(bool is_now, const TracePoint& at)>& save);
  [[nodiscard]] const Settings::Checkpoints& checkpoints() const { return checkpoints_; }
  // Another member is lost: nothing can be certified any more, and the best point so far is the last.
  void lose_team(const std::string& why);
  [[nodiscard]] Outcome& outcome() { return outcome_; }
  // With the last words of the message.
  [[nodiscard]] Outcome conclude(double most) &&;

 private:
  [[nodiscard]] double relative(double gap, double primal) const;
  [[nodiscard]] bool is_claim(double relative_gap) const;
  [[nodiscard]] bool is_near_rounding(double relative_gap) const;
  [[nodiscard]] bool certificate_is_due(double relative_gap) const;
  void watch_progress();
  void check_limits();
  void record(const TracePoint& row);
  void stop(Status status, std::string message);
  void agree();
  [[nodiscard]] bool checkpoint_is_near() const;
  bool ask_callback(const TracePoint& row);
  [[nodiscard]] double seconds_left() const;

  Outcome outcome_;
  Rounding rounding_;  // of the outcome's dual value
  TracePoint now_;
  std::span<const double> certified_u_;
  Callback callback_;
  double pass_;
  Stopwatch watch_;
  bool has_started_ = false;
  bool has_stopped_ = false;
  double objective_at_zero_ = 0;
  Index refuted_claims_ = 0;
  double certified_at_ = 0;  // multiply-adds when the last certificate was made
  Index certified_iteration_ = 0;
  double work_before_certificate_ = 0, work_of_certificates_ = 0;                           // multiply-adds
  double effort_before_certificate_ = 0, certified_effort_ = 0, price_of_certificate_ = 0;  // effort()
  double asked_at_ = 0;  // seconds when the callback was last asked
  double best_gap_;      // smallest certified gap, and when it was found
  Index best_gap_iteration_ = 0;
  double best_gap_passes_ = 0, best_gap_work_ = 0;
  double other_ = 0;  // multiply-adds beside those with A
  Settings::Checkpoints checkpoints_;
  double saved_at_ = 0;  // seconds when the last one was kept
  bool is_checkpoint_due_ = false;
  // In a team: work that the others have not been told of, and what this member would stop for.
  TeamPtr team_;
  bool has_own_charges_;
  double own_work_ = 0, own_other_ = 0;
  struct Wish {
    Status status;
    std::string message;
  };
  std::optional<Wish> wish_;
};

}  // namespace pdbfw
