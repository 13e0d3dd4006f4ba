// exp and log of the library's own, against those of the language.
#include "linalg/elementary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.hpp"

namespace pdbfw {
namespace elementary_test {

constexpr double kUnit = std::numeric_limits<double>::epsilon();

// In units of the last place, or of the smallest number where there is none smaller.
double distance(double found, double expected) {
  return std::abs(found - expected) / (kUnit * std::abs(expected) + std::numeric_limits<double>::denorm_min());
}

TEST(Elementary, AreThoseOfTheLanguageUpToAFewUnits) {
  Random random(3);
  for (int k = 0; k < 200'000; ++k) {
    const double u = random.uniform(), x = -700 * u * u * u, share = std::exp(-40 * u * u), even = random.uniform();
    EXPECT_LE(distance(exp_of_negative(x), std::exp(x)), 2) << x;
    EXPECT_LE(distance(log1p_of_share(share), std::log1p(share)), 3) << share;
    EXPECT_LE(distance(log_of_normal(share), std::log(share)), 3) << share;
    EXPECT_LE(distance(log_of_normal(std::exp(x)), std::log(std::exp(x))), 3) << x;
    EXPECT_LE(distance(log1p_of_negative_share(even), std::log1p(-even)), 4) << even;
  }
}

TEST(Elementary, AreExactAtTheirEnds) {
  EXPECT_EQ(exp_of_negative(0), 1);
  EXPECT_EQ(exp_of_negative(-800), 0);
  EXPECT_EQ(exp_of_negative(-std::numeric_limits<double>::infinity()), 0);
  EXPECT_LE(distance(exp_of_negative(-744), std::exp(-744)), 1);  // no normal number
  EXPECT_EQ(log1p_of_share(0), 0);
  EXPECT_EQ(log1p_of_share(1), std::log(2.0));
  EXPECT_EQ(log_of_normal(1), 0);
  EXPECT_EQ(log1p_of_negative_share(0), 0);
  EXPECT_TRUE(std::isnan(exp_of_negative(std::numeric_limits<double>::quiet_NaN())));
}

}  // namespace elementary_test
}  // namespace pdbfw
