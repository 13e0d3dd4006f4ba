// The one equation behind the l1 ball and the simplex: every answer is put back into it.
#include "sets/threshold.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "reference/sets.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace threshold_test {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr Index kMany = 70'000;  // enough for a start from a sample

// sum_j (m_j - t)_+ / q_j; magnitudes with q_j = 0 must not reach above t.
double norm_at(double t, const Magnitudes& m, const Curvatures& q) {
  double sum = 0;
  for (Index j = 0; j < m.size(); ++j)
    if (m[j] > t) sum += (m[j] - t) / q[j];
  return sum;
}

double largest(const Magnitudes& m) {
  double most = 0;
  for (Index j = 0; j < m.size(); ++j) most = std::max(most, std::abs(m[j]));
  return most;
}

// Too low, too high, and near.
std::vector<double> guesses(double t, const Magnitudes& m) {
  const double most = largest(m);
  return {-1e300, -2 * most - 1, 0.0, t * 0.5, t - 1e-9, t, t + 1e-9, t * 1.5, most * 0.999, most, 2 * most + 1, 1e300};
}

void expect_same_for_any_guess(double t, const Magnitudes& m, const Curvatures& q, double radius, double floor,
                               const std::string& what) {
  const double size = largest(m) + std::abs(t);
  for (const double guess : guesses(t, m))
    EXPECT_NEAR(find_threshold(m, q, radius, floor, guess), t, 1e-12 * size) << what << ", guess " << guess;
}

void expect_met(double t, const Magnitudes& m, const Curvatures& q, double radius, const std::string& what) {
  double weight = 0;  // how fast the left side falls: it turns rounding in t into rounding of the radius
  for (Index j = 0; j < m.size(); ++j)
    if (m[j] >= t && q[j] > 0) weight += 1 / q[j];
  EXPECT_NEAR(norm_at(t, m, q), radius, 1e-12 * (radius + weight * (largest(m) + std::abs(t)))) << what;
}

std::vector<double> random_curvatures(Index size, double share_of_zeros, Random& random) {
  std::vector<double> q(static_cast<std::size_t>(size));
  for (double& q_j : q) q_j = random.uniform() < share_of_zeros ? 0.0 : std::exp(random.normal());
  return q;
}

TEST(Threshold, OfOneCurvatureMeetsTheRadius) {
  Random random(1);
  for (const Index size : {Index{1}, Index{2}, Index{9}, Index{1'000}, kMany}) {
    const std::vector<double> v = test::random_vector(static_cast<std::size_t>(size), random);
    for (const bool is_absolute : {false, true})
      for (const double uniform : {1e-3, 1.0, 50.0})
        for (const double share : {1e-6, 0.01, 0.5, 0.99}) {
          const Magnitudes m{v, is_absolute};
          const Curvatures q{uniform, {}};
          // The radius that zero would meet, and less of it: the answer is positive.
          const double radius = share * norm_at(0, m, q), floor = is_absolute ? 0 : -kInf;
          if (radius == 0) continue;
          const std::string what = std::to_string(size) + " magnitudes, q " + std::to_string(uniform);
          const double t = find_threshold(m, q, radius, floor, kNone);
          EXPECT_GT(t, 0) << what;
          expect_met(t, m, q, radius, what);
          expect_same_for_any_guess(t, m, q, radius, floor, what);
          std::vector<double> sorted(v.size());
          for (std::size_t j = 0; j < v.size(); ++j) sorted[j] = m[static_cast<Index>(j)];
          EXPECT_NEAR(t, reference::threshold_by_sorting(sorted, radius * uniform), 1e-12 * (1 + largest(m))) << what;
        }
  }
}

TEST(Threshold, OfManyCurvaturesMeetsTheRadius) {
  Random random(2);
  for (const Index size : {Index{1}, Index{2}, Index{9}, Index{1'000}, kMany})
    for (const bool is_absolute : {false, true})
      for (const double share : {1e-6, 0.01, 0.5, 0.99}) {
        const std::vector<double> v = test::random_vector(static_cast<std::size_t>(size), random);
        const std::vector<double> each = random_curvatures(size, 0, random);
        const Magnitudes m{v, is_absolute};
        const Curvatures q{0, each};
        const double radius = share * norm_at(0, m, q), floor = is_absolute ? 0 : -kInf;
        if (radius == 0) continue;
        const double t = find_threshold(m, q, radius, floor, kNone);
        expect_met(t, m, q, radius, std::to_string(size));
        expect_same_for_any_guess(t, m, q, radius, floor, std::to_string(size));
      }
}

// Where the radius must be met, it is, by a negative t if need be.
TEST(Threshold, WithoutAFloorMeetsALargeRadius) {
  Random random(3);
  for (const Index size : {Index{1}, Index{5}, Index{1'000}, kMany}) {
    const std::vector<double> v = test::random_vector(static_cast<std::size_t>(size), random);
    const std::vector<double> each = random_curvatures(size, 0, random);
    for (const Curvatures& q : {Curvatures{2, {}}, Curvatures{0, each}}) {
      const Magnitudes m{v, false};
      const double radius = 10 * static_cast<double>(size) + norm_at(0, m, q);
      const double t = find_threshold(m, q, radius, -kInf, kNone);
      EXPECT_LT(t, 0);
      expect_met(t, m, q, radius, std::to_string(size));
      expect_same_for_any_guess(t, m, q, radius, -kInf, std::to_string(size));
    }
  }
}

TEST(Threshold, OfASlackRadiusIsTheFloor) {
  Random random(4);
  for (const Index size : {Index{1}, Index{9}, Index{1'000}, kMany}) {
    const std::vector<double> v = test::random_vector(static_cast<std::size_t>(size), random);
    const std::vector<double> each = random_curvatures(size, 0, random);
    for (const Curvatures& q : {Curvatures{2, {}}, Curvatures{0, each}})
      for (const double floor : {0.0, 0.25}) {
        const Magnitudes m{v, true};
        const double radius = 1.01 * norm_at(floor, m, q) + 1e-6;
        EXPECT_EQ(find_threshold(m, q, radius, floor, kNone), floor);
        for (const double guess : guesses(floor, m)) EXPECT_EQ(find_threshold(m, q, radius, floor, guess), floor);
      }
  }
}

// A feature without curvature would grow without bound as soon as it reached above t.
TEST(Threshold, IsNotBelowAMagnitudeWithoutCurvature) {
  Random random(5);
  for (const Index size : {Index{2}, Index{9}, Index{1'000}, kMany})
    for (const double share : {0.0, 0.01, 0.5}) {
      const std::vector<double> v = test::random_vector(static_cast<std::size_t>(size), random);
      std::vector<double> each = random_curvatures(size, 0.3, random);
      each[0] = 0;
      const Magnitudes m{v, true};
      const Curvatures q{0, each};
      double lowest = 0;
      for (Index j = 0; j < size; ++j)
        if (q[j] == 0) lowest = std::max(lowest, m[j]);
      const double to_meet = norm_at(lowest, m, q);
      const double tight = share * to_meet;
      if (tight > 0) {
        const double t = find_threshold(m, q, tight, 0, kNone);
        EXPECT_GE(t, lowest);
        expect_met(t, m, q, tight, std::to_string(size));
        expect_same_for_any_guess(t, m, q, tight, 0, std::to_string(size));
      }
      for (const double guess : guesses(lowest, m))
        EXPECT_EQ(find_threshold(m, q, 1.01 * to_meet + 1e-6, 0, guess), lowest);
    }
}

TEST(Threshold, WithoutAnyCurvatureIsTheLargestMagnitude) {
  const std::vector<double> v{1, -3, 2}, zeros(3, 0.0);
  for (const Curvatures& q : {Curvatures{0, {}}, Curvatures{0, zeros}})
    for (const double guess : {kNone, -7.0, 2.5, 1e300}) {
      EXPECT_EQ(find_threshold({v, true}, q, 1, 0, guess), 3);
      EXPECT_EQ(find_threshold({v, false}, q, 1, -kInf, guess), 2);
    }
}

TEST(Threshold, ByHand) {
  const std::vector<double> v{4, -3, 1};
  for (const double guess : {kNone, -1e300, 0.0, 2.0, 2.5, 3.5, 4.0, 1e300}) {
    EXPECT_EQ(find_threshold({v, true}, {1, {}}, 2, 0, guess), 2.5);      // 1.5 + 0.5
    EXPECT_EQ(find_threshold({v, true}, {2, {}}, 1, 0, guess), 2.5);      // the same
    EXPECT_EQ(find_threshold({v, true}, {1, {}}, 5, 0, guess), 1);        // 3 + 2
    EXPECT_EQ(find_threshold({v, true}, {1, {}}, 8, 0, guess), 0);        // just met
    EXPECT_EQ(find_threshold({v, true}, {1, {}}, 9, 0, guess), 0);        // slack
    EXPECT_EQ(find_threshold({v, false}, {1, {}}, 9, -kInf, guess), -2);  // 6 + 3, of 4 and 1
  }
}

TEST(Threshold, OfTiesMeetsTheRadius) {
  for (const std::size_t size : {std::size_t{4}, std::size_t{131'072}}) {
    const std::vector<double> v(size, 2.0);
    for (const double guess : {kNone, -5.0, 0.0, 1.0, 1.5, 2.0, 3.0})
      EXPECT_EQ(find_threshold({v, true}, {1, {}}, static_cast<double>(size) / 2, 0, guess), 1.5) << size;
  }
}

// The sample sees only every 64th magnitude: all of what matters may be elsewhere, or nothing but in the sample.
TEST(Threshold, DoesNotDependOnWhatTheSampleSees) {
  for (const std::size_t offset : {std::size_t{0}, std::size_t{1}, std::size_t{63}}) {
    std::vector<double> v(static_cast<std::size_t>(kMany), 0.125);
    for (std::size_t j = offset; j < v.size(); j += 64) v[j] = 8;
    const Magnitudes m{v, true};
    for (const double radius : {1.0, 1'000.0, 8'000.0, 9'000.0})
      expect_met(find_threshold(m, {1, {}}, radius, 0, kNone), m, {1, {}}, radius, std::to_string(offset));
  }
}

}  // namespace threshold_test
}  // namespace pdbfw
