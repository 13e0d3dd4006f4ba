// The laws of a loss with an intercept [M38], and of one with weights, over every registered loss.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "losses/weighted.hpp"
#include "losses/with_intercept.hpp"
#include "support/cases.hpp"

namespace pdbfw {
namespace {

using test::loss_cases;
using test::LossCase;
using test::random_target;

struct Samples {
  std::vector<double> b, w;
};

// Labels of both kinds, one of them rare; scores far from zero, as on data that is not centred.
Samples random_samples(const Loss& loss, std::size_t n, std::uint64_t seed) {
  Random random(seed);
  Samples s;
  for (std::size_t i = 0; i < n; ++i) {
    s.b.push_back(random_target(loss, random));
    s.w.push_back(5 + 3 * random.normal());
  }
  if (loss.target_kind() == TargetKind::labels) {
    for (double& b : s.b) b = 1;
    s.b[0] = -1;
  }
  return s;
}

double sum_at(const Loss& loss, const Samples& s, double t) {
  double sum = 0;
  for (std::size_t i = 0; i < s.b.size(); ++i) sum += loss.value(s.b[i], s.w[i] + t);
  return sum;
}

double sum_of(const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), 0.0); }

TEST(WithIntercept, TakesTheBestOne) {
  for (const LossCase& c : loss_cases())
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const Samples s = random_samples(*c.loss, 30, seed);
      const WithIntercept joint(c.loss);
      const double t = joint.intercept(s.b, s.w), best = sum_at(*c.loss, s, t);
      EXPECT_NEAR(joint.total_value(s.b, s.w), best, 1e-12 * (1 + best)) << c.name;
      for (const double other : {-100.0, -1.0, -1e-3, 1e-3, 1.0, 100.0})
        EXPECT_GE(sum_at(*c.loss, s, t + other), best - 1e-12 * (1 + best)) << c.name << ' ' << other;
    }
}

TEST(WithIntercept, IsThatOfTheMeanForTheSquaredLoss) {
  const WithIntercept joint(make_loss({.loss = "squared"}));
  EXPECT_DOUBLE_EQ(joint.intercept(std::vector<double>{1, 2, 6}, std::vector<double>{0, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(joint.total_value(std::vector<double>{1, 2, 6}, std::vector<double>{0, 1, 2}), 3);
}

TEST(WithIntercept, DerivativesAreThoseOfItsValueAndSumToZero) {
  for (const LossCase& c : loss_cases()) {
    Samples s = random_samples(*c.loss, 12, 7);
    const WithIntercept joint(c.loss);
    std::vector<double> y(s.b.size());
    joint.derivatives(s.b, s.w, y);
    EXPECT_NEAR(sum_of(y), 0, 1e-13) << c.name;
    const double f = joint.total_value(s.b, s.w), h = 1e-5;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double w = s.w[i];
      s.w[i] = w + h;
      const double after = (joint.total_value(s.b, s.w) - f) / h;
      s.w[i] = w - h;
      const double before = (f - joint.total_value(s.b, s.w)) / h;
      s.w[i] = w;
      EXPECT_NEAR(y[i], (before + after) / 2, 1e-4 * (1 + c.loss->smoothness())) << c.name;
    }
  }
}

TEST(WithIntercept, FenchelYoungHoldsForSumsAndIsEqualAtTheDerivative) {
  for (const LossCase& c : loss_cases()) {
    const Samples s = random_samples(*c.loss, 12, 8), other = random_samples(*c.loss, 12, 9);
    const WithIntercept joint(c.loss);
    std::vector<double> y(s.b.size());
    joint.derivatives(s.b, other.w, y);
    const auto product = [&] { return std::inner_product(y.begin(), y.end(), s.w.begin(), 0.0); };
    const double f = joint.total_value(s.b, s.w);
    EXPECT_GE(f + joint.total_conjugate(s.b, y), product() - 1e-11 * (1 + std::abs(f))) << c.name;
    joint.derivatives(s.b, s.w, y);
    EXPECT_NEAR(f + joint.total_conjugate(s.b, y), product(), 1e-10 * (1 + std::abs(f) + std::abs(product())))
        << c.name;
  }
}

TEST(WithIntercept, ConjugateIsInfiniteOffBalanceAndBalanceStaysInTheDomain) {
  for (const LossCase& c : loss_cases()) {
    const Samples s = random_samples(*c.loss, 12, 10);
    const WithIntercept joint(c.loss);
    std::vector<double> y(s.b.size());
    c.loss->derivatives(s.b, s.w, y);  // of the samples alone: they do not sum to zero
    ASSERT_GT(std::abs(sum_of(y)), 1e-6) << c.name;
    EXPECT_EQ(joint.total_conjugate(s.b, y), std::numeric_limits<double>::infinity()) << c.name;
    joint.balance(y);
    EXPECT_NEAR(sum_of(y), 0, 1e-13) << c.name;
    EXPECT_TRUE(std::isfinite(joint.total_conjugate(s.b, y))) << c.name;
  }
}

// Any weight is as good as copies of the sample, one at a time.
TEST(Weighted, AWholeNumberIsSoManyCopies) {
  for (const LossCase& c : loss_cases()) {
    const Samples s = random_samples(*c.loss, 4, 11);
    const std::vector<double> weight{2, 1, 0, 3};
    const Weighted loss(c.loss, s.b, weight);
    for (std::size_t i = 0; i < weight.size(); ++i) {
      const auto b = static_cast<double>(i);
      const double w = s.w[i];
      EXPECT_DOUBLE_EQ(loss.value(b, w), weight[i] * c.loss->value(s.b[i], w)) << c.name;
      EXPECT_DOUBLE_EQ(loss.derivative(b, w), weight[i] * c.loss->derivative(s.b[i], w)) << c.name;
      EXPECT_DOUBLE_EQ(loss.second_derivative(b, w), weight[i] * c.loss->second_derivative(s.b[i], w)) << c.name;
    }
  }
}

TEST(Weighted, FenchelYoungHoldsAndIsEqualAtTheDerivative) {
  for (const LossCase& c : loss_cases()) {
    const Samples s = random_samples(*c.loss, 4, 12), other = random_samples(*c.loss, 4, 13);
    const Weighted loss(c.loss, s.b, {2, 0.3, 0, 1});
    for (std::size_t i = 0; i < s.b.size(); ++i) {
      const auto b = static_cast<double>(i);
      const double f = loss.value(b, s.w[i]), slope = loss.derivative(b, s.w[i]), y = loss.derivative(b, other.w[i]);
      EXPECT_GE(f + loss.conjugate(b, y), s.w[i] * y - 1e-12 * (1 + std::abs(f))) << c.name;
      EXPECT_NEAR(f + loss.conjugate(b, slope), s.w[i] * slope, 1e-12 * (1 + std::abs(f) + std::abs(s.w[i] * slope)))
          << c.name;
    }
    EXPECT_EQ(loss.conjugate(2, 0.1), std::numeric_limits<double>::infinity()) << "weight 0";
  }
}

// dual_prox maximises what it says, against a fine grid around it.
TEST(Weighted, DualProxIsTheMaximiser) {
  for (const LossCase& c : loss_cases()) {
    const Samples s = random_samples(*c.loss, 3, 14);
    const Weighted loss(c.loss, s.b, {2, 0.3, 0});
    for (std::size_t i = 0; i < s.b.size(); ++i)
      for (const double step : {0.1, 3.0}) {
        const auto b = static_cast<double>(i);
        const double y = loss.derivative(b, -s.w[i]), found = loss.dual_prox(b, s.w[i], y, step);
        const auto goal = [&](double u) { return s.w[i] * u - loss.conjugate(b, u) - (u - y) * (u - y) / (2 * step); };
        const double most = goal(found);
        ASSERT_TRUE(std::isfinite(most)) << c.name;
        for (const double off : {-0.1, -1e-3, 1e-3, 0.1})
          EXPECT_LE(goal(found + off), most + 1e-10 * (1 + std::abs(most))) << c.name << ' ' << off;
      }
  }
}

}  // namespace
}  // namespace pdbfw
