#include "core/monitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/certify.hpp"
#include "core/dual_value.hpp"

namespace pdbfw {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A certificate costs two passes over the data. Without a claim of the solver's own, one is made every so many passes,
// so that all of them together cost a tenth of the run.
constexpr double kPassesBetweenCertificates = 20;
// After a claim that did not hold, the next one is looked at after a pass over the data, and after
// two, three ... when claims keep failing.
constexpr double kPassesAfterClaim = 1;
// What rounding may leave of the constraint, relative to the radius.
constexpr double kLargestViolation = 1e-9;
// The gap must fall by this factor ...
constexpr double kProgress = 0.999;
// ... within so many iterations and half as many again as were made before, and so many passes and three times as many
// again as were spent before (`auto` may give the wrong engine a long turn); else the run has stalled.
constexpr Index kPatience = 1'000;
constexpr double kPatiencePasses = 1'000;
// Near the rounding of double there is nothing to wait for.
constexpr double kRoundingGap = 1e-12;
constexpr Index kRoundingPatience = 20;
// The callback is asked after every iteration, and inside one when this much time has passed.
constexpr double kSecondsBetweenCalls = 0.05;
// All early iterations are in the trace, later ones when their number has grown by this factor.
constexpr Index kTraceAll = 1'000;
constexpr double kTraceGrowth = 1.005;

}  // namespace

Monitor::Monitor(const Problem& problem, const Settings& settings, const Callback& callback, Stopwatch watch)
    : problem_(problem), callback_(callback), watch_(watch), best_gap_(kInfinity) {
  result_.settings = settings;
  result_.certificate = {kInfinity, -kInfinity, kInfinity, kInfinity, kInfinity};
  // The dual point 0 needs no data for its value, and is the best there is where the optimum is zero. A set that holds
  // x = 0 is met there, whatever d is.
  const std::vector<double> zero(problem.b.size(), 0.0);
  const auto n = static_cast<double>(problem.n());
  result_.y = zero;
  if (problem.set->has_dead_zone()) {
    const Curvatures q = problem.regulariser->curvatures();
    const std::vector<double> u(problem.set->violation({}) > 0 ? static_cast<std::size_t>(problem.d()) : 0, 0.0);
    const DeadZone zone = problem.set->dead_zone(u, q);
    result_.multiplier = zone.multiplier;
    result_.certificate.dual =
        set_part(u, q, zone, problem.set->radius()) - problem.loss->total_conjugate(problem.b, zero) / n;
  }
  tiny_ = std::max(kTinyFraction * problem.loss->total_value(problem.b, zero) / n, std::numeric_limits<double>::min());
}

double Monitor::relative(double gap, double primal) const {
  return std::isfinite(gap) ? gap / std::max(std::abs(primal), tiny_) : kInfinity;
}

void Monitor::charge(double multiply_adds, Index oracle_calls) {
  result_.work.multiply_adds += multiply_adds;
  result_.work.oracle_calls += oracle_calls;
  result_.work.data_passes =
      result_.work.multiply_adds / static_cast<double>(std::max<Index>(1, problem_.A->nonzeros()));
}

double Monitor::effort() const {
  return (result_.work.multiply_adds + other_) / static_cast<double>(std::max<Index>(1, problem_.A->nonzeros()));
}

bool Monitor::carry_on(const Estimate& estimate, const std::function<Point()>& make_point) {
  if (has_started_) ++result_.work.iterations;
  certified_.u.clear();
  certified_.entries = 0;
  has_started_ = true;
  const double gap = estimate.primal - estimate.dual;
  now_ = {.iteration = result_.work.iterations,
          .seconds = watch_.seconds(),
          .data_passes = result_.work.data_passes,
          .multiply_adds = result_.work.multiply_adds,
          .primal = estimate.primal,
          .dual = estimate.dual,
          .gap = gap,
          .relative_gap = relative(gap, estimate.primal),
          .nonzeros = estimate.nonzeros};
  if (!std::isfinite(estimate.primal) || std::isnan(estimate.dual))
    stop(Status::diverged, fmt::format("the objective became {} at iteration {}", estimate.primal, now_.iteration));
  check_limits();
  if (has_stopped_ || certificate_is_due(now_.relative_gap)) certify_now(make_point());
  if (!has_stopped_) watch_progress();
  record(now_);
  if (!has_stopped_ && !ask_callback(now_)) certify_now(make_point());
  return !has_stopped_;
}

bool Monitor::may_go_on() {
  now_.seconds = watch_.seconds();
  check_limits();
  if (!has_stopped_ && now_.seconds - asked_at_ >= kSecondsBetweenCalls) ask_callback(now_);
  return !has_stopped_;
}

bool Monitor::certificate_is_due(double relative_gap) const {
  const double passes =
      (result_.work.multiply_adds - certified_at_) / static_cast<double>(std::max<Index>(1, problem_.A->nonzeros()));
  if (passes >= kPassesBetweenCertificates) return true;
  if (result_.work.iterations - certified_iteration_ >= kPatience) return true;
  return relative_gap <= result_.settings.tol && passes >= kPassesAfterClaim * static_cast<double>(refuted_claims_);
}

// Keeps the better primal and the better dual point: any two make a certificate. A value at a point outside C bounds
// nothing.
void Monitor::certify_now(Point point) {
  const double work_before = result_.work.multiply_adds;
  certified_.entries = 0;
  Certificate c = certify(problem_, point.x, point.y, result_.settings.threads, point.columns, certified_);
  if (certificates_ == 0 && !std::isfinite(c.primal)) {
    point = {start_point(problem_), std::vector<double>(problem_.b.size())};
    c = certify(problem_, point.x, point.y, result_.settings.threads, point.columns, certified_);
  }
  charge(static_cast<double>(problem_.A->nonzeros()) + certified_.entries, 1);
  ++certificates_;
  certified_at_ = result_.work.multiply_adds;
  certified_iteration_ = result_.work.iterations;
  work_of_certificates_ += result_.work.multiply_adds - work_before;
  Certificate& best = result_.certificate;
  if (now_.relative_gap <= result_.settings.tol) ++refuted_claims_;  // if it holds, nobody will ask
  // Without a dead zone the bound is as seen from x, so that the two stay together; and whether x lies in C is a
  // search, made for a point that claims to be the last one.
  const bool is_pair = !problem_.set->has_dead_zone();
  if (is_pair && c.relative_gap <= result_.settings.tol) c.violation = problem_.set->violation(point.x);
  const double most = kLargestViolation * problem_.set->radius();
  const bool is_inside = c.violation <= most, best_is_inside = best.violation <= most;
  const bool is_better = is_pair ? c.gap < best.gap : c.primal < best.primal;
  const bool takes_x = result_.x.empty() || (is_inside && (is_better || !best_is_inside));
  const bool takes_y = is_pair ? takes_x : c.dual > best.dual;
  if (takes_x) {
    best.primal = c.primal;
    best.violation = c.violation;
    result_.x = std::move(point.x);
  }
  if (takes_y) {
    best.dual = c.dual;
    result_.multiplier = certified_.zone.multiplier;
    result_.y = std::move(point.y);
  }
  best.gap = proven_gap(best.primal, best.dual);
  best.relative_gap = relative(best.gap, best.primal);
  now_.primal = best.primal;
  now_.dual = best.dual;
  now_.gap = best.gap;
  now_.relative_gap = best.relative_gap;
  now_.is_certified = true;
  if (best.relative_gap <= result_.settings.tol && best.violation <= most) {
    has_stopped_ = true;
    result_.status = Status::converged;
    result_.message = fmt::format("relative gap {:.2e} <= tol {:g} after {} iterations", best.relative_gap,
                                  result_.settings.tol, result_.work.iterations);
  }
}

// Only certified gaps tell: an estimate may be too good, and nothing after it would look like progress. The gap itself,
// not its ratio to P, which stays near 1 while both fall together.
void Monitor::watch_progress() {
  const Index t = result_.work.iterations;
  if (!now_.is_certified) return;
  if (now_.gap < kProgress * best_gap_) {
    best_gap_ = now_.gap;
    best_gap_iteration_ = t;
    best_gap_passes_ = now_.data_passes;
    best_gap_work_ = result_.work.multiply_adds - work_of_certificates_;
    return;
  }
  // A solver that does not touch the data any more will not find anything either.
  const bool is_idle = result_.work.multiply_adds - work_of_certificates_ == best_gap_work_;
  const bool is_rounding = now_.relative_gap < kRoundingGap;
  const Index patience = is_rounding ? kRoundingPatience : kPatience + best_gap_iteration_ / 2;
  const double patience_passes = is_rounding ? 0 : kPatiencePasses + 3 * best_gap_passes_;
  const bool is_out_of_passes = now_.data_passes - best_gap_passes_ > patience_passes;
  if (t - best_gap_iteration_ > patience && (is_out_of_passes || is_idle))
    stop(Status::stalled, fmt::format("the gap has not fallen for {} iterations", t - best_gap_iteration_));
}

void Monitor::check_limits() {
  const Settings& limit = result_.settings;
  if (result_.work.iterations >= limit.max_iterations)
    stop(Status::iteration_limit, fmt::format("iteration limit {} reached", limit.max_iterations));
  else if (now_.seconds >= limit.max_seconds)
    stop(Status::time_limit, fmt::format("time limit {:g} s reached", limit.max_seconds));
  else if (result_.work.data_passes >= limit.max_passes)
    stop(Status::pass_limit, fmt::format("limit of {:g} data passes reached", limit.max_passes));
}

void Monitor::stop(Status status, std::string message) {
  if (has_stopped_) return;
  has_stopped_ = true;
  result_.status = status;
  result_.message = std::move(message);
}

void Monitor::record(const TracePoint& row) {
  std::vector<TracePoint>& trace = result_.trace;
  const bool is_early = row.iteration <= kTraceAll;
  if (trace.empty() || row.is_certified || is_early ||
      static_cast<double>(row.iteration) >= kTraceGrowth * static_cast<double>(trace.back().iteration))
    trace.push_back(row);
}

bool Monitor::ask_callback(const TracePoint& row) {
  if (!callback_) return true;
  asked_at_ = row.seconds;
  if (!callback_({row, seconds_left()})) stop(Status::interrupted, "interrupted");
  return !has_stopped_;
}

// The gap falls about geometrically: extend the line of log(gap) through now and through the middle of the run so far.
double Monitor::seconds_left() const {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const std::vector<TracePoint>& trace = result_.trace;
  const auto half = std::lower_bound(trace.begin(), trace.end(), now_.seconds / 2,
                                     [](const TracePoint& row, double s) { return row.seconds < s; });
  if (half == trace.end() || half->seconds >= now_.seconds) return kUnknown;
  const double fall = std::log(half->relative_gap / now_.relative_gap) / (now_.seconds - half->seconds);
  const double needed = std::log(now_.relative_gap / result_.settings.tol);
  return fall > 0 && std::isfinite(needed) ? std::max(0.0, needed / fall) : kUnknown;
}

Result Monitor::finish() && {
  Certificate& c = result_.certificate;
  const bool is_searched = problem_.set->has_dead_zone() || result_.status == Status::converged;
  if (!is_searched) c.violation = problem_.set->violation(result_.x);
  if (c.violation > kLargestViolation * problem_.set->radius())
    result_.message += fmt::format(": outside the set by {:.2e}", c.violation);
  else if (result_.status != Status::converged)
    result_.message += fmt::format(": relative gap {:.2e} > tol {:g}", c.relative_gap, result_.settings.tol);
  result_.seconds = watch_.seconds();
  return std::move(result_);
}

}  // namespace pdbfw
