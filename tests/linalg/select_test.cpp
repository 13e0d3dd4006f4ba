// Greedy selection against a full sort.
#include "linalg/select.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>
#include <vector>

namespace pdbfw {
namespace select_test {

std::vector<Index> largest_by_sorting(const std::vector<int>& key, Index s) {
  std::vector<Index> at(key.size());
  std::iota(at.begin(), at.end(), Index{0});
  std::stable_sort(at.begin(), at.end(), [&](Index i, Index j) {
    return key[static_cast<std::size_t>(i)] > key[static_cast<std::size_t>(j)];
  });
  at.resize(std::min(at.size(), static_cast<std::size_t>(s)));
  std::sort(at.begin(), at.end());
  return at;
}

std::vector<Index> largest_of(const std::vector<int>& key, Index s) {
  return largest(static_cast<Index>(key.size()), s, [&](Index i) { return key[static_cast<std::size_t>(i)]; });
}

// Keys of few values, so that ties are the rule.
RC_GTEST_PROP(Largest, AgreesWithAFullSortAndTiesGoToTheSmallerIndex, ()) {
  const auto key = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-3, 4));
  const auto s = *rc::gen::inRange<Index>(0, static_cast<Index>(key.size()) + 3);
  RC_ASSERT(largest_of(key, s) == largest_by_sorting(key, s));
}

TEST(Largest, TakesAllWhenAskedForMoreThanThereAre) {
  EXPECT_EQ(largest_of({5, 1, 3}, 3), (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(largest_of({5, 1, 3}, 100), (std::vector<Index>{0, 1, 2}));
  EXPECT_TRUE(largest_of({}, 2).empty());
  EXPECT_TRUE(largest_of({1, 2}, 0).empty());
}

TEST(Largest, OfEqualKeysTakesTheFirst) { EXPECT_EQ(largest_of({7, 7, 7, 7}, 2), (std::vector<Index>{0, 1})); }

}  // namespace select_test
}  // namespace pdbfw
