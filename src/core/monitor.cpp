#include "core/monitor.hpp"

#include <cmath>
#include <utility>

#include "core/dual_value.hpp"

namespace pdbfw {

Monitor::Monitor(const Problem& problem, const Settings& settings, const Callback& callback, Stopwatch watch)
    : RunMonitor(settings, callback, sum_over(problem.team, static_cast<double>(problem.A->nonzeros())), watch,
                 problem.team),
      problem_(problem) {
  // The dual point 0 needs no data for its value, and is the best there is where the optimum is zero. A set that holds
  // x = 0 is met there, whatever d is.
  const std::vector<double> zero(problem.b.size(), 0.0);
  const auto n = static_cast<double>(problem.samples());
  y_ = zero;
  if (problem.set->has_dead_zone()) {
    const Curvatures q = problem.regulariser->curvatures();
    const std::vector<double> u(problem.set->violation({}) > 0 ? static_cast<std::size_t>(problem.d()) : 0, 0.0);
    const DeadZone zone = problem.set->dead_zone(u, q);
    outcome_.multiplier = zone.multiplier;
    outcome_.certificate.dual = set_part(u, q, zone, problem.set->radius()) -
                                sum_over(problem.team, problem.loss->total_conjugate(problem.b, zero)) / n;
  }
  set_objective_at_zero(objective_of_nothing(problem));
}

bool Monitor::carry_on(const Estimate& estimate, const std::function<Point()>& make_point) {
  certified_.u.clear();
  certified_.entries = 0;
  const bool goes_on = RunMonitor::carry_on(estimate, [&] { certify_now(make_point()); });
  save_if_due(estimate, [&](bool is_now, const TracePoint& at) {
    if (!checkpoints().save) return;
    if (!is_now) return checkpoints().save({x_, y_, outcome_.multiplier}, at);
    Point point = make_point();
    checkpoints().save({std::move(point.x), std::move(point.y), outcome_.multiplier}, at);
  });
  return goes_on;
}

// Keeps the better primal and the better dual point: any two make a certificate. A value at a point outside C bounds
// nothing.
void Monitor::certify_now(Point point) {
  begin_certificate();
  certified_.entries = 0;
  Verdict verdict = certify(problem_, point.x, point.y, outcome_.settings.threads, point.columns, certified_);
  if (certificates_ == 0 && !std::isfinite(verdict.certificate.primal)) {
    point = {start_point(problem_), std::vector<double>(problem_.b.size())};
    verdict = certify(problem_, point.x, point.y, outcome_.settings.threads, point.columns, certified_);
  }
  Certificate& c = verdict.certificate;
  charge(static_cast<double>(problem_.A->nonzeros()) + certified_.entries, 1);
  ++certificates_;
  Certificate& best = outcome_.certificate;
  // Without a dead zone the bound is as seen from x, so that the two stay together; and whether x lies in C is a
  // search, made for a point that claims to be the last one.
  const bool is_pair = !problem_.set->has_dead_zone();
  if (is_pair && c.relative_gap <= outcome_.settings.tol) c.violation = problem_.set->violation(point.x);
  const double most = largest_violation(problem_.set->radius());
  const bool is_inside = c.violation <= most, best_is_inside = best.violation <= most;
  const bool is_better = is_pair ? c.gap < best.gap : c.primal < best.primal;
  const bool takes_x = x_.empty() || (is_inside && (is_better || !best_is_inside));
  const bool takes_y = is_pair ? takes_x : c.dual > best.dual;
  if (takes_x) {
    best.primal = c.primal;
    best.violation = c.violation;
    x_ = std::move(point.x);
  }
  if (takes_y) {
    best.dual = c.dual;
    rounding_ = verdict.rounding;
    outcome_.multiplier = certified_.zone.multiplier;
    y_ = std::move(point.y);
  }
  end_certificate(most);
}

Result Monitor::finish() && {
  if (x_.empty()) x_ = start_point(problem_);  // the team was lost before anything was certified
  const bool is_searched = problem_.set->has_dead_zone() || outcome_.status == Status::converged;
  if (!is_searched) outcome_.certificate.violation = problem_.set->violation(x_);
  conclude(largest_violation(problem_.set->radius()));
  Result result{std::move(outcome_), std::move(x_), std::move(y_)};
  return result;
}

}  // namespace pdbfw
