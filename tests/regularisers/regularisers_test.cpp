// The ridge and the diagonal ridge: value, gradient and curvatures speak of one function.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "regularisers/ridge.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace regularisers_test {

struct Case {
  std::shared_ptr<const Regulariser> g;
  std::vector<double> q;  // what it should be
};

std::vector<Case> cases(std::size_t d, Random& random) {
  const double mu = std::exp(random.normal());
  std::vector<double> each(d);
  for (double& q : each) q = random.uniform() < 0.2 ? 0.0 : std::exp(2 * random.normal());
  return {{std::make_shared<RidgeRegulariser>(0.0), std::vector<double>(d, 0.0)},
          {std::make_shared<RidgeRegulariser>(mu), std::vector<double>(d, mu)},
          {std::make_shared<DiagonalRidgeRegulariser>(each), each}};
}

RC_GTEST_PROP(EveryRegulariser, ValueGradientAndCurvaturesAgree, (std::uint64_t seed)) {
  Random random(seed);
  const auto d = *rc::gen::inRange<std::size_t>(1, 12);
  const std::vector<double> x = test::random_vector(d, random), before = test::random_vector(d, random);
  for (const Case& c : cases(d, random)) {
    double value = 0;
    std::vector<double> gradient = before;
    c.g->add_gradient(x, gradient);
    const Curvatures q = c.g->curvatures();
    for (std::size_t j = 0; j < d; ++j) {
      value += 0.5 * c.q[j] * x[j] * x[j];
      RC_ASSERT(q[static_cast<Index>(j)] == c.q[j]);
      RC_ASSERT(std::abs(gradient[j] - before[j] - c.q[j] * x[j]) <= 1e-13 * (1 + std::abs(c.q[j] * x[j])));
    }
    RC_ASSERT(std::abs(c.g->value(x) - value) <= 1e-13 * (1 + value));
    RC_ASSERT(c.g->strong_convexity() == *std::min_element(c.q.begin(), c.q.end()));
    RC_ASSERT(c.g->smoothness() == *std::max_element(c.q.begin(), c.q.end()));
  }
}

RC_GTEST_PROP(EveryRegulariser, GradientIsTheSlopeOfTheValue, (std::uint64_t seed)) {
  Random random(seed);
  const std::vector<double> x = test::random_vector(5, random), direction = test::random_vector(5, random);
  for (const Case& c : cases(5, random)) {
    std::vector<double> gradient(5), ahead = x, behind = x;
    c.g->add_gradient(x, gradient);
    for (std::size_t j = 0; j < 5; ++j) {
      ahead[j] += 0.5 * direction[j];
      behind[j] -= 0.5 * direction[j];
    }
    // g is quadratic, so the central difference is exact for any step.
    const double slope = reference::inner(gradient, direction), scale = 1 + c.g->value(ahead) + c.g->value(behind);
    RC_ASSERT(std::abs(c.g->value(ahead) - c.g->value(behind) - slope) <= 1e-12 * scale);
  }
}

TEST(DiagonalRidge, OfEqualEntriesIsTheRidge) {
  const std::vector<double> x{1, -2, 3};
  const RidgeRegulariser ridge(0.7);
  const DiagonalRidgeRegulariser diagonal(std::vector<double>(3, 0.7));
  EXPECT_DOUBLE_EQ(diagonal.value(x), ridge.value(x));
  EXPECT_EQ(diagonal.strong_convexity(), ridge.strong_convexity());
  EXPECT_EQ(diagonal.smoothness(), ridge.smoothness());
  EXPECT_TRUE(ridge.curvatures().is_uniform());
  EXPECT_FALSE(diagonal.curvatures().is_uniform());
}

TEST(Regularisers, SayTheirNames) {
  EXPECT_EQ(RidgeRegulariser(1).name(), "ridge");
  EXPECT_EQ(DiagonalRidgeRegulariser({1, 2}).name(), "diagonal_ridge");
}

}  // namespace regularisers_test
}  // namespace pdbfw
