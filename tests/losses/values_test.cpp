// A few values of each loss from its formula, and the ends of the range where formulas like to fail.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/cases.hpp"

namespace pdbfw {
namespace values_test {

constexpr double kInf = std::numeric_limits<double>::infinity();

// A loss that is asked about a sample of any target.
struct AnyTarget {
  Formulation formulation;
  [[nodiscard]] std::shared_ptr<const Loss> of(double b) const { return make_loss(formulation, {b}); }
  [[nodiscard]] double value(double b, double w) const { return of(b)->value(0, w); }
  [[nodiscard]] double derivative(double b, double w) const { return of(b)->derivative(0, w); }
  [[nodiscard]] double second_derivative(double b, double w) const { return of(b)->second_derivative(0, w); }
  [[nodiscard]] double conjugate(double b, double y) const { return of(b)->conjugate(0, y); }
  [[nodiscard]] double dual_prox(double b, double w, double y, double step) const {
    return of(b)->dual_prox(0, w, y, step);
  }
  [[nodiscard]] double smoothness() const { return of(1)->smoothness(); }
};

AnyTarget named(const std::string& name) { return {{.loss = name}}; }

TEST(SmoothHinge, TakesTheValuesOfItsThreePieces) {
  const auto loss = named("smooth_hinge");
  EXPECT_EQ(loss.value(1, 2), 0);
  EXPECT_EQ(loss.value(1, 0.5), 0.125);
  EXPECT_EQ(loss.value(1, -1), 1.5);
  EXPECT_EQ(loss.value(-1, 1), 1.5);
  EXPECT_EQ(loss.derivative(1, -1), -1);
  EXPECT_EQ(loss.derivative(-1, -0.5), 0.5);
  EXPECT_EQ(loss.smoothness(), 1);
}

TEST(SmoothHinge, TendsToTheHingeAsTheSmoothingVanishes) {
  const auto loss = AnyTarget{{.loss = "smooth_hinge", .smoothing = 1e-8}};
  for (const double margin : {-2.0, -0.5, 0.0, 0.5, 0.9, 1.5})
    EXPECT_NEAR(loss.value(1, margin), std::max(0.0, 1 - margin), 1e-8);
  EXPECT_EQ(loss.smoothness(), 1e8);
}

TEST(Squared, TakesItsValues) {
  const auto loss = named("squared");
  EXPECT_EQ(loss.value(3, 1), 2);
  EXPECT_EQ(loss.derivative(3, 1), -2);
  EXPECT_EQ(loss.conjugate(3, -2), -4);
}

TEST(SquaredHinge, TakesItsValues) {
  const auto loss = named("squared_hinge");
  EXPECT_EQ(loss.value(1, -1), 2);
  EXPECT_EQ(loss.value(1, 1.5), 0);
  EXPECT_EQ(loss.conjugate(1, -2), 0);
  EXPECT_EQ(loss.conjugate(1, 0.1), kInf);
  EXPECT_EQ(loss.conjugate(-1, -0.1), kInf);
}

TEST(Huber, TurnsLinearAtItsWidth) {
  const auto loss = AnyTarget{{.loss = "huber", .huber_width = 2}};
  EXPECT_EQ(loss.value(0, 1), 0.5);
  EXPECT_EQ(loss.value(0, 2), 2);
  EXPECT_EQ(loss.value(0, -5), 8);
  EXPECT_EQ(loss.derivative(0, -5), -2);
  EXPECT_EQ(loss.conjugate(0, 2.5), kInf);
}

TEST(Logistic, TakesItsValues) {
  const auto loss = named("logistic");
  EXPECT_DOUBLE_EQ(loss.value(1, 0), std::log(2.0));
  EXPECT_DOUBLE_EQ(loss.derivative(1, 0), -0.5);
  EXPECT_DOUBLE_EQ(loss.second_derivative(1, 0), 0.25);
  EXPECT_DOUBLE_EQ(loss.conjugate(1, -0.5), -std::log(2.0));
  EXPECT_EQ(loss.conjugate(1, 0), 0);
  EXPECT_EQ(loss.conjugate(1, -1), 0);
  EXPECT_EQ(loss.conjugate(1, 1e-300), kInf);
}

// f*(y) = v log v - v + v^2 / 2 + ... for small v. A certificate of a small objective hangs on all of its digits.
TEST(Logistic, ConjugateKeepsTheDigitsOfSmallNumbers) {
  const auto loss = named("logistic");
  for (const double v : {1e-7, 1e-12, 3.3e-16, 1e-20, 1e-200})
    EXPECT_DOUBLE_EQ(loss.conjugate(1, -v), v * std::log(v) - v + v * v / 2) << v;
}

TEST(Logistic, SurvivesExtremeMargins) {
  const auto loss = named("logistic");
  for (const double b : {-1.0, 1.0})
    for (const double m : {30.0, 40.0, 700.0, 750.0, 1e4, 1e150, 1e300, std::numeric_limits<double>::max()}) {
      const double small = std::exp(-m);
      EXPECT_DOUBLE_EQ(loss.value(b, b * m), std::log1p(small));
      EXPECT_DOUBLE_EQ(loss.value(b, -b * m), m + std::log1p(small));
      EXPECT_DOUBLE_EQ(loss.derivative(b, b * m), -b * small / (1 + small));
      EXPECT_DOUBLE_EQ(loss.derivative(b, -b * m), -b / (1 + small));
      EXPECT_NEAR(loss.second_derivative(b, b * m), small, 1e-12 * small);
      EXPECT_NEAR(loss.second_derivative(b, -b * m), small, 1e-12 * small);
      for (const double y : {0.0, -b * 1e-300, -b * 0.3, -b * (1 - 1e-16), -b})
        for (const double step : {1e-300, 1e-10, 1.0, 1e10, kInf})
          for (const double w : {m, -m}) {
            const double u = loss.dual_prox(b, w, y, step);
            EXPECT_TRUE(std::isfinite(loss.conjugate(b, u))) << b << " " << w << " " << y << " " << step << " " << u;
          }
    }
}

// The proximal equation itself, where v is tiny and the objective is too flat for a comparison of values.
TEST(Logistic, DualProxSolvesItsEquationInTheTails) {
  const auto loss = named("logistic");
  for (const double w : {-20.0, -5.0, 0.0, 5.0, 20.0})
    for (const double y : {0.0, -1e-6, -0.5, -1 + 1e-6, -1.0})
      for (const double step : {1e-4, 1e-2, 1.0, 1e2}) {
        const double v = -loss.dual_prox(1, w, y, step);
        if (v < 1e-280 || v > 1 - 1e-12) continue;
        // d/du: w - log((1 - v)/v)' ... with s = log(v/(1 - v)):  s + w + (v - v_0)/step = 0
        const double s = std::log(v / (1 - v));
        const double scale = 1 + std::abs(s) + std::abs(w) + (1 + 1 / (1 - v)) * 1e-2 / step;
        EXPECT_NEAR(s + w + (v + y) / step, 0, 1e-11 * scale) << w << " " << y << " " << step;
      }
}

TEST(EveryLoss, StaysHonestAtHugeArguments) {
  for (const test::LossCase& c : test::loss_cases())
    for (const double w : {-1e300, -1e150, 1e150, 1e300}) {
      const auto loss = c.of({1});
      EXPECT_FALSE(std::isnan(loss->value(0, w))) << c.name;
      EXPECT_FALSE(std::isnan(loss->derivative(0, w))) << c.name;
      EXPECT_FALSE(std::isnan(loss->dual_prox(0, w, 0, 0.5))) << c.name;
    }
}

}  // namespace values_test
}  // namespace pdbfw
