// The laws of a loss of rows and its conjugate, over every registered one.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "apps/low_rank_registry.hpp"
#include "apps/registry.hpp"
#include "support/row_losses.hpp"

namespace pdbfw {
namespace row_loss_laws_test {

using test::row;
using test::RowLossCase;

constexpr double kInf = std::numeric_limits<double>::infinity();

// Multiples of 1/32: kinks are met exactly, and often.
double grid_number() { return *rc::gen::inRange(-128, 129) / 32.0; }

Vector grid_row(Index k) {
  Vector row(k);
  for (double& entry : row) entry = grid_number();
  return row;
}

// One sample of a registered loss, which may have a weight.
struct Sample {
  RowLossCase c;
  Index k;
  Vector b;
  std::vector<double> weight;
  std::shared_ptr<const RowLoss> loss;

  [[nodiscard]] double value(const Vector& w) const { return loss->value(0, row(w)); }
  [[nodiscard]] double conjugate(const Vector& y) const { return loss->conjugate(0, row(y)); }
  [[nodiscard]] double beta() const { return loss->smoothness(); }
  [[nodiscard]] Vector gradient(const Vector& w) const {
    Vector y(k);
    loss->gradient(0, row(w), row(y));
    return y;
  }
  [[nodiscard]] Vector prox(const Vector& w, const Vector& y, double step) const {
    Vector out(k);
    loss->dual_prox(0, row(w), row(y), step, row(out));
    return out;
  }
  [[nodiscard]] Vector hessian_product(const Vector& w, const Vector& v) const {
    Vector out(k);
    loss->hessian_product(0, row(w), row(v), row(out));
    return out;
  }
  // A point of the conjugate's domain: every gradient is one, on its boundary as often as within.
  [[nodiscard]] Vector dual_point() const { return gradient(*rc::gen::element(0.1, 1.0, 100.0) * grid_row(k)); }
};

Sample any_sample() {
  static const std::vector<RowLossCase> cases = test::row_loss_cases();
  const RowLossCase c = cases[*rc::gen::inRange<std::size_t>(0, cases.size())];
  const Index k = *rc::gen::element<Index>(1, 2, 3, 7, 40);
  Vector b(c.loss->target_columns(k));
  for (double& target : b) switch (c.loss->target_kind()) {
      case RowTargetKind::numbers:
        target = grid_number();
        break;
      case RowTargetKind::signs:
        target = *rc::gen::element(-1.0, 1.0);
        break;
      case RowTargetKind::classes:
        target = static_cast<double>(*rc::gen::inRange<Index>(0, k));
        break;
    }
  const double own = *rc::gen::element(0.0, 0.3, 1.0, 2.5);
  RC_LOG() << c.name << ", " << k << " outputs, targets " << b.transpose() << ", weight " << own;
  const std::vector<double> weight = own > 0 ? std::vector<double>{own} : std::vector<double>{};
  return {c, k, b, weight, c.of(b.transpose(), weight)};
}

double any_step() { return *rc::gen::element(1e-6, 0.01, 0.5, 1.0, 2.0, 100.0, 1e6, kInf); }

// How far a sum of numbers of this size is rounded.
double rounding(double size) { return 1e-12 * (1 + std::abs(size)); }

RC_GTEST_PROP(EveryRowLoss, TheHessianIsWhatItsProductsSay, ()) {
  const Sample f = any_sample();
  const Vector w = grid_row(f.k);
  Matrix H = Matrix::Zero(f.k, f.k);
  f.loss->add_hessian(0, row(w), H);
  for (Index j = 0; j < f.k; ++j) {
    const Vector column = f.hessian_product(w, Vector::Unit(f.k, j));
    RC_ASSERT((H.col(j) - column).norm() <= 1e-12 * (1 + f.beta()));
  }
}

RC_GTEST_PROP(EveryRowLoss, FenchelYoungHoldsAndIsEqualAtTheGradient, ()) {
  const Sample f = any_sample();
  const Vector w = grid_row(f.k), y = f.dual_point(), g = f.gradient(w);
  RC_ASSERT(f.value(w) + f.conjugate(y) >= w.dot(y) - rounding(f.value(w) + w.lpNorm<1>()));
  RC_ASSERT(std::isfinite(f.conjugate(g)));
  RC_ASSERT(std::abs(f.value(w) + f.conjugate(g) - w.dot(g)) <= rounding(f.value(w) + w.lpNorm<1>()));
}

RC_GTEST_PROP(EveryRowLoss, GradientIsTheSlopeAlongEveryDirection, ()) {
  const Sample f = any_sample();
  const Vector w = grid_row(f.k), v = grid_row(f.k).normalized();
  if (!v.allFinite()) return;
  const double h = 1e-5, slope = f.gradient(w).dot(v);
  const double quotient = (f.value(w + h * v) - f.value(w - h * v)) / (2 * h);
  RC_ASSERT(std::abs(quotient - slope) <= h * f.beta() + rounding(f.value(w)) / h * 1e-2);
}

RC_GTEST_PROP(EveryRowLoss, IsConvexAndNonNegative, ()) {
  const Sample f = any_sample();
  const Vector v = grid_row(f.k), w = grid_row(f.k);
  const double t = *rc::gen::inRange(0, 33) / 32.0, chord = t * f.value(v) + (1 - t) * f.value(w);
  RC_ASSERT(f.value(t * v + (1 - t) * w) <= chord + rounding(chord));
  RC_ASSERT(f.value(v) >= 0);
}

// Baillon and Haddad: a convex function is beta-smooth exactly if  <g_v - g_w, v - w> >= |g_v - g_w|^2 / beta.
RC_GTEST_PROP(EveryRowLoss, IsBetaSmooth, ()) {
  const Sample f = any_sample();
  const Vector v = *rc::gen::element(1e-3, 1.0) * grid_row(f.k), w = grid_row(f.k);
  const Vector rise = f.gradient(v) - f.gradient(w);
  RC_ASSERT(rise.dot(v - w) >= rise.squaredNorm() / f.beta() - rounding((v - w).lpNorm<1>()));
  RC_ASSERT(f.loss->curvature() <= f.beta());
}

// A beta-smooth f has a 1/beta-strongly convex conjugate; alpha > 0 says that the conjugate is 1/alpha-smooth.
RC_GTEST_PROP(EveryRowLoss, ConjugateCurvesBetweenOneOverBetaAndOneOverAlpha, ()) {
  const Sample f = any_sample();
  const Vector u = f.dual_point(), v = f.dual_point();
  const double middle = f.conjugate(0.5 * (u + v)), mean = 0.5 * (f.conjugate(u) + f.conjugate(v));
  const double eighth = (u - v).squaredNorm() / 8, slack = rounding(mean + u.squaredNorm() + v.squaredNorm());
  RC_ASSERT(std::isfinite(middle));
  RC_ASSERT(middle <= mean - eighth / f.beta() + slack);
  if (eighth > 0) RC_ASSERT(middle >= mean - eighth / f.loss->curvature() - slack);
}

// f*(y) = sup_w <w, y> - f(w): where no point is near, far out along some direction this still rises.
RC_GTEST_PROP(EveryRowLoss, ConjugateIsInfiniteAwayFromTheGradients, ()) {
  const Sample f = any_sample();
  const Vector y = grid_row(f.k), nearest = f.prox(Vector::Zero(f.k), y, 0);
  if (std::isfinite(f.conjugate(y))) return RC_ASSERT((nearest - y).norm() <= 1e-10);
  RC_ASSERT((nearest - y).norm() > 0);
  const double far = 1e6;
  const Vector w = far * (y - nearest).normalized();
  RC_ASSERT(w.dot(y) - f.value(w) >= 0.1 * far * (y - nearest).norm() - 200.0 * static_cast<double>(f.k));
}

// The first-order condition  w - (u - y)/step in the subdifferential of f* at u,  undone by the gradient of f.
RC_GTEST_PROP(EveryRowLoss, DualProxSolvesItsEquation, ()) {
  const Sample f = any_sample();
  const Vector w = grid_row(f.k), y = f.dual_point() + *rc::gen::element(0.0, 0.0, 0.3) * grid_row(f.k);
  const double step = any_step();
  const Vector u = f.prox(w, y, step);
  RC_ASSERT(std::isfinite(f.conjugate(u)));
  const double rounded = 1e-13 * (1 + y.norm() + w.norm()) * (1 + f.beta()) * (1 + 1e-2 / step);
  RC_ASSERT((u - f.gradient(w - (u - y) / step)).norm() <= rounded);
}

RC_GTEST_PROP(EveryRowLoss, DualProxIsBetterThanOtherPoints, ()) {
  const Sample f = any_sample();
  const Vector w = grid_row(f.k), y = f.dual_point(), other = f.dual_point();
  const double step = any_step();
  const auto objective = [&](const Vector& u) {
    return w.dot(u) - f.conjugate(u) - (u - y).squaredNorm() / (2 * step);
  };
  const Vector u = f.prox(w, y, step);
  const double reached = objective(u);
  for (const double t : {1.0, 0.3, 0.01, 1e-4})
    for (const Vector& v : {other, y})
      RC_ASSERT(reached >= objective(u + t * (v - u)) - rounding(w.lpNorm<1>() + u.squaredNorm()) * (1 + 1e-3 / step));
}

RC_GTEST_PROP(EveryRowLoss, DualProxWithoutAProximalTermIsTheGradient, ()) {
  const Sample f = any_sample();
  const Vector w = grid_row(f.k), y = f.dual_point(), g = f.gradient(w);
  for (const double step : {kInf, 1e300}) RC_ASSERT((f.prox(w, y, step) - g).norm() <= 1e-13 * (1 + g.norm()));
}

// Step 0 finds the nearest point of the domain: y itself if it is one, else no gradient is nearer.
RC_GTEST_PROP(EveryRowLoss, DualProxOfStepZeroIsTheProjection, ()) {
  const Sample f = any_sample();
  const Vector w = grid_row(f.k), inside = f.dual_point(), outside = grid_row(f.k);
  for (const double step : {0.0, 5e-324, 1e-300, 1e-30})
    RC_ASSERT((f.prox(w, inside, step) - inside).norm() <=
              1e-14 * std::sqrt(static_cast<double>(f.k)) * (1 + inside.norm()));
  const Vector nearest = f.prox(w, outside, 0);
  RC_ASSERT(std::isfinite(f.conjugate(nearest)));
  RC_ASSERT((outside - nearest).dot(inside - nearest) <= rounding(outside.squaredNorm() + inside.squaredNorm()));
}

RC_GTEST_PROP(EveryRowLoss, DualProxIsNonexpansive, ()) {
  const Sample f = any_sample();
  const Vector w = grid_row(f.k), u = grid_row(f.k), v = grid_row(f.k);
  const double step = any_step();
  const double moved = (f.prox(w, u, step) - f.prox(w, v, step)).norm();
  RC_ASSERT(moved <= (u - v).norm() * (1 + 1e-12) + rounding(u.norm() + v.norm()));
}

RC_GTEST_PROP(EveryRowLoss, HessianIsSymmetricAndBetweenZeroAndBeta, ()) {
  const Sample f = any_sample();
  const Vector w = grid_row(f.k), u = grid_row(f.k), v = grid_row(f.k);
  const double size = u.norm() * v.norm() * f.beta();
  RC_ASSERT(std::abs(u.dot(f.hessian_product(w, v)) - v.dot(f.hessian_product(w, u))) <= rounding(size));
  const double curve = v.dot(f.hessian_product(w, v));
  RC_ASSERT(curve >= -1e-14 * v.squaredNorm() * f.beta());
  RC_ASSERT(curve <= f.beta() * v.squaredNorm() * (1 + 1e-12));
}

// Away from kinks, which show by a jump of the Hessian.
RC_GTEST_PROP(EveryRowLoss, HessianIsTheDerivativeOfTheGradient, ()) {
  const Sample f = any_sample();
  const Vector w = grid_row(f.k), v = grid_row(f.k);
  const double h = 1e-6, slack = 1e-4 * (1 + v.squaredNorm());
  const Vector before = f.hessian_product(w - h * v, v), after = f.hessian_product(w + h * v, v);
  if ((before - after).norm() > slack) return;
  const Vector quotient = (f.gradient(w + h * v) - f.gradient(w - h * v)) / (2 * h);
  RC_ASSERT((quotient - f.hessian_product(w, v)).norm() <= 2 * slack);
}

RC_GTEST_PROP(EveryRowLoss, StaysHonestAtExtremeArguments, ()) {
  const Sample f = any_sample();
  constexpr double kMax = std::numeric_limits<double>::max();
  Vector w(f.k);
  for (double& entry : w)
    entry = *rc::gen::element(-kMax, -1e300, -1e150, -1e-300, 0.0, 1e-300, 1.0, 1e150, 1e300, kMax);
  const Vector y = f.dual_point(), v = grid_row(f.k), g = f.gradient(w);
  RC_LOG() << "w " << w.transpose() << "\ny " << y.transpose();
  RC_ASSERT(!std::isnan(f.value(w)));
  RC_ASSERT(!g.hasNaN());
  RC_ASSERT(!f.hessian_product(w, v).hasNaN());
  if (!g.allFinite()) return;  // the squared loss may overflow
  for (const double step : {0.0, 5e-324, 1e-308, 1e-300, 1e-10, 1.0, 1e10, 1e300, kInf}) {
    const Vector u = f.prox(w, y, step);
    RC_LOG() << "step " << step << ", u " << u.transpose();
    RC_ASSERT(!u.hasNaN());
    if (f.loss->target_kind() != RowTargetKind::numbers) RC_ASSERT(std::isfinite(f.conjugate(u)));
  }
}

RC_GTEST_PROP(EveryRowLoss, ResultsMayOverwriteTheArguments, ()) {
  const Sample f = any_sample();
  const Vector w = grid_row(f.k), y = f.dual_point();
  Vector in_place = w;
  f.loss->gradient(0, row(in_place), row(in_place));
  RC_ASSERT(in_place == f.gradient(w));
  for (const double step : {0.0, 0.7, kInf}) {
    in_place = y;
    f.loss->dual_prox(0, row(w), row(in_place), step, row(in_place));
    RC_ASSERT(in_place == f.prox(w, y, step));
    in_place = w;
    f.loss->dual_prox(0, row(in_place), row(y), step, row(in_place));
    RC_ASSERT(in_place == f.prox(w, y, step));
  }
}

// All samples at once, large enough for several blocks.
RC_GTEST_PROP(EveryRowLoss, WholeMatricesAreTheirRowsOneByOne, (std::uint64_t seed)) {
  const Sample f = any_sample();
  const auto n = *rc::gen::element<Index>(0, 1, 10, 30'000 / f.k);
  Random random(seed);
  Matrix B(n, f.b.size()), W(n, f.k), Y(n, f.k), V(n, f.k), gradients, proxes, products, one_gradients, one_proxes;
  for (Index i = 0; i < n; ++i) {
    B.row(i) = f.b.transpose();
    for (Index j = 0; j < f.k; ++j) {
      W(i, j) = 3 * random.normal();
      V(i, j) = random.normal();
    }
    Y.row(i) = f.gradient(V.row(i)).transpose();
  }
  const auto weight = f.weight.empty() ? f.weight : std::vector<double>(static_cast<std::size_t>(n), f.weight[0]);
  const std::shared_ptr<const RowLoss> made = f.c.of(B, weight);
  const RowLoss& loss = *made;
  loss.gradients(W, gradients, 3);
  loss.dual_proxes(W, Y, 0.7, proxes, 3);
  loss.hessian_products(W, V, products, 3);
  double values = 0, conjugates = 0;
  for (Index i = 0; i < n; ++i) {
    const Vector w = W.row(i), y = Y.row(i);
    values += f.value(w);
    conjugates += f.conjugate(y);
    RC_ASSERT(gradients.row(i).transpose() == f.gradient(w));
    RC_ASSERT(proxes.row(i).transpose() == f.prox(w, y, 0.7));
    RC_ASSERT(products.row(i).transpose() == f.hessian_product(w, V.row(i)));
  }
  RC_ASSERT(std::abs(loss.total_value(W) - values) <= 1e-12 * (1 + values));
  RC_ASSERT(std::abs(loss.total_conjugate(Y) - conjugates) <= 1e-11 * (1 + values + std::abs(conjugates)));
  for (const int threads : {2, 5}) {
    RC_ASSERT(loss.total_value(W, threads) == loss.total_value(W, 1));
    RC_ASSERT(loss.total_conjugate(Y, threads) == loss.total_conjugate(Y, 1));
  }
  if (n == 0) return;
  const std::vector<Index> some{n - 1, 0};
  Matrix of_some;
  made->subset(some)->gradients(W(some, Eigen::all), of_some);
  RC_ASSERT(of_some == gradients(some, Eigen::all));
  if (loss.name() == "squared") return;
  Y(n - 1, f.k - 1) = 1e3;
  RC_ASSERT(loss.total_conjugate(Y) == kInf);
}

TEST(EveryRowLoss, SaysItsName) {
  for (const std::string_view name : low_rank::loss_names())
    EXPECT_EQ(low_rank::make_row_loss({.loss = std::string(name)})->name(), name);
}

TEST(EveryRowLoss, OnlyTheSquaredIsQuadratic) {
  for (const RowLossCase& c : test::row_loss_cases()) EXPECT_EQ(c.loss->is_quadratic(), c.loss->name() == "squared");
}

// One output: the scalar loss itself.
TEST(ElementwiseLosses, WithOneOutputAreTheScalarLosses) {
  for (const auto& [rows, scalar] :
       {std::pair{"squared", "squared"}, std::pair{"huber", "huber"},
        std::pair{"multilabel_smooth_hinge", "smooth_hinge"}, std::pair{"multilabel_logistic", "logistic"}}) {
    for (const double target : {-1.0, 1.0}) {
      const auto row_loss =
          low_rank::make_row_loss({.loss = rows, .smoothing = 0.3, .huber_width = 0.7}, Matrix::Constant(1, 1, target));
      const auto loss = make_loss({.loss = scalar, .smoothing = 0.3, .huber_width = 0.7}, {target});
      EXPECT_EQ(row_loss->smoothness(), loss->smoothness());
      EXPECT_EQ(row_loss->curvature(), loss->curvature());
      for (const double output : {-3.0, -0.2, 0.0, 0.75, 1.0, 4.0}) {
        const Vector zero = Vector::Zero(1), w = Vector::Constant(1, output), v = Vector::Constant(1, 2);
        Vector y(1), u(1), hv(1);
        row_loss->gradient(0, row(w), row(y));
        row_loss->dual_prox(0, row(w), row(zero), 0.4, row(u));
        row_loss->hessian_product(0, row(w), row(v), row(hv));
        EXPECT_EQ(row_loss->value(0, row(w)), loss->value(0, output));
        EXPECT_EQ(y[0], loss->derivative(0, output));
        EXPECT_EQ(row_loss->conjugate(0, row(y)), loss->conjugate(0, y[0]));
        EXPECT_EQ(u[0], loss->dual_prox(0, output, 0, 0.4));
        EXPECT_EQ(hv[0], 2 * loss->second_derivative(0, output));
      }
    }
  }
}

}  // namespace row_loss_laws_test
}  // namespace pdbfw
