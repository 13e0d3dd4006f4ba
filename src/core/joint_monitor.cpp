#include "core/joint_monitor.hpp"

#include <cmath>
#include <utility>

namespace pdbfw::joint {

Monitor::Monitor(const Problem& problem, const Settings& settings, const Callback& callback, Stopwatch watch)
    : RunMonitor(settings, callback, static_cast<double>(problem.A->nonzeros()) * static_cast<double>(problem.c()),
                 watch),
      problem_(problem) {
  // The dual point 0 needs no data for its value, and is the best there is where the optimum is zero.
  const auto n = static_cast<double>(problem.n());
  Y_ = Matrix::Zero(problem.n(), problem.c());
  outcome_.certificate.dual = -problem.loss->total_conjugate(problem.B, Y_, settings.threads) / n;
  set_objective_at_zero(problem.loss->of_samples().total_value(problem.B, Y_, settings.threads) / n);
}

bool Monitor::carry_on(const Estimate& estimate, const std::function<Point()>& make_point) {
  return RunMonitor::carry_on(estimate, [&] { certify_now(make_point()); });
}

// Keeps the better primal and the better dual point: any two make a certificate.
void Monitor::certify_now(Point point) {
  begin_certificate();
  DualSide side;
  const int threads = outcome_.settings.threads;
  const Verdict verdict = certify(problem_, point.X, point.Y, threads, side);
  const Certificate& c = verdict.certificate;
  charge(2 * static_cast<double>(problem_.A->nonzeros()) * static_cast<double>(problem_.c()), 1);
  Certificate& best = outcome_.certificate;
  const double most = largest_violation(problem_.set->radius());
  if (std::isfinite(c.primal) && c.violation <= most && !(c.primal >= best.primal)) {
    best.primal = c.primal;
    best.violation = c.violation;
    X_ = std::move(point.X);
  }
  if (c.dual > best.dual) {
    best.dual = c.dual;
    rounding_ = verdict.rounding;
    outcome_.multiplier = total_multiplier(side.zones);
    Y_ = std::move(point.Y);
  }
  if (!std::isfinite(best.primal)) {  // nothing inside C yet: zero always is
    X_ = {problem_.d(), {}, Matrix(0, problem_.c())};
    Matrix none = Matrix::Zero(problem_.n(), problem_.c());
    best.primal = certify(problem_, X_, none, threads, side).certificate.primal;
    best.violation = 0;
  }
  end_certificate(most);
}

Result Monitor::finish() && {
  conclude(largest_violation(problem_.set->radius()));
  return {std::move(outcome_), std::move(X_), std::move(Y_), {}};
}

}  // namespace pdbfw::joint
