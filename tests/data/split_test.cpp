// Splits have the sizes that they should, are fair, and folds are a partition.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "io/message.hpp"
#include "pdbfw/dataset.hpp"

namespace pdbfw::test {
namespace split_test {

std::vector<bool> test_rows(const std::vector<double>& target, const Splitter::Options& options) {
  Splitter splitter(options);
  for (const double label : target) splitter.count(label);
  std::vector<bool> is_test;
  is_test.reserve(target.size());
  for (const double label : target) is_test.push_back(splitter.is_test(label));
  EXPECT_EQ(splitter.rows(), static_cast<Index>(target.size()));
  EXPECT_EQ(splitter.test_rows(), std::count(is_test.begin(), is_test.end(), true));
  return is_test;
}

// Labels -1, 0, 1, ... in a ring, the first `rare` rows labelled 9.
std::vector<double> labels(int rows, int classes, int rare) {
  std::vector<double> target;
  target.reserve(static_cast<std::size_t>(rows));
  for (int i = 0; i < rows; ++i) target.push_back(i < rare ? 9 : i % classes - 1);
  return target;
}

std::map<double, Index> count_labels(const std::vector<double>& target, const std::vector<bool>& is_test) {
  std::map<double, Index> counts;
  for (std::size_t i = 0; i < target.size(); ++i) counts[target[i]] += is_test[i] ? 1 : 0;
  return counts;
}

TEST(Split, EveryLabelHasItsShare) {
  const std::vector<double> target = labels(1'000, 2, 10);
  for (const double fraction : {0.1, 0.2, 0.5, 0.9}) {
    const std::map<double, Index> tested = count_labels(target, test_rows(target, {.test_fraction = fraction}));
    EXPECT_EQ(tested.at(9), std::llround(10 * fraction));
    EXPECT_EQ(tested.at(-1), std::llround(495 * fraction));
    EXPECT_EQ(tested.at(0), std::llround(495 * fraction));
  }
}

TEST(Split, WithoutStrataOnlyTheTotalIsFixed) {
  const std::vector<double> target = labels(1'000, 2, 100);
  Index least = 100, most = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<bool> is_test = test_rows(target, {.stratify = false, .seed = seed});
    EXPECT_EQ(std::count(is_test.begin(), is_test.end(), true), 200);
    const Index rare = count_labels(target, is_test).at(9);
    least = std::min(least, rare);
    most = std::max(most, rare);
  }
  EXPECT_LT(least, 20);
  EXPECT_GT(most, 20);
}

TEST(Split, ManyLabelsAreNumbers) {
  for (const int classes : {20, 21}) {
    Splitter splitter({});
    for (const double label : labels(500, classes, 0)) splitter.count(label);
    EXPECT_EQ(splitter.is_stratified(), classes == 20);
  }
  std::vector<double> target;
  for (int i = 0; i < 500; ++i) target.push_back(i);
  const std::vector<bool> is_test = test_rows(target, {});
  EXPECT_EQ(std::count(is_test.begin(), is_test.end(), true), 100);
}

TEST(Split, FoldsAreAPartitionWithEqualShares) {
  const std::vector<double> target = labels(503, 3, 7);
  for (const bool stratify : {true, false})
    for (const Index folds : {2, 5, 10}) {
      std::vector<int> times(target.size());
      for (Index fold = 1; fold <= folds; ++fold) {
        const std::vector<bool> is_test =
            test_rows(target, {.folds = folds, .fold = fold, .stratify = stratify, .seed = 3});
        for (std::size_t i = 0; i < times.size(); ++i) times[i] += is_test[i] ? 1 : 0;
        const auto size = static_cast<Index>(std::count(is_test.begin(), is_test.end(), true));
        EXPECT_GE(size, 503 / folds);
        EXPECT_LE(size, 503 / folds + 1);
        const Index rare = count_labels(target, is_test).at(9);
        EXPECT_TRUE(!stratify || rare == 7 / folds || rare == 7 / folds + 1) << rare;
      }
      EXPECT_EQ(times, std::vector<int>(target.size(), 1));
    }
}

// Every row is tested with probability 0.2: over 2,000 seeds 400 +- 18 times; and no two rows always go together.
TEST(Split, EveryRowIsAsLikely) {
  const std::vector<double> target = labels(20, 2, 0);
  std::vector<int> times(20);
  int both = 0;
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    const std::vector<bool> is_test = test_rows(target, {.seed = seed});
    for (std::size_t i = 0; i < 20; ++i) times[i] += is_test[i] ? 1 : 0;
    both += is_test[0] && is_test[2] ? 1 : 0;
  }
  for (const int count : times) EXPECT_NEAR(count, 400, 90);
  EXPECT_NEAR(both, 2'000 * (2.0 / 10) * (1.0 / 9), 35);
}

TEST(Split, TheSeedDecides) {
  const std::vector<double> target = labels(200, 2, 0);
  EXPECT_EQ(test_rows(target, {.seed = 5}), test_rows(target, {.seed = 5}));
  EXPECT_NE(test_rows(target, {.seed = 5}), test_rows(target, {.seed = 6}));
}

TEST(Split, RefusesWhatCannotBe) {
  const auto refusal = [](const Splitter::Options& options) {
    return message_of([&] { const Splitter splitter(options); });
  };
  for (const double fraction : {0.0, 1.0, -0.5, std::nan("")})
    EXPECT_NE(refusal({.test_fraction = fraction}).find("breaks the rule: a number > 0 and < 1"), std::string::npos);
  EXPECT_EQ(refusal({.folds = 1}), "folds: 1 breaks the rule: an integer, 2 .. 1000");
  EXPECT_EQ(refusal({.folds = 1'001}), "folds: 1001 breaks the rule: an integer, 2 .. 1000");
  EXPECT_EQ(refusal({.folds = 5, .fold = 6}), "fold: 6 breaks the rule: an integer, 1 .. 5");
  EXPECT_EQ(refusal({.folds = 5, .fold = 0}), "fold: 0 breaks the rule: an integer, 1 .. 5");
  EXPECT_EQ(
      message_of([] {
        (void)test_rows({1, -1}, {});
      }),
      "DATA: 2 rows, 0 of them to test breaks the rule: so many rows that there are some to train and some to test");
  EXPECT_EQ(message_of([] {
              Splitter splitter({.test_fraction = 0.5});
              for (int i = 0; i < 2; ++i) splitter.count(1);
              for (int i = 0; i < 3; ++i) (void)splitter.is_test(1);
            }),
            "DATA: a row that was not there before breaks the rule: data that do not change meanwhile");
}

}  // namespace split_test
}  // namespace pdbfw::test
