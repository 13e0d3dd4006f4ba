// Random binning is what its definition says, approaches the Laplacian kernel, and gives the same bits for any number
// of threads and any way to store the data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "data/column_scale.hpp"
#include "io/message.hpp"
#include "pdbfw/features.hpp"
#include "support/tables.hpp"

namespace pdbfw {
namespace random_binning_test {

using test::dense;
using test::random_table;
using test::sparse;
using test::Table;
using Rows = SparseLines<double, std::int32_t>;

const Rows& rows_of(const MatrixPtr& B) { return std::get<Rows>(B->by_row()); }

std::vector<std::vector<Index>> features_of(const MatrixPtr& B) {
  std::vector<std::vector<Index>> features;
  for (Index i = 0; i < B->rows(); ++i) {
    const auto row = rows_of(B)[i];
    features.emplace_back(row.at, row.at + row.size);
  }
  return features;
}

void expect_same(const MatrixPtr& a, const MatrixPtr& b) {
  EXPECT_EQ(a->columns(), b->columns());
  EXPECT_TRUE(std::ranges::equal(rows_of(a).offsets, rows_of(b).offsets));
  EXPECT_TRUE(std::ranges::equal(rows_of(a).at, rows_of(b).at));
  EXPECT_TRUE(std::ranges::equal(rows_of(a).value, rows_of(b).value));
}

void expect_same(const RandomBinning& a, const RandomBinning& b) {
  EXPECT_EQ(a.gamma, b.gamma);
  EXPECT_EQ(a.columns, b.columns);
  ASSERT_EQ(a.grids.size(), b.grids.size());
  for (std::size_t g = 0; g < a.grids.size(); ++g) {
    EXPECT_EQ(a.grids[g].pitch, b.grids[g].pitch);
    EXPECT_EQ(a.grids[g].shift, b.grids[g].shift);
    EXPECT_EQ(a.grids[g].bins, b.grids[g].bins);
  }
}

// The definition: bins are vectors of whole numbers, numbered as they first occur.
class SlowBinning {
 public:
  SlowBinning(const RandomBinning& map, const Table& training) : map_(map), numbers_(map.grids.size()) {
    for (std::size_t g = 0; g < map.grids.size(); ++g)
      for (const std::vector<double>& row : training)
        if (numbers_[g].try_emplace(bin(g, row), count_).second) ++count_;
  }

  [[nodiscard]] Index features() const { return count_; }

  [[nodiscard]] std::vector<Index> features_of(const std::vector<double>& row) const {
    std::vector<Index> found;
    for (std::size_t g = 0; g < map_.grids.size(); ++g)
      if (const auto at = numbers_[g].find(bin(g, row)); at != numbers_[g].end()) found.push_back(at->second);
    return found;
  }

 private:
  [[nodiscard]] std::vector<double> bin(std::size_t g, const std::vector<double>& row) const {
    std::vector<double> intervals;
    for (std::size_t j = 0; j < row.size(); ++j)
      intervals.push_back(std::floor((row[j] - map_.grids[g].shift[j]) / map_.grids[g].pitch[j]));
    return intervals;
  }

  const RandomBinning& map_;
  Index count_ = 0;
  std::vector<std::map<std::vector<double>, Index>> numbers_;
};

TEST(RandomBinning, IsTheSlowObviousVersion) {
  for (const double gamma : {0.1, 1.0, 5.0, 1e6}) {
    const Table training = random_table(150, 6, 1), test = random_table(80, 6, 2);
    const MatrixPtr A = dense<double>(training);
    const RandomBinning map = RandomBinning::learn(*A, {.grids = 20, .gamma = gamma, .seed = 3});
    const SlowBinning slow(map, training);
    EXPECT_EQ(map.features(), slow.features());
    for (const Table& table : {training, test}) {
      const MatrixPtr B = map.apply(*dense<double>(table));
      EXPECT_EQ(B->columns(), map.features());
      for (std::size_t i = 0; i < table.size(); ++i) EXPECT_EQ(features_of(B)[i], slow.features_of(table[i]));
    }
  }
}

TEST(RandomBinning, TrainingRowsHaveOneEntryAGridAndUnitLength) {
  const MatrixPtr A = dense<double>(random_table(50, 4, 1));
  const MatrixPtr B = RandomBinning::learn(*A, {.grids = 16}).apply(*A);
  EXPECT_EQ(B->nonzeros(), 50 * 16);
  for (const double value : rows_of(B).value) EXPECT_EQ(value, 0.25);
}

TEST(RandomBinning, BinsThatWereNotSeenHaveNoEntry) {
  const RandomBinning map = RandomBinning::learn(*dense<double>({{0, 0}, {0.5, 0.25}}), {.grids = 10, .gamma = 1});
  const MatrixPtr B = map.apply(*dense<double>({{1e9, 0}, {0.5, 0.25}, {-1e9, 1e300}}));
  EXPECT_EQ(B->columns(), map.features());
  EXPECT_EQ(rows_of(B)[0].size, 0);
  EXPECT_EQ(rows_of(B)[1].size, 10);
  EXPECT_EQ(rows_of(B)[2].size, 0);
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += std::abs(a[j] - b[j]);
  return sum;
}

// The root mean square of <b_i, b_k> - exp(-gamma |a_i - a_k|_1) over the pairs of rows.
double kernel_error(const Table& table, Index grids, double gamma, std::uint64_t seed) {
  const MatrixPtr A = dense<double>(table);
  const MatrixPtr B = RandomBinning::learn(*A, {.grids = grids, .gamma = gamma, .seed = seed}).apply(*A);
  const std::vector<std::vector<Index>> features = features_of(B);
  double squares = 0;
  int pairs = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      std::vector<Index> common;
      std::ranges::set_intersection(features[i], features[k], std::back_inserter(common));
      const double product = static_cast<double>(common.size()) / static_cast<double>(grids);
      squares += std::pow(product - std::exp(-gamma * distance(table[i], table[k])), 2);
      ++pairs;
    }
  }
  return std::sqrt(squares / pairs);
}

// Every product is the mean of `grids` independent draws of 0 and 1: the error is at most 0.5/sqrt(grids).
TEST(RandomBinning, ProductsApproachTheLaplacianKernel) {
  const Table table = random_table(40, 3, 5);
  for (const double gamma : {0.3, 1.0, 3.0})
    for (const Index grids : {100, 400, 1'600, 6'400}) {
      const double error = kernel_error(table, grids, gamma, 7) * std::sqrt(static_cast<double>(grids));
      EXPECT_LT(error, 0.6) << gamma << ' ' << grids;
      EXPECT_GT(error, 0.1) << gamma << ' ' << grids;
    }
}

TEST(RandomBinning, PitchesFollowTheGammaLawAndShiftsAreUniform) {
  const RandomBinning map = RandomBinning::learn(*dense<double>({{0, 0}}), {.grids = 20'000, .gamma = 0.5});
  double sum = 0, squares = 0, share = 0;
  for (const RandomBinning::Grid& grid : map.grids) {
    sum += grid.pitch[0];
    squares += grid.pitch[0] * grid.pitch[0];
    share += grid.shift[0] / grid.pitch[0];
    EXPECT_GE(grid.shift[0], 0);
    EXPECT_LT(grid.shift[0], grid.pitch[0]);
  }
  EXPECT_NEAR(sum / 20'000, 4, 0.08);    // mean 2 / gamma
  EXPECT_NEAR(squares / 20'000, 24, 1);  // 6 / gamma^2
  EXPECT_NEAR(share / 20'000, 0.5, 0.01);
}

TEST(RandomBinning, AnyNumberOfThreadsGivesTheSameBits) {
  const MatrixPtr A = sparse<double, std::int32_t>(random_table(200, 8, 1));
  RandomBinningOptions options{.grids = 33, .seed = 4};
  const RandomBinning one = RandomBinning::learn(*A, options);
  for (const int threads : {2, 8}) {
    options.threads = threads;
    expect_same(RandomBinning::learn(*A, options), one);
    expect_same(one.apply(*A, threads), one.apply(*A));
  }
}

TEST(RandomBinning, SparseDenseFloatAndDoubleGiveTheSameBits) {
  Table table = random_table(60, 5, 1);
  for (std::vector<double>& row : table)
    for (double& value : row) value = std::round(value * 64) / 64;  // exact in a float
  const RandomBinningOptions options{.grids = 15, .scale = true};
  const RandomBinning expected = RandomBinning::learn(*dense<double>(table), options);
  const MatrixPtr B = expected.apply(*dense<double>(table));
  for (const MatrixPtr& A : {dense<float>(table), sparse<double, std::int32_t>(table),
                             sparse<float, std::int32_t>(table), sparse<double, std::int64_t>(table)}) {
    expect_same(RandomBinning::learn(*A, options), expected);
    expect_same(expected.apply(*A), B);
  }
}

TEST(RandomBinning, FewerGridsAreTheBeginningOfMore) {
  const MatrixPtr A = dense<double>(random_table(60, 3, 1));
  const RandomBinning few = RandomBinning::learn(*A, {.grids = 5});
  RandomBinning many = RandomBinning::learn(*A, {.grids = 9});
  many.grids.resize(5);
  expect_same(few, many);
}

TEST(RandomBinning, TheSeedDecides) {
  const MatrixPtr A = dense<double>(random_table(60, 3, 1));
  expect_same(RandomBinning::learn(*A, {.seed = 5}), RandomBinning::learn(*A, {.seed = 5}));
  EXPECT_NE(RandomBinning::learn(*A, {.seed = 5}).grids[0].pitch, RandomBinning::learn(*A, {.seed = 6}).grids[0].pitch);
}

TEST(RandomBinning, MissingColumnsAreZeroAndFurtherOnesHaveNoSay) {
  const Table table = {{1, 0, 0}, {0, 2, 0}, {3, 1, 0.5}};
  const RandomBinning map = RandomBinning::learn(*dense<double>(table), {.grids = 30, .gamma = 0.7});
  const std::vector<std::vector<Index>> features = features_of(map.apply(*dense<double>(table)));
  EXPECT_EQ(features_of(map.apply(*dense<double>({{1, 0}, {0, 2}}))),
            (std::vector<std::vector<Index>>{features[0], features[1]}));
  EXPECT_EQ(features_of(map.apply(*dense<double>({{3, 1, 0.5, 9}}))), (std::vector<std::vector<Index>>{features[2]}));
}

// Scaling by a power of two is exact, so the bits agree.
TEST(RandomBinning, ScaleForgetsTheUnitsOfAColumn) {
  Table table = random_table(60, 3, 1);
  const RandomBinning map = RandomBinning::learn(*dense<double>(table), {.grids = 20, .scale = true});
  const MatrixPtr B = map.apply(*dense<double>(table));
  for (std::vector<double>& row : table) row[1] *= 0x1.0p40;
  const RandomBinning other = RandomBinning::learn(*dense<double>(table), {.grids = 20, .scale = true});
  EXPECT_EQ(map.gamma, other.gamma);
  expect_same(other.apply(*dense<double>(table)), B);
}

TEST(RandomBinning, AutomaticGammaIsOneByTheMedianDistance) {
  // All pairs of unequal rows are at distance 5.
  const MatrixPtr A = dense<double>({{1, 1}, {3, 4}, {1, 1}, {3, 4}});
  EXPECT_DOUBLE_EQ(RandomBinning::learn(*A).gamma, 0.2);
  EXPECT_DOUBLE_EQ(RandomBinning::learn(*A, {.seed = 9}).gamma, 0.2);
  // Standard deviations 1 and 1.5: the distance is 2 + 2.
  EXPECT_DOUBLE_EQ(RandomBinning::learn(*A, {.scale = true}).gamma, 0.25);
  // Nothing to go by.
  EXPECT_EQ(RandomBinning::learn(*dense<double>({{1, 1}, {1, 1}})).gamma, 1);
  EXPECT_EQ(RandomBinning::learn(*dense<double>({{1, 1}})).gamma, 1);
}

TEST(RandomBinning, DataOfAbsurdScaleAreBinnedToo) {
  const double huge = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
  const Table table = {{huge, tiny, -huge}, {-huge, 0, 1}, {0, -tiny, huge}};
  for (const std::optional<double> gamma : {std::optional<double>{}, {1.0}, {huge}, {tiny}})
    for (const bool scale : {false, true}) {
      const MatrixPtr A = dense<double>(table);
      const RandomBinning map = RandomBinning::learn(*A, {.grids = 10, .gamma = gamma, .scale = scale});
      const MatrixPtr B = map.apply(*A);
      EXPECT_EQ(B->nonzeros(), 30);
    }
}

TEST(RandomBinning, ColumnsMayBeMissingAltogether) {
  const MatrixPtr A = own_csr<double, std::int32_t>(2, 0, {0, 0, 0}, {}, {});
  const RandomBinning map = RandomBinning::learn(*A, {.grids = 3});
  EXPECT_EQ(map.features(), 3);
  EXPECT_EQ(map.apply(*A)->nonzeros(), 6);
}

TEST(RandomBinning, GammaIsFoundForTheWantedNumberOfFeatures) {
  const MatrixPtr A = dense<double>(random_table(300, 4, 1));
  for (const Index grids : {4, 50})
    for (const Index each : {5, 40, 150}) {
      RandomBinningOptions options{.grids = grids, .features = grids * each, .seed = 3};
      const RandomBinning map = RandomBinning::learn(*A, options);
      const auto wanted = static_cast<double>(grids * each);
      EXPECT_NEAR(static_cast<double>(map.features()), wanted, 0.02 * wanted) << grids << ' ' << each;
      // It is the map of that gamma, whoever found it.
      expect_same(RandomBinning::learn(*A, {.grids = grids, .gamma = map.gamma, .seed = 3}), map);
      options.threads = 3;
      expect_same(RandomBinning::learn(*A, options), map);
    }
}

TEST(RandomBinning, ExtremesOfTheNumberOfFeaturesAreReached) {
  // Four rows, one of them twice: from one bin to three in each of the 10 grids.
  const MatrixPtr A = dense<double>({{0}, {1}, {3}, {1}});
  EXPECT_EQ(RandomBinning::learn(*A, {.grids = 10, .features = 10}).features(), 10);
  EXPECT_EQ(RandomBinning::learn(*A, {.grids = 10, .features = 30}).features(), 30);
  EXPECT_EQ(test::message_of([&] { (void)RandomBinning::learn(*A, {.grids = 10, .features = 40}); }),
            "features: 40 breaks the rule: near what 10 grids can give on these data; the nearest found is 30");
  const MatrixPtr alike = dense<double>({{1, 2}, {1, 2}});
  EXPECT_EQ(test::message_of([&] { (void)RandomBinning::learn(*alike, {.grids = 10, .features = 20}); }),
            "features: 20 breaks the rule: near what 10 grids can give on these data; the nearest found is 10");
}

TEST(RandomBinning, RefusesWrongOptions) {
  const MatrixPtr A = dense<double>({{1, 2}});
  const auto refusal = [&](const RandomBinningOptions& options) {
    return test::message_of([&] { (void)RandomBinning::learn(*A, options); });
  };
  EXPECT_EQ(refusal({.grids = 0}), "grids: 0 breaks the rule: an integer, 1 .. 100000");
  EXPECT_EQ(refusal({.grids = 100'001}), "grids: 100001 breaks the rule: an integer, 1 .. 100000");
  for (const double gamma : {0.0, -1.0, std::numeric_limits<double>::infinity()})
    EXPECT_EQ(refusal({.gamma = gamma}), "gamma: " +
                                             std::string(gamma == 0  ? "0"
                                                         : gamma < 0 ? "-1"
                                                                     : "inf") +
                                             " breaks the rule: a finite number > 0, or auto");
  EXPECT_EQ(refusal({.gamma = std::nan("")}), "gamma: nan breaks the rule: a finite number > 0, or auto");
  EXPECT_EQ(refusal({.grids = 5, .features = 4}),
            "features: 4 breaks the rule: from one a grid, here 5, to 2147483647");
  EXPECT_EQ(refusal({.gamma = 1, .features = 400}), "features: 400 with a gamma breaks the rule: one of the two");
  const MatrixPtr empty = own_csr<double, std::int32_t>(0, 2, {0}, {}, {});
  EXPECT_EQ(test::message_of([&] { (void)RandomBinning::learn(*empty); }),
            "rows: 0 breaks the rule: at least one row to learn from");
}

std::string refusal(const std::function<void(RandomBinning&)>& spoil) {
  const MatrixPtr A = dense<double>({{1, 2}, {3, 4}});
  RandomBinning map = RandomBinning::learn(*A, {.grids = 2, .gamma = 10});
  spoil(map);
  return test::message_of([&] { (void)map.apply(*A); });
}

TEST(RandomBinning, RefusesWrongMaps) {
  EXPECT_EQ(refusal([](RandomBinning& map) { map.gamma = 0; }), "gamma: 0 breaks the rule: a finite number > 0");
  EXPECT_EQ(refusal([](RandomBinning& map) { map.grids.clear(); }), "grids: 0 breaks the rule: at least one grid");
  EXPECT_EQ(refusal([](RandomBinning& map) { map.columns = 3; }),
            "grids: 2 pitches and 2 shifts breaks the rule: one of each for each of the 3 columns");
  EXPECT_EQ(refusal([](RandomBinning& map) { map.grids[1].shift.pop_back(); }),
            "grids: 2 pitches and 1 shifts breaks the rule: one of each for each of the 2 columns");
  EXPECT_EQ(refusal([](RandomBinning& map) { map.grids[1].pitch[0] = map.grids[1].shift[0] = 0.5; }),
            "grids: pitch 0.5, shift 0.5 breaks the rule: finite numbers, 0 <= shift < pitch");
  EXPECT_EQ(refusal([](RandomBinning& map) { map.grids[1].bins.push_back(map.grids[1].bins[0]); }),
            "grids: a bin that stands twice breaks the rule: every bin of a grid once");
}

TEST(StandardDeviations, CountZerosAndDoNotOverflow) {
  const Table table = {{0, 7, 1e300, 0}, {2, 7, -1e300, 0}, {0, 7, 1e300, 0}, {2, 7, -1e300, 0}};
  const std::vector<double> expected = {1, 1, 1e300, 1};
  for (const MatrixPtr& A : {dense<double>(table), sparse<double, std::int32_t>(table)})
    EXPECT_EQ(standard_deviations(*A), expected);
}

}  // namespace random_binning_test
}  // namespace pdbfw
