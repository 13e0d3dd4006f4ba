#include "core/low_rank_monitor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/low_rank_certify.hpp"
#include "core/spectral_set.hpp"
#include "linalg/orthonormal.hpp"

namespace pdbfw::low_rank {
namespace {

// The share of the tolerance that a certificate may give away to singular values that were bounded, not computed; of
// the gap as it is believed to be, where that is far from the tolerance still.
constexpr double kSlack = 0.05;
constexpr double kNear = 0.1;

// A point of C has s >= 0. Of a matrix of less than full rank, rounding leaves eigenvalues just below; what is not a
// number stays, to be seen.
Factors without_negative(Factors X) {
  Index kept = X.rank();
  while (kept > 0 && X.s[kept - 1] < 0) --kept;
  if (kept == X.rank()) return X;
  return {X.U.leftCols(kept), X.s.head(kept), X.V.leftCols(kept)};
}

}  // namespace

Monitor::Monitor(const Problem& problem, const Settings& settings, const Callback& callback, Stopwatch watch)
    : RunMonitor(settings, callback, problem.map->pass_cost(), watch, problem.team, Charges::common),
      problem_(problem),
      X_(Factors::zero(problem.d(), problem.c())),
      top_(problem.set->spectrum(), settings.threads, settings.seed) {
  // The dual point 0 needs no data for its value, and is the best there is where the optimum is zero.
  const auto n = static_cast<double>(problem.samples());
  const Matrix zero = Matrix::Zero(problem.n(), problem.k());
  outcome_.certificate.dual = -problem.loss->total_conjugate(problem.B, zero, settings.threads) / n;
  set_objective_at_zero(problem.loss->total_value(problem.B, zero, settings.threads) / n);
  Y_ = zero;
}

bool Monitor::carry_on(const Estimate& estimate, const std::function<Point()>& make_point) {
  const bool goes_on = RunMonitor::carry_on(estimate, [&] { certify_now(make_point()); });
  save_if_due(estimate, [&](bool is_now, const TracePoint& at) {
    if (!checkpoints().save_matrix) return;
    if (!is_now) return checkpoints().save_matrix({X_, Y_}, at);
    Point point = make_point();
    checkpoints().save_matrix({std::move(point.X), std::move(point.Y)}, at);
  });
  return goes_on;
}

// Keeps the better primal and the better dual point: any two make a certificate.
void Monitor::certify_now(Point point) {
  begin_certificate();
  const double spectral_work = top_.work();
  Factors X = without_negative(orthonormal(point.X, problem_.set->spectrum(), -1));
  SpectralDualPart part;
  const double known = std::min({1.0, now_.relative_gap, outcome_.certificate.relative_gap});
  const double believed = std::max(outcome_.settings.tol, known);
  if (believed < kNear) top_.expect(X.rank() + 1);  // at the solution that many values matter
  const Verdict verdict = certify(problem_, X, point.Y, kSlack * believed, top_, part);
  const Certificate& c = verdict.certificate;
  charge(problem_.map->apply_cost(X.rank()) + problem_.map->pass_cost(), 1);
  charge_other(top_.work() - spectral_work);

  Certificate& best = outcome_.certificate;
  const double most = largest_violation(problem_.set->radius());
  if (std::isfinite(c.primal) && c.violation <= most && !(c.primal >= best.primal)) {
    best.primal = c.primal;
    best.violation = c.violation;
    X_ = std::move(X);
  }
  if (c.dual > best.dual) {
    best.dual = c.dual;
    rounding_ = verdict.rounding;
    outcome_.multiplier = part.multiplier;
    Y_ = std::move(point.Y);
  }
  if (!std::isfinite(best.primal)) {  // nothing inside C yet: zero always is
    Matrix none = Y_;
    best.primal = certify(problem_, X_, none, kSlack, top_, part).certificate.primal;
    best.violation = 0;
  }
  end_certificate(most);
}

Result Monitor::finish() && {
  conclude(largest_violation(problem_.set->radius()));
  if (problem_.team) {  // all members did as much
    const auto members = static_cast<double>(problem_.team->size());
    outcome_.work.multiply_adds *= members;
    for (TracePoint& row : outcome_.trace) row.multiply_adds *= members;
  }
  return {std::move(outcome_), std::move(X_), std::move(Y_)};
}

}  // namespace pdbfw::low_rank
