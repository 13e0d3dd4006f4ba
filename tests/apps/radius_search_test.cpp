#include "apps/radius_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace pdbfw::test {
namespace radius_search_test {

// Errors that fall to a valley and rise again, as held-out errors do; smooth in the logarithm of the radius.
struct Valley {
  double bottom = 1;
  std::vector<double> asked{};

  RadiusVerdict operator()(double radius) {
    asked.push_back(radius);
    const double distance = std::log(radius / bottom);
    return {1 + distance * distance};
  }
};

class FindsTheValley : public testing::TestWithParam<double> {};

// The last round looks 2^(1/8) to either side, so half of that, squared up, is as near as it promises.
TEST_P(FindsTheValley, FromAnyFirstRadius) {
  for (const double first : {0.01, 0.7, 1.0, 1.3, 50.0}) {
    Valley valley{GetParam()};
    const double found = best_radius(first, std::ref(valley));
    EXPECT_LT(std::abs(std::log2(found / GetParam())), 0.25) << first;
    EXPECT_LE(valley.asked.size(), 20U) << first;
  }
}
INSTANTIATE_TEST_SUITE_P(RadiusSearch, FindsTheValley, testing::Values(0.3, 1, 17.0));

TEST(RadiusSearch, NeverGoesBeyondARadiusThatDoesNotBind) {
  double largest = 0;
  const double found = best_radius(1, [&](double radius) -> RadiusVerdict {
    largest = std::max(largest, radius);
    return {1 / std::min(radius, 10.0), radius < 10};
  });
  EXPECT_LE(largest, 16 * std::sqrt(2.0));
  EXPECT_GE(found, 10);
}

TEST(RadiusSearch, StopsWhereTheErrorNoLongerFalls) {
  int asked = 0;
  const double found = best_radius(1, [&](double radius) -> RadiusVerdict {
    ++asked;
    return {1 + std::exp(-radius)};
  });
  EXPECT_GE(found, 4);
  EXPECT_LT(asked, 12);
}

TEST(RadiusSearch, OfEqualErrorsTheSmallestRadiusIsTheBest) {
  const double found = best_radius(1, [](double radius) -> RadiusVerdict { return {std::max(1 / radius, 0.3)}; });
  EXPECT_GE(found, 1 / 0.3 * (1 - 1e-4));
  EXPECT_LT(found, 4);
}

TEST(RadiusSearch, KeepsTheBest) {
  Valley valley{9};
  double kept = 0;
  const double found = best_radius(1, std::ref(valley), [&] { kept = valley.asked.back(); });
  EXPECT_EQ(kept, found);
}

TEST(RadiusSearch, EndsWhenThereIsNoMoreTime) {
  int asked = 0;
  const double found = best_radius(1, [&](double radius) -> RadiusVerdict {
    ++asked;
    return {radius < 3 ? 1 / radius : std::numeric_limits<double>::infinity()};
  });
  EXPECT_EQ(found, 2);
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(best_radius(5, [](double) -> RadiusVerdict { return {std::numeric_limits<double>::infinity()}; }), 5);
}

}  // namespace radius_search_test
}  // namespace pdbfw::test
