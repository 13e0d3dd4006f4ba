// The laws of a loss with an intercept [M38], and of one with weights, over every registered loss.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "losses/with_free.hpp"
#include "support/cases.hpp"

namespace pdbfw {
namespace intercept_and_weights_test {

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
  for (std::size_t i = 0; i < s.b.size(); ++i) sum += loss.value(i, s.w[i] + t);
  return sum;
}

double sum_of(const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), 0.0); }

WithFree with_intercept(std::shared_ptr<const Loss> loss) {
  const std::size_t n = loss->size();
  return {std::move(loss), 1, std::vector<double>(n, 1.0)};
}

TEST(WithIntercept, TakesTheBestOne) {
  for (const LossCase& c : loss_cases())
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const Samples s = random_samples(*c.loss, 30, seed);
      const auto loss = c.of(s.b);
      const WithFree joint = with_intercept(loss);
      const double t = joint.free_weights(s.w)[0], best = sum_at(*loss, s, t);
      EXPECT_NEAR(joint.total_value(s.w), best, 1e-12 * (1 + best)) << c.name;
      for (const double other : {-100.0, -1.0, -1e-3, 1e-3, 1.0, 100.0})
        EXPECT_GE(sum_at(*loss, s, t + other), best - 1e-12 * (1 + best)) << c.name << ' ' << other;
    }
}

TEST(WithIntercept, IsThatOfTheMeanForTheSquaredLoss) {
  const WithFree joint = with_intercept(make_loss({.loss = "squared"}, {1, 2, 6}));
  EXPECT_DOUBLE_EQ(joint.free_weights(std::vector<double>{0, 1, 2})[0], 2);
  EXPECT_DOUBLE_EQ(joint.total_value(std::vector<double>{0, 1, 2}), 3);
}

TEST(WithIntercept, DerivativesAreThoseOfItsValueAndSumToZero) {
  for (const LossCase& c : loss_cases()) {
    Samples s = random_samples(*c.loss, 12, 7);
    const auto loss = c.of(s.b);
    const WithFree joint = with_intercept(loss);
    std::vector<double> y(s.b.size());
    joint.derivatives(s.w, y);
    EXPECT_NEAR(sum_of(y), 0, 1e-13) << c.name;
    const double f = joint.total_value(s.w), h = 1e-5;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double w = s.w[i];
      s.w[i] = w + h;
      const double after = (joint.total_value(s.w) - f) / h;
      s.w[i] = w - h;
      const double before = (f - joint.total_value(s.w)) / h;
      s.w[i] = w;
      EXPECT_NEAR(y[i], (before + after) / 2, 1e-4 * (1 + c.loss->smoothness())) << c.name;
    }
  }
}

TEST(WithIntercept, FenchelYoungHoldsForSumsAndIsEqualAtTheDerivative) {
  for (const LossCase& c : loss_cases()) {
    const Samples s = random_samples(*c.loss, 12, 8), other = random_samples(*c.loss, 12, 9);
    const auto loss = c.of(s.b);
    const WithFree joint = with_intercept(loss);
    std::vector<double> y(s.b.size());
    joint.derivatives(other.w, y);
    const auto product = [&] { return std::inner_product(y.begin(), y.end(), s.w.begin(), 0.0); };
    const double f = joint.total_value(s.w);
    EXPECT_GE(f + joint.total_conjugate(y), product() - 1e-11 * (1 + std::abs(f))) << c.name;
    joint.derivatives(s.w, y);
    EXPECT_NEAR(f + joint.total_conjugate(y), product(), 1e-10 * (1 + std::abs(f) + std::abs(product()))) << c.name;
  }
}

TEST(WithIntercept, ConjugateIsInfiniteOffBalanceAndBalanceStaysInTheDomain) {
  for (const LossCase& c : loss_cases()) {
    const Samples s = random_samples(*c.loss, 12, 10);
    const auto loss = c.of(s.b);
    const WithFree joint = with_intercept(loss);
    std::vector<double> y(s.b.size());
    loss->derivatives(s.w, y);  // of the samples alone: they do not sum to zero
    ASSERT_GT(std::abs(sum_of(y)), 1e-6) << c.name;
    EXPECT_EQ(joint.total_conjugate(y), std::numeric_limits<double>::infinity()) << c.name;
    joint.balance(y);
    EXPECT_NEAR(sum_of(y), 0, 1e-13) << c.name;
    EXPECT_TRUE(std::isfinite(joint.total_conjugate(y))) << c.name;
  }
}

// An intercept and two columns of very different size, the last of which sees few samples.
std::vector<double> three_columns(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> Z;
  for (std::size_t i = 0; i < n; ++i) Z.push_back(1);
  for (std::size_t i = 0; i < n; ++i) Z.push_back(1e3 * random.normal());
  for (std::size_t i = 0; i < n; ++i) Z.push_back(i % 3 == 0 ? 0.01 * random.normal() : 0);
  return Z;
}

// Labels that no mixture of the columns tells apart, or the best weights would be infinite.
Samples mixed_samples(const Loss& loss, std::size_t n, std::uint64_t seed) {
  Samples s = random_samples(loss, n, seed);
  if (loss.target_kind() == TargetKind::labels)
    for (std::size_t i = 0; i < n; ++i) s.b[i] = (i / 2 + i) % 2 == 0 ? 1 : -1;
  return s;
}

double largest_product(const FreeColumns& Z, std::span<const double> y) {
  double largest = 0;
  for (Index c = 0; c < Z.count; ++c) {
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      sum += Z[c][i] * y[i];
      size += std::abs(Z[c][i] * y[i]);
    }
    if (size > 0) largest = std::max(largest, std::abs(sum) / size);
  }
  return largest;
}

TEST(FreeColumns, TakeTheBestWeights) {
  for (const LossCase& c : loss_cases())
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const Samples s = mixed_samples(*c.loss, 60, seed);
      const auto loss = c.of(s.b);
      const WithFree joint(loss, 3, three_columns(60, seed));
      const std::vector<double> t = joint.free_weights(s.w);
      const double best = loss->total_value(shifted(s.w, joint.free_columns(), t));
      EXPECT_NEAR(joint.total_value(s.w), best, 1e-12 * (1 + best)) << c.name;
      for (std::size_t k = 0; k < t.size(); ++k)
        for (const double other : {-1.0, -1e-4, 1e-4, 1.0}) {
          std::vector<double> moved = t;
          moved[k] += other;
          EXPECT_GE(loss->total_value(shifted(s.w, joint.free_columns(), moved)), best - 1e-11 * (1 + best))
              << c.name << ' ' << k << ' ' << other;
        }
    }
}

TEST(FreeColumns, FenchelYoungHoldsAndIsEqualAtTheDerivativeWhichTheyDoNotSee) {
  for (const LossCase& c : loss_cases()) {
    const Samples s = mixed_samples(*c.loss, 60, 4), other = mixed_samples(*c.loss, 60, 5);
    const auto loss = c.of(s.b);
    const WithFree joint(loss, 3, three_columns(60, 6));
    std::vector<double> y(s.b.size());
    const auto product = [&] { return std::inner_product(y.begin(), y.end(), s.w.begin(), 0.0); };
    const double f = joint.total_value(s.w);
    joint.derivatives(other.w, y);
    EXPECT_LE(largest_product(joint.free_columns(), y), 1e-13) << c.name;
    EXPECT_GE(f + joint.total_conjugate(y), product() - 1e-10 * (1 + std::abs(f))) << c.name;
    joint.derivatives(s.w, y);
    EXPECT_NEAR(f + joint.total_conjugate(y), product(), 1e-9 * (1 + std::abs(f) + std::abs(product()))) << c.name;
  }
}

TEST(FreeColumns, BalanceStaysInTheDomain) {
  for (const LossCase& c : loss_cases()) {
    const Samples s = mixed_samples(*c.loss, 60, 7);
    const auto loss = c.of(s.b);
    const WithFree joint(loss, 3, three_columns(60, 8));
    std::vector<double> y(s.b.size());
    loss->derivatives(s.w, y);
    EXPECT_EQ(joint.total_conjugate(y), std::numeric_limits<double>::infinity()) << c.name;
    joint.balance(y);
    EXPECT_LE(largest_product(joint.free_columns(), y), 1e-10) << c.name;
    EXPECT_TRUE(std::isfinite(joint.total_conjugate(y))) << c.name;
  }
}

// Any weight is as good as copies of the sample, one at a time.
TEST(Weighted, AWholeNumberIsSoManyCopies) {
  for (const LossCase& c : loss_cases()) {
    const Samples s = random_samples(*c.loss, 4, 11);
    const std::vector<double> weight{2, 1, 0, 3};
    const auto loss = c.of(s.b, weight), plain = c.of(s.b);
    for (std::size_t i = 0; i < weight.size(); ++i) {
      const double w = s.w[i];
      EXPECT_DOUBLE_EQ(loss->value(i, w), weight[i] * plain->value(i, w)) << c.name;
      EXPECT_DOUBLE_EQ(loss->derivative(i, w), weight[i] * plain->derivative(i, w)) << c.name;
      EXPECT_DOUBLE_EQ(loss->second_derivative(i, w), weight[i] * plain->second_derivative(i, w)) << c.name;
    }
  }
}

TEST(Weighted, FenchelYoungHoldsAndIsEqualAtTheDerivative) {
  for (const LossCase& c : loss_cases()) {
    const Samples s = random_samples(*c.loss, 4, 12), other = random_samples(*c.loss, 4, 13);
    const auto loss = c.of(s.b, {2, 0.3, 0, 1});
    for (std::size_t i = 0; i < s.b.size(); ++i) {
      const double f = loss->value(i, s.w[i]), slope = loss->derivative(i, s.w[i]), y = loss->derivative(i, other.w[i]);
      EXPECT_GE(f + loss->conjugate(i, y), s.w[i] * y - 1e-12 * (1 + std::abs(f))) << c.name;
      EXPECT_NEAR(f + loss->conjugate(i, slope), s.w[i] * slope, 1e-12 * (1 + std::abs(f) + std::abs(s.w[i] * slope)))
          << c.name;
    }
    EXPECT_EQ(loss->conjugate(2, 0.1), std::numeric_limits<double>::infinity()) << "weight 0";
  }
}

// dual_prox maximises what it says, against a fine grid around it.
TEST(Weighted, DualProxIsTheMaximiser) {
  for (const LossCase& c : loss_cases()) {
    const Samples s = random_samples(*c.loss, 3, 14);
    const auto loss = c.of(s.b, {2, 0.3, 0});
    for (std::size_t i = 0; i < s.b.size(); ++i)
      for (const double step : {0.1, 3.0}) {
        const double y = loss->derivative(i, -s.w[i]), found = loss->dual_prox(i, s.w[i], y, step);
        const auto goal = [&](double u) { return s.w[i] * u - loss->conjugate(i, u) - (u - y) * (u - y) / (2 * step); };
        const double most = goal(found);
        ASSERT_TRUE(std::isfinite(most)) << c.name;
        for (const double off : {-0.1, -1e-3, 1e-3, 0.1})
          EXPECT_LE(goal(found + off), most + 1e-10 * (1 + std::abs(most))) << c.name << ' ' << off;
      }
  }
}

// 0.7 w / w is above 0.7 for many w, and a dual point there would prove nothing.
TEST(Weighted, DerivativesAndProxesAreInTheDomainOfTheConjugate) {
  const std::size_t n = 1'000;
  std::vector<double> weight;
  for (std::size_t i = 0; i < n; ++i) weight.push_back(1 + static_cast<double>(i) / static_cast<double>(n));
  const auto loss = make_loss({.loss = "huber", .huber_width = 0.7}, std::vector<double>(n, 0.0), weight);
  for (std::size_t i = 0; i < n; ++i)
    for (const double w : {-5.0, 5.0}) {
      EXPECT_TRUE(std::isfinite(loss->conjugate(i, loss->derivative(i, w)))) << weight[i];
      EXPECT_TRUE(std::isfinite(loss->conjugate(i, loss->dual_prox(i, w, 0, 10)))) << weight[i];
    }
}

// A weight is told from the mean loss, so a wrong one would not be seen.
TEST(Weighted, RefusesWeightsThatAreNotOneEachAndNotNegative) {
  const auto refusal = [](std::vector<double> weight) -> std::string {
    try {
      static_cast<void>(make_loss({.loss = "squared"}, {1, 2, 3}, std::move(weight)));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({1, 1}), "sample_weight: 2 of them breaks the rule: one for each of 3 samples");
  EXPECT_EQ(refusal({1, -1, 1}), "sample_weight: -1 for sample 2 breaks the rule: finite numbers >= 0");
  EXPECT_EQ(refusal({1, 0, 1}), "");
}

}  // namespace intercept_and_weights_test
}  // namespace pdbfw
