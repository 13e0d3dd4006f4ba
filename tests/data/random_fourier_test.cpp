// Random Fourier features are what their definition says, approach their kernels, and give the same bits for any number
// of threads, any blocks and any way to store the data.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "data/column_scale.hpp"
#include "data/learners.hpp"
#include "io/message.hpp"
#include "linalg/chosen_rows.hpp"
#include "pdbfw/features.hpp"
#include "support/tables.hpp"

namespace pdbfw::test {
namespace random_fourier_test {

void expect_same(const RandomFourier& a, const RandomFourier& b) {
  EXPECT_EQ(a.kernel, b.kernel);
  EXPECT_EQ(a.gamma, b.gamma);
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.features, b.features);
  EXPECT_EQ(a.frequency, b.frequency);
}

TEST(RandomFourier, IsTheSlowObviousVersion) {
  const Table training = random_table(30, 5, 1), test = random_table(20, 5, 2);
  for (const RandomFourierOptions::Kernel kernel :
       {RandomFourierOptions::Kernel::gaussian, RandomFourierOptions::Kernel::laplacian}) {
    const RandomFourier map = RandomFourier::learn(*dense<double>(training), {.kernel = kernel, .features = 12});
    for (const Table& table : {training, test}) {
      const Table made = table_of(*map.apply(*dense<double>(table)));
      for (std::size_t i = 0; i < table.size(); ++i)
        for (std::size_t k = 0; k < 6; ++k) {
          double phase = 0;
          for (std::size_t j = 0; j < 5; ++j) phase += map.frequency[j * 6 + k] * table[i][j];
          EXPECT_NEAR(made[i][2 * k], std::cos(phase) / std::sqrt(6), 1e-12);
          EXPECT_NEAR(made[i][2 * k + 1], std::sin(phase) / std::sqrt(6), 1e-12);
        }
    }
  }
}

double kernel_value(RandomFourierOptions::Kernel kernel, double gamma, const std::vector<double>& a,
                    const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j)
    sum += kernel == RandomFourierOptions::Kernel::gaussian ? (a[j] - b[j]) * (a[j] - b[j]) : std::abs(a[j] - b[j]);
  return std::exp(-gamma * sum);
}

// The root mean square of <b_i, b_k> - kernel over the pairs of rows.
double kernel_error(const Table& table, const RandomFourierOptions& options) {
  const MatrixPtr A = dense<double>(table);
  const RandomFourier map = RandomFourier::learn(*A, options);
  const Table made = table_of(*map.apply(*A));
  double squares = 0;
  int pairs = 0;
  for (std::size_t i = 0; i < table.size(); ++i)
    for (std::size_t k = 0; k < i; ++k, ++pairs)
      squares += std::pow(dot(made[i], made[k]) - kernel_value(options.kernel, map.gamma, table[i], table[k]), 2);
  return std::sqrt(squares / pairs);
}

// Every product is the mean of features/2 independent cosines, of variance (1 + k(2 a) - 2 k(a)^2) / 2 <= 1/2 and
// something: the error is near 1/sqrt(features).
TEST(RandomFourier, ProductsApproachTheKernel) {
  const Table table = random_table(30, 3, 5);
  for (const RandomFourierOptions::Kernel kernel :
       {RandomFourierOptions::Kernel::gaussian, RandomFourierOptions::Kernel::laplacian})
    for (const double gamma : {0.3, 1.0, 3.0})
      for (const Index features : {200, 800, 3'200, 12'800}) {
        const double error = kernel_error(table, {.kernel = kernel, .features = features, .gamma = gamma, .seed = 7});
        EXPECT_LT(error * std::sqrt(static_cast<double>(features)), 1.2) << gamma << ' ' << features;
        EXPECT_GT(error * std::sqrt(static_cast<double>(features)), 0.1) << gamma << ' ' << features;
      }
}

TEST(RandomFourier, RowsHaveUnitLength) {
  const Table table = random_table(20, 3, 5);
  for (const std::vector<double>& row :
       table_of(*RandomFourier::learn(*dense<double>(table)).apply(*dense<double>(table))))
    EXPECT_NEAR(dot(row, row), 1, 1e-12);
}

TEST(RandomFourier, ThreadsStorageAndBlocksChangeNoBit) {
  const Table table = rounded(random_table(200, 5, 1));
  for (const bool scale : {false, true}) {
    const RandomFourierOptions options{.features = 10, .scale = scale, .seed = 4};
    const MatrixPtr A = dense<double>(table);
    const RandomFourier map = RandomFourier::learn(*A, options);
    const Table made = table_of(*map.apply(*A));
    EXPECT_EQ(table_of(*map.apply(*A, 3)), made);
    for (const MatrixPtr& other : other_storages(table)) {
      expect_same(RandomFourier::learn(*other, options), map);
      EXPECT_EQ(table_of(*map.apply(*other)), made);
    }
    RandomFourierLearner learner(options);
    for (const auto& [first, last] : {std::pair<Index, Index>{0, 1}, {1, 150}, {150, 200}})
      learner.add(*row_range(*A, first, last));
    expect_same(learner.finish(), map);
  }
}

TEST(RandomFourier, FewerFrequenciesAreTheBeginningOfMore) {
  const MatrixPtr A = dense<double>(random_table(20, 3, 1));
  const RandomFourier few = RandomFourier::learn(*A, {.features = 4}),
                      many = RandomFourier::learn(*A, {.features = 10});
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(few.frequency[j * 2 + k], many.frequency[j * 5 + k]);
  EXPECT_NE(RandomFourier::learn(*A, {.features = 4, .seed = 1}).frequency, few.frequency);
}

TEST(RandomFourier, MissingColumnsAreZeroAndFurtherOnesHaveNoSay) {
  const RandomFourier map = RandomFourier::learn(*dense<double>({{1, 0, 0}, {0, 2, 0}, {3, 1, 0.5}}), {.features = 6});
  EXPECT_EQ(table_of(*map.apply(*dense<double>({{1, 2}}))), table_of(*map.apply(*dense<double>({{1, 2, 0}}))));
  EXPECT_EQ(table_of(*map.apply(*dense<double>({{1, 2, 3, 9}}))), table_of(*map.apply(*dense<double>({{1, 2, 3}}))));
  EXPECT_EQ(table_of(*map.apply(*sparse<double, std::int32_t>({{1, 2, 3, 9}}))),
            table_of(*map.apply(*dense<double>({{1, 2, 3}}))));
}

TEST(RandomFourier, AutomaticGammaIsOneByTheMedianDistance) {
  // All pairs of unequal rows are 2 and 3 apart: |.|_2^2 = 13, |.|_1 = 5; in standard deviations 2 and 2.
  const MatrixPtr A = dense<double>({{1, 1}, {3, 4}, {1, 1}, {3, 4}});
  EXPECT_DOUBLE_EQ(RandomFourier::learn(*A).gamma, 1.0 / 13);
  EXPECT_DOUBLE_EQ(RandomFourier::learn(*A, {.kernel = RandomFourierOptions::Kernel::laplacian, .seed = 9}).gamma, 0.2);
  EXPECT_DOUBLE_EQ(RandomFourier::learn(*A, {.scale = true}).gamma, 1.0 / 8);
  EXPECT_EQ(RandomFourier::learn(*dense<double>({{1, 1}})).gamma, 1);
}

// Scaling by a power of two is exact, so the bits agree.
TEST(RandomFourier, ScaleForgetsTheUnitsOfAColumn) {
  Table table = random_table(60, 3, 1);
  const RandomFourierOptions options{.features = 10, .scale = true};
  const Table made = table_of(*RandomFourier::learn(*dense<double>(table), options).apply(*dense<double>(table)));
  for (std::vector<double>& row : table) row[1] *= 0x1.0p40;
  EXPECT_EQ(table_of(*RandomFourier::learn(*dense<double>(table), options).apply(*dense<double>(table))), made);
}

TEST(RandomFourier, RefusesWrongOptions) {
  const auto refusal = [](const RandomFourierOptions& options) {
    return message_of([&] { (void)RandomFourier::learn(*dense<double>({{1, 2}}), options); });
  };
  for (const Index features : {0, 3, 1'000'002})
    EXPECT_EQ(refusal({.features = features}),
              "features: " + std::to_string(features) + " breaks the rule: an even number, 2 .. 1000000");
  EXPECT_EQ(refusal({.gamma = 0}), "gamma: 0 breaks the rule: a finite number > 0, or auto");
  EXPECT_EQ(refusal({.gamma = std::nan("")}), "gamma: nan breaks the rule: a finite number > 0, or auto");
  const MatrixPtr empty = own_csr<double, std::int32_t>(0, 2, {0}, {}, {});
  EXPECT_EQ(message_of([&] { (void)RandomFourier::learn(*empty); }),
            "rows: 0 breaks the rule: at least one row to learn from");
  EXPECT_EQ(message_of([] { (void)kernel_of("gausian"); }),
            "kernel: 'gausian' breaks the rule: one of gaussian, laplacian (did you mean 'gaussian'?)");
}

TEST(RandomFourier, RefusesWrongMapsAndHugeValues) {
  const auto refusal = [](const std::function<void(RandomFourier&)>& spoil) {
    RandomFourier map{RandomFourierOptions::Kernel::gaussian, 1, 2, 2, {1, 2}};
    spoil(map);
    return message_of([&] { (void)map.apply(*dense<double>({{1e300, 1}})); });
  };
  EXPECT_EQ(refusal([](RandomFourier& map) { map.gamma = 0; }), "gamma: 0 breaks the rule: a finite number > 0");
  EXPECT_EQ(refusal([](RandomFourier& map) { map.features = 3; }),
            "features: 3 breaks the rule: an even number, 2 .. 1000000");
  EXPECT_EQ(refusal([](RandomFourier& map) { map.columns = 3; }),
            "frequency: 2 numbers breaks the rule: 1 for each of the 3 columns");
  EXPECT_EQ(refusal([](RandomFourier& map) { map.frequency[0] = std::numeric_limits<double>::infinity(); }),
            "frequency: inf breaks the rule: a finite number");
  EXPECT_EQ(
      refusal([](RandomFourier& map) { map.frequency[0] = 1e300; }),
      "data: a row whose product with a frequency is beyond the largest double breaks the rule: values of ordinary "
      "size; scale the columns first");
}

TEST(RowSample, KeepsAllRowsInOrderWhileThereAreFew) {
  const Table table = random_table(1'000, 3, 1);
  RowSample sample;
  sample.add(*dense<double>(table));
  EXPECT_EQ(table_of(*sample.matrix(3)), table);
}

// Row i holds the number i. Of 4,000 rows every one is kept with probability 1/4: in each quarter 250 +- 14.
TEST(RowSample, KeepsRowsFromEverywhere) {
  Table table;
  for (int i = 0; i < 4'000; ++i) table.push_back({i + 1.0});
  RowSample whole, halves;
  whole.add(*dense<double>(table));
  const MatrixPtr A = dense<double>(table);
  halves.add(*row_range(*A, 0, 1'700));
  halves.add(*row_range(*A, 1'700, 4'000));
  const Table kept = table_of(*whole.matrix(1));
  EXPECT_EQ(table_of(*halves.matrix(1)), kept);
  ASSERT_EQ(kept.size(), 1'000U);
  std::vector<int> quarter(4);
  for (const std::vector<double>& row : kept) ++quarter[static_cast<std::size_t>((row[0] - 1) / 1'000)];
  for (const int count : quarter) EXPECT_NEAR(count, 250, 70);
}

}  // namespace random_fourier_test
}  // namespace pdbfw::test
