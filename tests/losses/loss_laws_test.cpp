// The laws of a loss and its conjugate, over every registered loss.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "reference/scalar.hpp"
#include "support/cases.hpp"

namespace pdbfw {
namespace loss_laws_test {

using test::LossCase;

constexpr double kInf = std::numeric_limits<double>::infinity();

// Multiples of 1/32: kinks (at margins 0, 1, 1 - smoothing ...) are met exactly, and often.
double grid_number() { return *rc::gen::inRange(-128, 129) / 32.0; }

double target_of(const Loss& loss) {
  if (loss.target_kind() == TargetKind::labels) return *rc::gen::element(-1.0, 1.0);
  return grid_number();
}

LossCase any_case() {
  static const std::vector<LossCase> cases = test::loss_cases();
  const LossCase chosen = cases[*rc::gen::inRange<std::size_t>(0, cases.size())];
  RC_LOG(chosen.name);
  return chosen;
}

// A loss of one sample, which may have a weight.
struct OneSample {
  std::shared_ptr<const Loss> loss;
  bool is_weighted;
};

OneSample any_loss() {
  const LossCase c = any_case();
  const double target = target_of(*c.loss), weight = *rc::gen::element(0.0, 0.3, 1.0, 2.5);
  RC_LOG() << "target " << target << ", weight " << weight;
  return weight > 0 ? OneSample{c.of({target}, {weight}), true} : OneSample{c.of({target}), false};
}

// A point of the conjugate's domain: every derivative is one.
double dual_point(const Loss& loss) { return loss.derivative(0, grid_number()); }

// How far f is rounded where two numbers of this size meet.
double rounding(double size) { return 1e-13 * (1 + std::abs(size)); }

RC_GTEST_PROP(EveryLoss, FenchelYoungHoldsAndIsEqualAtTheDerivative, ()) {
  const OneSample c = any_loss();
  const double w = grid_number(), y = dual_point(*c.loss);
  const double f = c.loss->value(0, w);
  RC_ASSERT(f + c.loss->conjugate(0, y) >= w * y - rounding(f));
  const double slope = c.loss->derivative(0, w);
  const double conjugate = c.loss->conjugate(0, slope);
  RC_ASSERT(std::isfinite(conjugate));
  RC_ASSERT(std::abs(f + conjugate - w * slope) <= rounding(f + std::abs(w * slope)));
}

// A convex function has its derivative between the difference quotients to either side; no care for kinks is needed.
RC_GTEST_PROP(EveryLoss, IfQuadraticItsDerivativeIsALineOfSlopeBeta, ()) {
  const OneSample c = any_loss();
  const double w = grid_number(), beta = c.loss->smoothness();
  RC_ASSERT(c.loss->is_quadratic() == (c.loss->name() == "squared" && !c.is_weighted));
  if (!c.loss->is_quadratic()) return;
  RC_ASSERT(c.loss->second_derivative(0, w) == beta);
  RC_ASSERT(std::abs(c.loss->derivative(0, w) - c.loss->derivative(0, 0) - beta * w) <= rounding(w));
}

RC_GTEST_PROP(EveryLoss, DerivativeLiesBetweenTheDifferenceQuotients, ()) {
  const OneSample c = any_loss();
  const double w = grid_number(), h = 1e-6;
  const double f = c.loss->value(0, w), slope = c.loss->derivative(0, w), slack = rounding(f) / h;
  RC_ASSERT((c.loss->value(0, w + h) - f) / h >= slope - slack);
  RC_ASSERT((f - c.loss->value(0, w - h)) / h <= slope + slack);
  // ... and beta-smoothness makes the two quotients meet.
  RC_ASSERT((c.loss->value(0, w + h) - f) / h <= slope + h * c.loss->smoothness() + slack);
}

// At a kink of the derivative either side's value will do.
RC_GTEST_PROP(EveryLoss, SecondDerivativeIsADifferenceQuotientOfEitherSide, ()) {
  const OneSample c = any_loss();
  const double w = grid_number(), h = 1e-6;
  const double slope = c.loss->derivative(0, w), second = c.loss->second_derivative(0, w);
  const double after = (c.loss->derivative(0, w + h) - slope) / h;
  const double before = (slope - c.loss->derivative(0, w - h)) / h;
  const double slack = 1e-4 * (1 + c.loss->smoothness());
  RC_ASSERT(std::min(std::abs(second - after), std::abs(second - before)) <= slack);
  RC_ASSERT(second >= 0);
  RC_ASSERT(second <= c.loss->smoothness() * (1 + 1e-12));
}

RC_GTEST_PROP(EveryLoss, IsConvexAndNonNegative, ()) {
  const OneSample c = any_loss();
  const double v = grid_number(), w = grid_number(), t = *rc::gen::inRange(0, 33) / 32.0;
  const double chord = t * c.loss->value(0, v) + (1 - t) * c.loss->value(0, w);
  RC_ASSERT(c.loss->value(0, t * v + (1 - t) * w) <= chord + rounding(chord));
  RC_ASSERT(c.loss->value(0, v) >= 0);
}

RC_GTEST_PROP(EveryLoss, DerivativeRisesAtMostBetaTimesTheDistance, ()) {
  const OneSample c = any_loss();
  const double v = grid_number(), w = grid_number();
  const double rise = (c.loss->derivative(0, v) - c.loss->derivative(0, w)) * (v - w);
  RC_ASSERT(rise >= -1e-14);
  RC_ASSERT(rise <= c.loss->smoothness() * (v - w) * (v - w) * (1 + 1e-12) + 1e-14);
}

// The paper's alpha: where the loss is not linear its second derivative is at least this.
RC_GTEST_PROP(EveryLoss, CurvesAtLeastAlphaWhereItCurves, ()) {
  const OneSample c = any_loss();
  const double second = c.loss->second_derivative(0, grid_number());
  RC_ASSERT(second == 0 || second >= c.loss->curvature() * (1 - 1e-12));
  RC_ASSERT(c.loss->curvature() <= c.loss->smoothness());
}

RC_GTEST_PROP(EveryLoss, ConjugateIsConvexAndFiniteOnlyOnAnInterval, ()) {
  const OneSample c = any_loss();
  const double u = dual_point(*c.loss), v = dual_point(*c.loss);
  const double t = *rc::gen::inRange(0, 33) / 32.0;
  const double chord = t * c.loss->conjugate(0, u) + (1 - t) * c.loss->conjugate(0, v);
  RC_ASSERT(std::isfinite(chord));
  RC_ASSERT(c.loss->conjugate(0, t * u + (1 - t) * v) <= chord + rounding(chord));
}

// Outside the closure of the derivatives' range f*(y) = sup_w w y - f(w) is infinite: far out along one of the two
// directions w y - f(w) still rises.
// f*' undoes f' where the loss curves, and where f' = y is met along a whole line any point of it would do.
// Where a loss says so, its conjugate is that piece of a parabola, and so is its proximal step.
RC_GTEST_PROP(EveryLoss, QuadraticConjugateIsTheConjugate, ()) {
  const OneSample c = any_loss();
  const double y = 4 * grid_number(), w = grid_number();
  const std::optional<QuadraticConjugate> piece = c.loss->quadratic_conjugate(0);
  RC_ASSERT(piece.has_value() == (c.loss->name() != "logistic" && !c.is_weighted));
  if (!piece) return;
  RC_ASSERT(piece->value(y) == c.loss->conjugate(0, y));
  const double step = std::pow(10.0, grid_number()), t = 1 / (1 / step + piece->q);
  const double inside = c.loss->dual_prox(0, 0, y, 0);
  const double quick = std::clamp(t * (w - piece->c) + (1 - piece->q * t) * inside, piece->low, piece->high);
  RC_ASSERT(std::abs(quick - c.loss->dual_prox(0, w, inside, step)) <= rounding(std::abs(w) + std::abs(inside)));
}

RC_GTEST_PROP(EveryLoss, ConjugatesDerivativeUndoesTheDerivative, ()) {
  const OneSample c = any_loss();
  const double w = grid_number();
  const double back = c.loss->conjugate_derivative(0, c.loss->derivative(0, w));
  RC_ASSERT(std::abs(c.loss->derivative(0, back) - c.loss->derivative(0, w)) <= 1e-12);
  if (c.loss->second_derivative(0, w) > 0) RC_ASSERT(std::abs(back - w) <= 1e-9 * (1 + std::abs(w)));
}

RC_GTEST_PROP(EveryLoss, ConjugateIsInfiniteExactlyWhereNoDerivativeReaches, ()) {
  const OneSample c = any_loss();
  const double y = 4 * grid_number(), far = 1e6;
  const double least = c.loss->derivative(0, -far), most = c.loss->derivative(0, far);
  if (y < least || y > most)
    RC_ASSERT(c.loss->conjugate(0, y) == kInf);
  else
    RC_ASSERT(std::isfinite(c.loss->conjugate(0, y)));
}

double prox_objective(const Loss& loss, double w, double y, double step, double u) {
  return w * u - loss.conjugate(0, u) - (std::isinf(step) ? 0 : (u - y) * (u - y) / (2 * step));
}

RC_GTEST_PROP(EveryLoss, DualProxIsTheBestPoint, ()) {
  const OneSample c = any_loss();
  const double w = grid_number(), y = dual_point(*c.loss);
  const double step = *rc::gen::element(1e-6, 0.01, 0.5, 1.0, 2.0, 100.0, 1e6, kInf);
  const double u = c.loss->dual_prox(0, w, y, step);
  const auto objective = [&](double v) { return prox_objective(*c.loss, w, y, step, v); };
  const double reached = objective(u);
  RC_ASSERT(std::isfinite(reached));
  // The answer lies between y, where nothing moves, and f'(w), where the proximal term is absent.
  const double free = c.loss->derivative(0, w);
  const double best = objective(reference::argmax(objective, std::min(y, free), std::max(y, free)));
  RC_ASSERT(reached >= best - rounding(best) * (1 + 1e-3 / step));
  RC_ASSERT(u >= std::min(y, free) - 1e-12 * (1 + std::abs(free)));
  RC_ASSERT(u <= std::max(y, free) + 1e-12 * (1 + std::abs(free)));
}

RC_GTEST_PROP(EveryLoss, DualProxWithoutAProximalTermIsTheDerivative, ()) {
  const OneSample c = any_loss();
  const double w = grid_number(), y = dual_point(*c.loss);
  const double slope = c.loss->derivative(0, w);
  RC_ASSERT(std::abs(c.loss->dual_prox(0, w, y, kInf) - slope) <= 1e-14 * (1 + std::abs(slope)));
  RC_ASSERT(std::abs(c.loss->dual_prox(0, w, y, 1e300) - slope) <= 1e-14 * (1 + std::abs(slope)));
}

RC_GTEST_PROP(EveryLoss, DualProxWithAnEndlesslySmallStepStays, ()) {
  const OneSample c = any_loss();
  const double w = grid_number(), y = dual_point(*c.loss);
  for (const double step : {0.0, 1e-300, 5e-324, std::numeric_limits<double>::min(), 1e-30}) {
    const double u = c.loss->dual_prox(0, w, y, step);
    RC_LOG() << "step " << step << ", y " << y << ", u " << u;
    RC_ASSERT(std::abs(u - y) <= 1e-15 * (1 + std::abs(y)));
  }
}

// A dual point that rounding has carried out of the domain comes back.
RC_GTEST_PROP(EveryLoss, DualProxEndsInsideTheDomain, ()) {
  const OneSample c = any_loss();
  const double w = *rc::gen::element(-1e100, -1e10, -1.0, 0.0, 0.5, 1.0, 1e10, 1e100) * *rc::gen::element(1.0, 0.3);
  const double y = dual_point(*c.loss) + *rc::gen::element(0.0, 1e-16, -1e-16);
  for (const double step : {1e-6, 0.1, 1.0, 10.0, 1e6, kInf}) {
    const double u = c.loss->dual_prox(0, w, y, step);
    RC_LOG() << "w " << w << ", y " << y << ", step " << step << ", u " << u;
    RC_ASSERT(std::isfinite(c.loss->conjugate(0, u)));
  }
}

RC_GTEST_PROP(EveryLoss, WholeVectorsAreTheirSamplesOneByOne, (std::uint64_t seed)) {
  const LossCase c = any_case();
  Random random(seed);
  const auto n = *rc::gen::inRange<std::size_t>(0, 20);
  std::vector<double> b(n), weight(n), w(n), y(n), slopes(n), moved(n), local_slopes(n), bends(n);
  for (std::size_t i = 0; i < n; ++i) {
    b[i] = test::random_target(*c.loss, random);
    weight[i] = std::max(0.0, 1 + random.normal());
    w[i] = 3 * random.normal();
  }
  const std::shared_ptr<const Loss> loss = *rc::gen::element(false, true) ? c.of(b, weight) : c.of(b);
  for (std::size_t i = 0; i < n; ++i) y[i] = loss->derivative(i, 3 * random.normal());
  loss->derivatives(w, slopes);
  loss->dual_proxes(w, y, 0.7, moved);
  const double local_value = loss->local_model(w, local_slopes, bends);
  double value = 0, conjugate = 0;
  for (std::size_t i = 0; i < n; ++i) {
    value += loss->value(i, w[i]);
    conjugate += loss->conjugate(i, y[i]);
    RC_ASSERT(slopes[i] == loss->derivative(i, w[i]));
    RC_ASSERT(moved[i] == loss->dual_prox(i, w[i], y[i], 0.7));
    RC_ASSERT(local_slopes[i] == slopes[i]);
    RC_ASSERT(bends[i] == loss->second_derivative(i, w[i]));
  }
  // A sum may be taken in another order.
  RC_ASSERT(std::abs(loss->total_value(w) - value) <= 1e-13 * (1 + value));
  RC_ASSERT(local_value == loss->total_value(w));
  RC_ASSERT(std::abs(loss->total_conjugate(y) - conjugate) <= 1e-13 * (1 + std::abs(conjugate)));
  if (n == 0) return;
  const std::vector<Index> some{static_cast<Index>(n) - 1, 0};
  const std::shared_ptr<const Loss> subset = loss->subset(some);
  RC_ASSERT(subset->size() == 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    const auto i = static_cast<std::size_t>(some[k]);
    RC_ASSERT(subset->targets()[k] == b[i]);
    RC_ASSERT(subset->value(k, w[i]) == loss->value(i, w[i]));
    RC_ASSERT(subset->conjugate(k, y[i]) == loss->conjugate(i, y[i]));
  }
  y[0] = loss->conjugate(0, 1e3) == kInf ? 1e3 : -1e3;
  if (loss->conjugate(0, y[0]) == kInf) RC_ASSERT(loss->total_conjugate(y) == kInf);
}

TEST(EveryLoss, SaysItsName) {
  for (const std::string_view name : loss_names()) EXPECT_EQ(make_loss({.loss = std::string(name)})->name(), name);
}

}  // namespace loss_laws_test
}  // namespace pdbfw
