// The scan behind the exact threshold, against a plain loop.
#include "linalg/above.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"

namespace pdbfw {
namespace above_test {

constexpr double kInf = std::numeric_limits<double>::infinity();

SumAbove plain(double bound, std::span<const double> v, std::size_t stride, bool is_absolute) {
  SumAbove out;
  for (std::size_t j = 0; j < v.size(); j += stride) {
    const double m = is_absolute ? std::abs(v[j]) : v[j];
    if (!(m > bound)) continue;
    out.sum += m;
    out.count += 1;
  }
  return out;
}

// Multiples of 1/8: any order of the additions gives the same sum, and entries often equal the bound.
std::vector<double> eighths(std::size_t size, Random& random) {
  std::vector<double> v(size);
  for (double& v_j : v) v_j = (static_cast<double>(random.below(65)) - 32) / 8;
  return v;
}

void expect_plain(std::span<const double> v, double bound) {
  for (const Index stride : {1, 2, 3, 7, 64})
    for (const bool is_absolute : {false, true}) {
      const SumAbove fast = sum_above(bound, v, stride, is_absolute);
      const SumAbove slow = plain(bound, v, static_cast<std::size_t>(stride), is_absolute);
      EXPECT_EQ(fast.sum, slow.sum) << v.size() << " entries above " << bound << ", stride " << stride;
      EXPECT_EQ(fast.count, slow.count) << v.size() << " entries above " << bound << ", stride " << stride;
    }
}

TEST(SumAbove, IsThatOfThePlainLoop) {
  Random random(1);
  for (std::size_t size = 0; size <= 40; ++size)
    for (int repetition = 0; repetition < 5; ++repetition) {
      const std::vector<double> v = eighths(size, random);
      for (const double bound : {-kInf, -5.0, -1.0, -0.125, -0.0, 0.0, 0.125, 1.0, 4.0, kInf}) expect_plain(v, bound);
    }
}

TEST(SumAbove, IsStrictlyAbove) {
  const std::vector<double> ties(19, -2.0);
  for (const Index stride : {1, 2}) {
    EXPECT_EQ(sum_above(2, ties, stride, true).count, 0);
    EXPECT_EQ(sum_above(-2, ties, stride, false).count, 0);
    EXPECT_EQ(sum_above(std::nextafter(2, 0), ties, stride, true).count, stride == 1 ? 19 : 10);
  }
}

// Wherever they stand: in the part that is done by eights, and in the rest.
TEST(SumAbove, LeavesNaNsOutAndAddsInfinities) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  Random random(2);
  for (std::size_t size = 1; size <= 40; ++size)
    for (std::size_t at = 0; at < size; ++at) {
      std::vector<double> v = eighths(size, random);
      for (const double odd : {kNaN, -kNaN, kInf, -kInf}) {
        v[at] = odd;
        expect_plain(v, -1);
        expect_plain(v, 0.5);
      }
    }
  const std::vector<double> all(20, kNaN);
  for (const double bound : {-kInf, 0.0}) EXPECT_EQ(sum_above(bound, all, 1, true).count, 0);
  EXPECT_EQ(sum_above(kNaN, std::vector<double>(20, 1.0), 1, true).count, 0);
}

TEST(NonzeroPositions, AreAllOfThem) {
  Random random(6);
  for (const unsigned size : {0U, 1U, 9U, 250'000U}) {
    std::vector<double> v(size, 0.0);
    std::vector<Index> expected;
    for (std::size_t j = 0; j < size; j += 1 + static_cast<std::size_t>(20 * random.uniform())) {
      v[j] = j % 3 == 0 ? std::numeric_limits<double>::quiet_NaN() : -1;
      expected.push_back(static_cast<Index>(j));
    }
    for (const int threads : {1, 2, 8}) EXPECT_EQ(nonzero_positions(v, threads), expected) << size;
  }
}

// Few and many, for any number of threads.
TEST(PositionsAbove, AreAscendingAndStrictlyAbove) {
  Random random(4);
  for (const unsigned size : {0U, 1U, 100U, 250'000U}) {
    std::vector<double> v = eighths(size, random);
    if (size > 3) v[3] = std::numeric_limits<double>::quiet_NaN();
    for (const double bound : {-kInf, 0.0, 0.5, kInf}) {
      std::vector<Index> expected;
      for (std::size_t j = 0; j < size; ++j)
        if (v[j] > bound) expected.push_back(static_cast<Index>(j));
      for (const int threads : {1, 2, 8})
        EXPECT_EQ(positions_above(bound, v, threads), expected) << size << " " << bound;
    }
  }
}

TEST(PositionsAbove, OfTwoVectorsTakeWhatIsNotANumber) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  Random random(5);
  for (const unsigned size : {0U, 1U, 7U, 8U, 100U, 250'000U}) {
    std::vector<double> v = eighths(size, random), r = eighths(size, random);
    for (double& r_j : r) r_j = std::abs(r_j);
    if (size > 3) v[3] = kNaN;
    for (const double bound : {-1.0, 0.0, 0.5, kInf, kNaN}) {
      std::vector<Index> expected;
      for (std::size_t j = 0; j < size; ++j)
        if (!(0.5 * std::abs(v[j]) + 2 * r[j] <= bound)) expected.push_back(static_cast<Index>(j));
      for (const int threads : {1, 2, 8})
        EXPECT_EQ(positions_above(bound, 0.5, v, 2, r, threads), expected) << size << " " << bound;
    }
  }
}

}  // namespace above_test
}  // namespace pdbfw
