// Row losses where the answer is known by hand or from a scalar loss, and where digits are easily lost.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "apps/low_rank_registry.hpp"
#include "losses/logistic.hpp"
#include "losses/smooth_hinge.hpp"
#include "support/row_losses.hpp"

namespace pdbfw {
namespace row_loss_values_test {

using test::row;

constexpr double kInf = std::numeric_limits<double>::infinity();

Vector vector(std::initializer_list<double> entries) {
  Vector v(static_cast<Index>(entries.size()));
  std::copy(entries.begin(), entries.end(), v.begin());
  return v;
}

// A loss of one sample, which has class t.
struct OfClass {
  std::shared_ptr<const RowLoss> loss;
  OfClass(const std::string& name, double t, double smoothing = 1)
      : loss(low_rank::make_row_loss({.loss = name, .smoothing = smoothing}, Matrix::Constant(1, 1, t))) {}

  [[nodiscard]] double value(const Vector& w) const { return loss->value(0, row(w)); }
  [[nodiscard]] double conjugate(const Vector& y) const { return loss->conjugate(0, row(y)); }
  [[nodiscard]] Vector gradient(const Vector& w) const {
    Vector y(w.size());
    loss->gradient(0, row(w), row(y));
    return y;
  }
  [[nodiscard]] Vector prox(const Vector& w, const Vector& y, double step) const {
    Vector u(w.size());
    loss->dual_prox(0, row(w), row(y), step, row(u));
    return u;
  }
};

void expect_near(const Vector& left, const Vector& right, double slack) {
  EXPECT_LE((left - right).lpNorm<Eigen::Infinity>(), slack) << left.transpose() << " and " << right.transpose();
}

// With two classes only the difference m = w_t - w_other counts, and y = (u, -u) has |y|^2 = 2 u^2: a scalar loss of m,
// whose proximal steps are half as long.
template <class Scalar>
void expect_scalar_loss_of_the_difference(const OfClass& rows, const Scalar& scalar) {
  const auto t = static_cast<Index>(rows.loss->targets()(0, 0)), other = 1 - t;
  const auto both = [&](double of_t) {
    Vector v(2);
    v[t] = of_t;
    v[other] = -of_t;
    return v;
  };
  for (const double m : {-30.0, -2.0, -1.0, -0.3, 0.0, 0.5, 1.0, 7.0, 40.0})
    for (const double shift : {0.0, 3.0}) {
      const Vector w = 0.5 * both(m) + Vector::Constant(2, shift);
      EXPECT_NEAR(rows.value(w), scalar.value(1, m), 1e-14 * (1 + std::abs(m)));
      expect_near(rows.gradient(w), both(scalar.derivative(1, m)), 1e-14);
      for (const double y : {0.0, -1e-9, -0.25, -1.0}) {
        EXPECT_NEAR(rows.conjugate(both(y)), scalar.conjugate(1, y), 1e-15);
        for (const double step : {0.0, 0.1, 1.0, 10.0, kInf})
          expect_near(rows.prox(w, both(y), step), both(scalar.dual_prox(1, m, y, step / 2)), 1e-13);
      }
    }
}

TEST(SoftmaxLoss, WithTwoClassesIsTheLogisticLossOfTheDifference) {
  for (const double t : {0.0, 1.0}) expect_scalar_loss_of_the_difference(OfClass("softmax", t), Logistic{});
}

TEST(MulticlassHingeLoss, WithTwoClassesIsTheSmoothHingeOfTheDifferenceWithTwiceTheSmoothing) {
  for (const double t : {0.0, 1.0})
    for (const double smoothing : {1.0, 0.5, 0.01})
      expect_scalar_loss_of_the_difference(OfClass("multiclass_hinge", t, smoothing), SmoothHinge{2 * smoothing});
}

TEST(MulticlassLosses, OfOneClassAreZero) {
  for (const char* name : {"softmax", "multiclass_hinge"}) {
    const OfClass f(name, 0);
    EXPECT_EQ(f.value(vector({-7})), 0);
    EXPECT_EQ(f.gradient(vector({3}))[0], 0);
    EXPECT_EQ(f.conjugate(vector({0})), 0);
    EXPECT_EQ(f.prox(vector({3}), vector({-0.7}), 0.5)[0], 0);
  }
}

TEST(SoftmaxLoss, TakesItsValues) {
  const OfClass f("softmax", 1);
  EXPECT_DOUBLE_EQ(f.value(vector({2, 2, 2, 2})), std::log(4.0));
  expect_near(f.gradient(vector({2, 2, 2, 2})), vector({0.25, -0.75, 0.25, 0.25}), 1e-16);
  EXPECT_DOUBLE_EQ(f.conjugate(vector({0.25, -0.75, 0.25, 0.25})), -std::log(4.0));
  EXPECT_EQ(f.conjugate(vector({0, 0, 0, 0})), 0);
  EXPECT_EQ(f.conjugate(vector({1, -1, 0, 0})), 0);
}

// Classes far behind: the loss is small, and so are all entries of y.
TEST(SoftmaxLoss, KeepsTheDigitsOfSmallNumbers) {
  const OfClass f("softmax", 0);
  for (const double ahead : {30.0, 40.0, 300.0, 700.0}) {
    const double small = std::exp(-ahead);
    const Vector w = vector({ahead, 0, 0}), y = vector({-2 * small, small, small});
    EXPECT_NEAR(f.value(w), 2 * small, 1e-12 * small);
    const Vector gradient = f.gradient(w), stepped = f.prox(w, y, 1);
    for (Index j = 0; j < 3; ++j) {
      EXPECT_NEAR(gradient[j], y[j], 1e-12 * small) << ahead;
      EXPECT_NEAR(stepped[j], y[j], 1e-12 * small) << ahead;  // at rest
    }
    EXPECT_NEAR(f.conjugate(y), 2 * small * (std::log(small) - 1), 1e-12 * ahead * small);
  }
}

// log p_j + (p_j - p_0j)/step - w_j is the same for all j, of whatever size p_j is.
TEST(SoftmaxLoss, DualProxSolvesItsEquationNearTheBoundary) {
  const OfClass f("softmax", 2);
  const Vector w = vector({-60, 0, 3, -20, 25, 1});
  for (const Vector& y : {vector({0, 0, 0, 0, 0, 0}), vector({1, 0, -1, 0, 0, 0}), vector({1e-9, 0.3, -0.5, 0, 0.2, 0}),
                          vector({0, 1e-20, -1e-20, 0, 0, 0})})
    for (const double step : {1e-4, 1e-2, 1.0, 1e2, 1e6}) {
      const Vector u = f.prox(w, y, step);
      double least = kInf, most = -kInf;
      for (const Index j : {0, 1, 3, 4, 5}) {
        const double multiplier = std::log(u[j]) + (u[j] - y[j]) / step - w[j];
        if (u[j] < 1e-280) continue;
        least = std::min(least, multiplier);
        most = std::max(most, multiplier);
      }
      EXPECT_LE(most - least, 1e-11 + 1e-13 / step) << u.transpose() << ", step " << step;
    }
}

TEST(MulticlassHingeLoss, TakesTheValuesOfItsPieces) {
  const OfClass f("multiclass_hinge", 0);
  // y_1 = y_2 = a maximises 2 a - 3 a^2.
  EXPECT_DOUBLE_EQ(f.value(vector({0, 0, 0})), 1.0 / 3);
  expect_near(f.gradient(vector({0, 0, 0})), vector({-2.0 / 3, 1.0 / 3, 1.0 / 3}), 1e-15);
  // One class far ahead has it all: 6 - |(-1, 1, 0)|^2 / 2.
  EXPECT_DOUBLE_EQ(f.value(vector({0, 5, 0})), 5);
  expect_near(f.gradient(vector({0, 5, 0})), vector({-1, 1, 0}), 1e-15);
  // A margin of 1 costs nothing.
  EXPECT_EQ(f.value(vector({1, 0, -3})), 0);
  expect_near(f.gradient(vector({1, 0, -3})), vector({0, 0, 0}), 1e-16);
  EXPECT_GT(f.value(vector({0.9, 0, -3})), 0);
  EXPECT_DOUBLE_EQ(f.conjugate(vector({-1, 0.5, 0.5})), 0.75 - 1);
}

TEST(MulticlassHingeLoss, LiesBelowTheMaxMarginLossByNoMoreThanTheSmoothing) {
  Random random(3);
  for (const double smoothing : {1.0, 0.3, 1e-6}) {
    const OfClass f("multiclass_hinge", 1, smoothing);
    EXPECT_EQ(f.loss->smoothness(), 1 / smoothing);
    for (int repeat = 0; repeat < 200; ++repeat) {
      Vector w(4);
      for (double& entry : w) entry = 2 * random.normal();
      const double hinge = std::max(0.0, 1 + std::max({w[0], w[2], w[3]}) - w[1]);
      EXPECT_LE(f.value(w), hinge + 1e-14 * (1 + hinge));
      EXPECT_GE(f.value(w), hinge - smoothing - 1e-14 * (1 + hinge));
    }
  }
}

TEST(MulticlassLosses, ConjugateForgivesRoundingOnly) {
  for (const char* name : {"softmax", "multiclass_hinge"}) {
    const OfClass f(name, 0);
    EXPECT_TRUE(std::isfinite(f.conjugate(vector({-0.5, 0.5 + 1e-13, 0}))));
    EXPECT_TRUE(std::isfinite(f.conjugate(vector({-1 - 1e-13, 1, 0}))));
    EXPECT_TRUE(std::isfinite(f.conjugate(vector({-0.5, 0.5, -1e-13}))));
    EXPECT_EQ(f.conjugate(vector({-0.5, 0.5 + 1e-11, 0})), kInf);
    EXPECT_EQ(f.conjugate(vector({-1 - 1e-11, 1 + 1e-11, 0})), kInf);
    EXPECT_EQ(f.conjugate(vector({-0.5, 0.5 + 1e-11, -1e-11})), kInf);
    EXPECT_EQ(f.conjugate(vector({-0.5, std::nan(""), 0})), kInf);
  }
}

}  // namespace row_loss_values_test
}  // namespace pdbfw
