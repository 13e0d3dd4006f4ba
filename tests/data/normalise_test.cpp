// Normalised data are what the rules say, whatever the storage, the blocks and the threads.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "data/learners.hpp"
#include "io/message.hpp"
#include "linalg/chosen_rows.hpp"
#include "pdbfw/features.hpp"
#include "support/tables.hpp"

namespace pdbfw::test {
namespace normalise_test {

constexpr Normalisation::Columns kEveryColumnRule[] = {Normalisation::Columns::none, Normalisation::Columns::maximum,
                                                       Normalisation::Columns::deviation,
                                                       Normalisation::Columns::standardise};

std::vector<double> column_of(const Table& table, std::size_t j) {
  std::vector<double> column;
  for (const std::vector<double>& row : table) column.push_back(row[j]);
  return column;
}

double mean_of(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double x : numbers) sum += x;
  return sum / static_cast<double>(numbers.size());
}

double deviation_of(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double x : numbers) sum += std::pow(x - mean_of(numbers), 2);
  return std::sqrt(sum / static_cast<double>(numbers.size()));
}

double largest_of(const std::vector<double>& numbers) {
  double largest = 0;
  for (const double x : numbers) largest = std::max(largest, std::abs(x));
  return largest;
}

Table normalised(const Table& table, const Normalisation::Options& options) {
  const MatrixPtr A = sparse<double, std::int32_t>(table);
  return table_of(*Normalisation::learn(*A, options).apply(*A));
}

TEST(Normalise, IsTheSlowObviousVersion) {
  const Table table = random_table(40, 5, 1);
  for (const Normalisation::Columns rule : kEveryColumnRule)
    for (const Normalisation::Rows rows : {Normalisation::Rows::none, Normalisation::Rows::l2}) {
      Table slow = table;
      for (std::size_t j = 0; j < 5; ++j) {
        const std::vector<double> column = column_of(table, j);
        const double centre = rule == Normalisation::Columns::standardise ? mean_of(column) : 0;
        const double scale = rule == Normalisation::Columns::none      ? 1
                             : rule == Normalisation::Columns::maximum ? largest_of(column)
                                                                       : deviation_of(column);
        for (std::vector<double>& row : slow) row[j] = (row[j] - centre) / scale;
      }
      for (std::vector<double>& row : slow) {
        const double length = rows == Normalisation::Rows::l2 && dot(row, row) > 0 ? std::sqrt(dot(row, row)) : 1;
        for (double& value : row) value /= length;
      }
      const Table made = normalised(table, {rows, rule});
      for (std::size_t i = 0; i < table.size(); ++i)
        for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(made[i][j], slow[i][j], 1e-13);
    }
}

TEST(Normalise, ColumnsHaveWhatTheRuleSays) {
  const Table table = random_table(60, 4, 2);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_EQ(largest_of(column_of(normalised(table, {.columns = Normalisation::Columns::maximum}), j)), 1);
    EXPECT_NEAR(deviation_of(column_of(normalised(table, {.columns = Normalisation::Columns::deviation}), j)), 1,
                1e-13);
    const std::vector<double> column =
        column_of(normalised(table, {.columns = Normalisation::Columns::standardise}), j);
    EXPECT_NEAR(mean_of(column), 0, 1e-14);
    EXPECT_NEAR(deviation_of(column), 1, 1e-13);
  }
}

TEST(Normalise, OnlyStandardisingFillsIn) {
  const Table table = {{1, 0, 0}, {0, 2, 0}, {0, 0, 0}};
  const MatrixPtr A = sparse<double, std::int32_t>(table);
  for (const Normalisation::Columns rule : kEveryColumnRule) {
    const Normalisation map = Normalisation::learn(*A, {Normalisation::Rows::l2, rule});
    EXPECT_EQ(map.fills_in(), rule == Normalisation::Columns::standardise);
    EXPECT_EQ(map.apply(*A)->nonzeros(), map.fills_in() ? 9 : 2);
  }
}

// A constant column has no spread; a column of zeros has no largest entry; a row of zeros has no length.
TEST(Normalise, WhatCannotBeScaledStays) {
  const Table table = {{7, 0, 1}, {7, 0, 0}, {7, 0, 5}};
  EXPECT_EQ(column_of(normalised(table, {.columns = Normalisation::Columns::deviation}), 0),
            (std::vector<double>{7, 7, 7}));
  EXPECT_EQ(column_of(normalised(table, {.columns = Normalisation::Columns::standardise}), 0),
            (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(column_of(normalised(table, {.columns = Normalisation::Columns::maximum}), 1),
            (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(normalised({{0, 0}, {3, 4}}, {.rows = Normalisation::Rows::l2}),
            (Table{{0, 0}, {3.0 / 4 / 1.25, 1 / 1.25}}));
}

TEST(Normalise, ValuesOfAbsurdSizeDoNotOverflow) {
  const double huge = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
  const Table unit = normalised({{huge, -huge}, {tiny, 0}}, {.rows = Normalisation::Rows::l2});
  EXPECT_NEAR(unit[0][0], std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(unit[0][1], -std::sqrt(0.5), 1e-15);
  EXPECT_EQ(unit[1][0], 1);
  for (const Normalisation::Columns rule : kEveryColumnRule)
    for (const std::vector<double>& row : normalised({{huge, tiny}, {-huge, 0}, {huge, 1}}, {.columns = rule}))
      for (const double value : row) EXPECT_TRUE(std::isfinite(value));
}

TEST(Normalise, ThreadsStorageAndBlocksChangeNoBit) {
  const Table table = rounded(random_table(150, 5, 1));
  const MatrixPtr A = dense<double>(table);
  for (const Normalisation::Columns rule : kEveryColumnRule) {
    const Normalisation::Options options{Normalisation::Rows::l2, rule};
    const Normalisation map = Normalisation::learn(*A, options);
    const Table made = table_of(*map.apply(*A));
    EXPECT_EQ(table_of(*map.apply(*A, 3)), made);
    for (const MatrixPtr& other : other_storages(table)) {
      EXPECT_EQ(Normalisation::learn(*other, options).scale, map.scale);
      EXPECT_EQ(Normalisation::learn(*other, options).centre, map.centre);
      EXPECT_EQ(table_of(*map.apply(*other)), made);
    }
    NormalisationLearner learner(options);
    for (const auto& [first, last] : {std::pair<Index, Index>{0, 1}, {1, 70}, {70, 150}})
      learner.add(*row_range(*A, first, last));
    EXPECT_EQ(learner.finish().scale, map.scale);
    EXPECT_EQ(learner.finish().centre, map.centre);
  }
}

TEST(Normalise, BlocksMayDifferInWidth) {
  NormalisationLearner learner({.columns = Normalisation::Columns::standardise});
  learner.add(*dense<double>({{1}, {3}}));
  learner.add(*dense<double>({{2, 0, 8}, {2, 0, 0}}));
  const Normalisation whole = Normalisation::learn(*dense<double>({{1, 0, 0}, {3, 0, 0}, {2, 0, 8}, {2, 0, 0}}),
                                                   {.columns = Normalisation::Columns::standardise});
  EXPECT_EQ(learner.finish().centre, whole.centre);
  EXPECT_EQ(learner.finish().scale, whole.scale);
}

TEST(Normalise, MissingColumnsAreZeroAndFurtherOnesAreLeftOut) {
  const Normalisation map =
      Normalisation::learn(*dense<double>({{2, 4}, {1, 1}}), {.columns = Normalisation::Columns::maximum});
  EXPECT_EQ(table_of(*map.apply(*dense<double>({{4}}))), (Table{{2, 0}}));
  EXPECT_EQ(table_of(*map.apply(*sparse<double, std::int32_t>({{4, 4, 4}}))), (Table{{2, 1}}));
  const Normalisation filled =
      Normalisation::learn(*dense<double>({{2, 4}, {0, 0}}), {.columns = Normalisation::Columns::standardise});
  EXPECT_EQ(table_of(*filled.apply(*dense<double>({{2, 4, 4}, {1, 0, 4}}))), (Table{{1, 1}, {0, -1}}));
  // Rows alone know no columns.
  const Normalisation rows = Normalisation::learn(*dense<double>({{2, 4}}), {.rows = Normalisation::Rows::l2});
  EXPECT_EQ(table_of(*rows.apply(*dense<double>({{0, 0, 5}}))), (Table{{0, 0, 1}}));
}

TEST(Normalise, RefusesWhatCannotBe) {
  EXPECT_EQ(message_of([] { (void)column_rule_of("max"); }),
            "columns: 'max' breaks the rule: one of none, maximum, deviation, standardise (did you mean 'maximum'?)");
  EXPECT_EQ(message_of([] { (void)row_rule_of("l1"); }),
            "rows: 'l1' breaks the rule: one of none, l2 (did you mean 'l2'?)");
  const MatrixPtr empty = own_csr<double, std::int32_t>(0, 2, {0}, {}, {});
  EXPECT_EQ(message_of([&] { (void)Normalisation::learn(*empty, {}); }),
            "rows: 0 breaks the rule: at least one row to learn from");
  const auto refusal = [](const std::function<void(Normalisation&)>& spoil) {
    Normalisation map{{Normalisation::Rows::none, Normalisation::Columns::maximum}, {0, 0}, {1, 2}};
    spoil(map);
    return message_of([&] { (void)map.apply(*dense<double>({{1e300, 1}})); });
  };
  const std::string rule = " breaks the rule: finite numbers, scale > 0, and centre 0 unless standardise";
  EXPECT_EQ(refusal([](Normalisation& map) { map.scale[1] = 0; }), "scale: centre 0, scale 0" + rule);
  EXPECT_EQ(refusal([](Normalisation& map) { map.centre[1] = 3; }), "scale: centre 3, scale 2" + rule);
  EXPECT_EQ(refusal([](Normalisation& map) { map.scale.push_back(1); }),
            "scale: 2 centres and 3 scales breaks the rule: one of each for every column");
  EXPECT_EQ(refusal([](Normalisation& map) { map.options.columns = Normalisation::Columns::none; }),
            "scale: 2 numbers breaks the rule: none without a rule for the columns");
  EXPECT_EQ(refusal([](Normalisation& map) { map.scale[0] = 1e-300; }),
            "data: a value that is beyond the largest double once its column is scaled breaks the rule: values like "
            "those of the training data");
}

}  // namespace normalise_test
}  // namespace pdbfw::test
