// The generator: known values, ranges, and a shuffle that loses nothing.
#include "base/random.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace pdbfw {
namespace random_test {

// The first outputs of SplitMix64, from the authors' C code with the states 0 and 1234567.
TEST(Random, GivesTheKnownValuesOfSplitMix64) {
  Random zero(0);
  EXPECT_EQ(zero.bits(), 0xE220A8397B1DCDAFULL);
  EXPECT_EQ(zero.bits(), 0x6E789E6AA1B965F4ULL);
  EXPECT_EQ(zero.bits(), 0x06C45D188009454FULL);
  Random other(1234567);
  EXPECT_EQ(other.bits(), 6457827717110365317ULL);
  EXPECT_EQ(other.bits(), 3203168211198807973ULL);
}

RC_GTEST_PROP(Random, UniformLiesInZeroToOne, (std::uint64_t seed)) {
  Random random(seed);
  for (int t = 0; t < 100; ++t) {
    const double u = random.uniform();
    RC_ASSERT(u >= 0.0);
    RC_ASSERT(u < 1.0);
  }
}

TEST(Random, UniformFillsItsRangeEvenly) {
  Random random(7);
  std::array<int, 10> count{};
  for (int t = 0; t < 100'000; ++t) ++count[static_cast<std::size_t>(10 * random.uniform())];
  for (const int c : count) EXPECT_NEAR(c, 10'000, 500);  // five standard deviations
}

TEST(Random, NormalHasMeanZeroAndVarianceOne) {
  Random random(11);
  double sum = 0, squares = 0;
  constexpr int kDraws = 100'000;
  for (int t = 0; t < kDraws; ++t) {
    const double z = random.normal();
    ASSERT_TRUE(std::isfinite(z));
    sum += z;
    squares += z * z;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.02);
  EXPECT_NEAR(squares / kDraws, 1, 0.03);
}

RC_GTEST_PROP(Random, BelowStaysBelow, (std::uint64_t seed)) {
  const auto bound = *rc::gen::nonZero<std::uint64_t>();
  Random random(seed);
  for (int t = 0; t < 20; ++t) RC_ASSERT(random.below(bound) < bound);
}

TEST(Random, BelowReachesEveryNumber) {
  Random random(3);
  std::array<int, 6> count{};
  for (int t = 0; t < 60'000; ++t) ++count[random.below(6)];
  for (const int c : count) EXPECT_NEAR(c, 10'000, 500);
}

RC_GTEST_PROP(Random, ShuffleIsAPermutation, (std::uint64_t seed, std::vector<int> items)) {
  std::vector<int> shuffled = items;
  Random(seed).shuffle(std::span(shuffled));
  std::sort(items.begin(), items.end());
  std::sort(shuffled.begin(), shuffled.end());
  RC_ASSERT(items == shuffled);
}

TEST(Random, ShuffleReachesEveryOrder) {
  Random random(5);
  std::vector<int> seen(6);
  for (int t = 0; t < 6'000; ++t) {
    std::array<int, 3> items{0, 1, 2};
    random.shuffle(std::span<int>(items));
    const int rank = 2 * items[0] + (items[1] > items[2] ? 1 : 0);
    ++seen[static_cast<std::size_t>(rank)];
  }
  for (const int c : seen) EXPECT_NEAR(c, 1'000, 150);
}

TEST(Random, SameSeedGivesTheSameBits) {
  Random a(42), b(42), other(43);
  for (int t = 0; t < 10; ++t) EXPECT_EQ(a.bits(), b.bits());
  EXPECT_NE(a.bits(), other.bits());
}

}  // namespace random_test
}  // namespace pdbfw
