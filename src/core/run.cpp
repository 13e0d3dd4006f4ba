#include "core/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/verdict.hpp"

namespace pdbfw {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A certificate costs two passes over the data. Without a claim of the solver's own, one is made once per
// kPassesBetweenCertificates passes, so that all of them together cost a tenth of the run.
constexpr double kPassesBetweenCertificates = 20;
// Where a certificate costs more than that, because a spectrum belongs to it: kPricesBetweenCertificates times the
// effort of the last one, or kIterationsBetweenCertificates iterations.
constexpr double kPricesBetweenCertificates = 9;
constexpr Index kIterationsBetweenCertificates = 50;
// After a claim that did not hold, the next one is looked at after a pass over the data, and after
// two, three ... when claims keep failing.
constexpr double kPassesAfterClaim = 1;
// What rounding may leave of the constraint, relative to the radius.
constexpr double kLargestViolation = 1e-9;
// The gap must fall by this factor ...
constexpr double kProgress = 0.999;
// ... within kPatience iterations and half as many again as were made before, and kPatiencePasses passes and three
// times as many again as were spent before (`auto` may give the wrong engine a long turn); else the run has stalled.
constexpr Index kPatience = 1'000;
constexpr double kPatiencePasses = 1'000;
// Near rounding, the solver's own as well, there is little to wait for: below kNearRounding times that of the
// certificate, and below kRoundingGap of the objective. Before the first certificate, an estimate that is small enough
// asks for one.
constexpr double kNearRounding = 100;
constexpr double kRoundingGap = 1e-12;
constexpr double kFirstLook = 1e-9;
constexpr Index kRoundingPatience = 20;
// The callback is asked after every iteration, and inside one when this much time has passed.
constexpr double kSecondsBetweenCalls = 0.05;
// All early iterations are in the trace, later ones when their number has grown by this factor.
constexpr Index kTraceAll = 1'000;
constexpr double kTraceGrowth = 1.005;

// The members of a team come to such an end by the same numbers; time and callbacks are their own.
bool is_common(Status status) { return status != Status::time_limit && status != Status::interrupted; }

}  // namespace

Run::Run(const Settings& settings, const Callback& callback, double pass, Stopwatch watch, TeamPtr team,
         Charges charges)
    : callback_(callback),
      pass_(std::max(1.0, pass)),
      watch_(watch),
      best_gap_(kInfinity),
      team_(std::move(team)),
      has_own_charges_(team_ && charges == Charges::own) {
  outcome_.settings = settings;
  checkpoints_ = std::exchange(outcome_.settings.checkpoints, {});  // a result must not keep alive what they refer to
  outcome_.certificate = {kInfinity, -kInfinity, kInfinity, kInfinity, kInfinity};
}

double largest_violation(double radius) { return kLargestViolation * radius; }

double Run::relative(double gap, double primal) const {
  return std::isfinite(gap) ? gap / unit_of_gap(primal, objective_at_zero_) : kInfinity;
}

void Run::charge(double multiply_adds, Index oracle_calls) {
  (has_own_charges_ ? own_work_ : outcome_.work.multiply_adds) += multiply_adds;
  outcome_.work.oracle_calls += oracle_calls;
  outcome_.work.data_passes = outcome_.work.multiply_adds / pass_;
}

double Run::effort() const { return (outcome_.work.multiply_adds + other_) / pass_; }

bool Run::carry_on(const Estimate& estimate, const std::function<void()>& certify) {
  if (has_started_) ++outcome_.work.iterations;
  has_started_ = true;
  is_checkpoint_due_ = checkpoint_is_near();
  if (team_) agree();
  const double gap = estimate.primal - estimate.dual;
  now_ = {.iteration = outcome_.work.iterations,
          .seconds = watch_.seconds(),
          .data_passes = outcome_.work.data_passes,
          .multiply_adds = outcome_.work.multiply_adds,
          .primal = estimate.primal,
          .dual = estimate.dual,
          .gap = gap,
          .relative_gap = relative(gap, estimate.primal),
          .nonzeros = estimate.nonzeros};
  if (!std::isfinite(estimate.primal) || std::isnan(estimate.dual))
    stop(Status::diverged, fmt::format("the objective became {} at iteration {}", estimate.primal, now_.iteration));
  check_limits();
  if (has_stopped_ || certificate_is_due(now_.relative_gap)) certify();
  if (!has_stopped_) watch_progress();
  record(now_);
  const bool was_going = !has_stopped_;
  if (was_going) ask_callback(now_);
  if (was_going && has_stopped_) certify();
  return !has_stopped_;
}

// Clocks, callbacks and rows differ from member to member; what decides must not. So the work is that of all, and what
// one member would stop for all stop for.
void Run::agree() {
  const std::size_t count = statuses().size();
  std::vector<double> sums(count + 3);
  sums[count] = std::exchange(own_work_, 0.0);
  sums[count + 1] = std::exchange(own_other_, 0.0);
  sums[count + 2] = is_checkpoint_due_ && team_->rank() == 0 ? 1 : 0;
  now_.seconds = watch_.seconds();
  check_limits();
  if (wish_) sums[static_cast<std::size_t>(wish_->status)] = 1;
  team_->sum(sums);
  outcome_.work.multiply_adds += sums[count];
  outcome_.work.data_passes = outcome_.work.multiply_adds / pass_;
  other_ += sums[count + 1];
  is_checkpoint_due_ = sums[count + 2] > 0;
  for (std::size_t status = 0; status < count && !has_stopped_; ++status) {
    if (sums[status] == 0) continue;
    has_stopped_ = true;
    outcome_.status = static_cast<Status>(status);
    const bool is_own = wish_ && wish_->status == outcome_.status;
    outcome_.message = is_own ? wish_->message : fmt::format("{} at another process", to_string(outcome_.status));
  }
}

bool Run::checkpoint_is_near() const {
  return (checkpoints_.save || checkpoints_.save_matrix || checkpoints_.save_joint) &&
         watch_.seconds() - saved_at_ >= checkpoints_.every_seconds;
}

void Run::save_if_due(const Estimate& estimate, const std::function<void(bool is_now, const TracePoint& at)>& save) {
  if (has_stopped_ || !is_checkpoint_due_) return;
  const Certificate& best = outcome_.certificate;
  const bool is_now = estimate.primal - estimate.dual < best.gap;
  TracePoint at = now_;
  at.primal = is_now ? estimate.primal : best.primal;
  at.dual = is_now ? estimate.dual : best.dual;
  at.gap = at.primal - at.dual;
  at.relative_gap = relative(at.gap, at.primal);
  at.is_certified = !is_now;
  save(is_now, at);
  saved_at_ = watch_.seconds();  // when it ended: a slow disk must not stop the run
}

void Run::lose_team(const std::string& why) {
  has_stopped_ = true;
  outcome_.status = Status::team_lost;
  outcome_.message = why;
}

bool Run::may_go_on() {
  if (team_) return !has_stopped_;
  now_.seconds = watch_.seconds();
  check_limits();
  if (!has_stopped_ && now_.seconds - asked_at_ >= kSecondsBetweenCalls) ask_callback(now_);
  return !has_stopped_;
}

// A gap below kAgreement would be called 0.
bool Run::is_claim(double relative_gap) const { return relative_gap <= outcome_.settings.tol; }

bool Run::is_near_rounding(double relative_gap) const {
  const Certificate& best = outcome_.certificate;
  if (!std::isfinite(best.gap)) return relative_gap <= kFirstLook;
  const double rounding = relative(rounding_.of_gap + rounding_.out_of_reach, best.primal);
  return relative_gap <= std::max(kRoundingGap, kNearRounding * rounding);
}

bool Run::certificate_is_due(double relative_gap) const {
  const double passes = (outcome_.work.multiply_adds - certified_at_) / pass_;
  const Index iterations = outcome_.work.iterations - certified_iteration_;
  const bool is_affordable = effort() - certified_effort_ >= kPricesBetweenCertificates * price_of_certificate_ ||
                             iterations >= kIterationsBetweenCertificates;
  if (passes >= kPassesBetweenCertificates && is_affordable) return true;
  if (iterations >= (is_near_rounding(relative_gap) ? kRoundingPatience : kPatience)) return true;
  return is_claim(relative_gap) && passes >= kPassesAfterClaim * static_cast<double>(refuted_claims_);
}

void Run::end_certificate(const Rounding& rounding, double most) {
  rounding_ = rounding;
  Certificate& best = outcome_.certificate;
  compare(best, rounding_, objective_at_zero_);
  certified_at_ = outcome_.work.multiply_adds;
  certified_effort_ = effort();
  price_of_certificate_ = certified_effort_ - effort_before_certificate_;
  certified_iteration_ = outcome_.work.iterations;
  work_of_certificates_ += outcome_.work.multiply_adds - work_before_certificate_;
  if (is_claim(now_.relative_gap)) ++refuted_claims_;  // if it holds, this is not looked at again
  now_.primal = best.primal;
  now_.dual = best.dual;
  now_.gap = best.gap;
  now_.relative_gap = best.relative_gap;
  now_.is_certified = true;
  if (!(best.violation <= most)) return;
  if (best.relative_gap <= outcome_.settings.tol) {
    has_stopped_ = true;
    outcome_.status = Status::converged;
    outcome_.message = fmt::format("relative gap {}{} <= tol {:g} after {} iterations", text_of_gap(best.relative_gap),
                                   best.relative_gap > 0 ? "" : ",", outcome_.settings.tol, outcome_.work.iterations);
  } else if (is_within(rounding_, best)) {
    stop(Status::stalled, "the gap is within rounding");
  }
}

// Only certified gaps tell: an estimate may be too good, and nothing after it would look like progress. The gap itself,
// not its ratio to P, which stays near 1 while both fall together.
void Run::watch_progress() {
  const Index t = outcome_.work.iterations;
  if (!now_.is_certified) return;
  if (now_.gap < kProgress * best_gap_) {
    best_gap_ = now_.gap;
    best_gap_iteration_ = t;
    best_gap_passes_ = now_.data_passes;
    best_gap_work_ = outcome_.work.multiply_adds - work_of_certificates_;
    return;
  }
  // A solver that does not touch the data any more will not find anything either.
  const bool is_idle = outcome_.work.multiply_adds - work_of_certificates_ == best_gap_work_;
  const bool is_rounding = is_near_rounding(now_.relative_gap);
  const Index patience = is_rounding ? kRoundingPatience : kPatience + best_gap_iteration_ / 2;
  const double patience_passes = is_rounding ? 0 : kPatiencePasses + 3 * best_gap_passes_;
  const bool is_out_of_passes = now_.data_passes - best_gap_passes_ > patience_passes;
  if (t - best_gap_iteration_ > patience && (is_out_of_passes || is_idle))
    stop(Status::stalled, fmt::format("the gap has not fallen for {} iterations{}", t - best_gap_iteration_,
                                      is_rounding ? ", near rounding" : ""));
}

void Run::check_limits() {
  const Settings& limit = outcome_.settings;
  if (outcome_.work.iterations >= limit.max_iterations)
    stop(Status::iteration_limit, fmt::format("iteration limit {} reached", limit.max_iterations));
  else if (now_.seconds >= limit.max_seconds)
    stop(Status::time_limit, fmt::format("time limit {:g} s reached", limit.max_seconds));
  else if (outcome_.work.data_passes >= limit.max_passes)
    stop(Status::pass_limit, fmt::format("limit of {:g} data passes reached", limit.max_passes));
}

void Run::stop(Status status, std::string message) {
  if (has_stopped_) return;
  if (team_ && !is_common(status)) {
    if (!wish_) wish_ = {status, std::move(message)};
    return;
  }
  has_stopped_ = true;
  outcome_.status = status;
  outcome_.message = std::move(message);
}

void Run::record(const TracePoint& row) {
  std::vector<TracePoint>& trace = outcome_.trace;
  const bool is_early = row.iteration <= kTraceAll;
  if (trace.empty() || row.is_certified || is_early ||
      static_cast<double>(row.iteration) >= kTraceGrowth * static_cast<double>(trace.back().iteration))
    trace.push_back(row);
}

bool Run::ask_callback(const TracePoint& row) {
  if (!callback_) return true;
  asked_at_ = row.seconds;
  if (!callback_({row, seconds_left()})) stop(Status::interrupted, "interrupted");
  return !has_stopped_;
}

// The gap falls about geometrically: extend the line of log(gap) through now and through the middle of the run so far.
double Run::seconds_left() const {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const std::vector<TracePoint>& trace = outcome_.trace;
  const auto half = std::lower_bound(trace.begin(), trace.end(), now_.seconds / 2,
                                     [](const TracePoint& row, double s) { return row.seconds < s; });
  if (half == trace.end() || half->seconds >= now_.seconds) return kUnknown;
  const double fall = std::log(half->relative_gap / now_.relative_gap) / (now_.seconds - half->seconds);
  const double needed = std::log(now_.relative_gap / outcome_.settings.tol);
  return fall > 0 && std::isfinite(needed) ? std::max(0.0, needed / fall) : kUnknown;
}

Outcome Run::conclude(double most) && {
  const Certificate& c = outcome_.certificate;
  if (c.violation > most && outcome_.status != Status::team_lost)
    outcome_.message += fmt::format(": outside the set by {:.2e}", c.violation);
  else if (outcome_.status == Status::team_lost && !std::isfinite(c.gap))
    outcome_.message += ": no gap was certified yet";
  else if (outcome_.status != Status::converged)
    outcome_.message += fmt::format(": relative gap {} > tol {:g}", text_of_gap(c.relative_gap), outcome_.settings.tol);
  outcome_.seconds = watch_.seconds();
  if (team_ && !has_own_charges_) {  // all members did as much
    const auto members = static_cast<double>(team_->size());
    outcome_.work.multiply_adds *= members;
    for (TracePoint& row : outcome_.trace) row.multiply_adds *= members;
  }
  return std::move(outcome_);
}

}  // namespace pdbfw
