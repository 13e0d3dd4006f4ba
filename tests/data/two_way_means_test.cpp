#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "io/message.hpp"
#include "pdbfw/dataset.hpp"

namespace pdbfw::test {
namespace two_way_means_test {

struct Table {
  Index rows = 0, columns = 0;
  std::vector<Index> row{}, column{};
  std::vector<double> value{};

  [[nodiscard]] EntriesView view() const { return {rows, columns, row, column, value}; }
};

std::string message(const EntriesView& entries, double shrinkage = 0) {
  return test::message_of([&] { (void)two_way_means(entries, Means::both, shrinkage); });
}

// | 1  2 |   mean 2.5; rows -1 and +1, columns -1/2 and +1/2: the table is additive
// | 3  4 |
const Table kSquare{2, 2, {0, 0, 1, 1}, {0, 1, 0, 1}, {1, 2, 3, 4}};

TEST(TwoWayMeans, AnAdditiveTableIsExplainedWhole) {
  const TwoWayMeans means = two_way_means(kSquare.view(), Means::both, 0);
  EXPECT_DOUBLE_EQ(means.mean, 2.5);
  EXPECT_NEAR(means.row[0], -1, 1e-12);
  EXPECT_NEAR(means.row[1], 1, 1e-12);
  EXPECT_NEAR(means.column[0], -0.5, 1e-12);
  EXPECT_NEAR(means.column[1], 0.5, 1e-12);
  EXPECT_NEAR(means(1, 0), 3, 1e-12);
}

TEST(TwoWayMeans, AHoleIsFilledFromRowAndColumn) {
  // Without the 4 the additive table through the other three entries has 4 there: least squares without shrinkage.
  const Table three{2, 2, {0, 0, 1}, {0, 1, 0}, {1, 2, 3}};
  EXPECT_NEAR(two_way_means(three.view(), Means::both, 0)(1, 1), 4, 1e-5);
}

TEST(TwoWayMeans, ShrinkageByHand) {
  // Mean 2.5. Row 1: residuals -1.5 and -0.5, so -2 / (2 + 2); row 2 the opposite.
  const TwoWayMeans rows = two_way_means(kSquare.view(), Means::rows, 2);
  EXPECT_DOUBLE_EQ(rows.row[0], -0.5);
  EXPECT_DOUBLE_EQ(rows.row[1], 0.5);
  EXPECT_EQ(rows.column, std::vector<double>({0, 0}));
  // Column 1: -1.5 and 0.5, so -1 / (2 + 2).
  const TwoWayMeans columns = two_way_means(kSquare.view(), Means::columns, 2);
  EXPECT_EQ(columns.row, std::vector<double>({0, 0}));
  EXPECT_DOUBLE_EQ(columns.column[0], -0.25);
}

TEST(TwoWayMeans, NothingIsRemovedWithoutMeans) {
  const TwoWayMeans means = two_way_means(kSquare.view(), Means::none);
  EXPECT_EQ(means(0, 0), 0);
  EXPECT_EQ(means(1, 1), 0);
}

TEST(TwoWayMeans, LinesWithoutEntriesHaveTheMean) {
  const Table wide{3, 2, {0, 0}, {0, 1}, {1, 3}};
  const TwoWayMeans means = two_way_means(wide.view(), Means::both, 0);
  EXPECT_EQ(means.row[2], 0);
  EXPECT_DOUBLE_EQ(means(2, 0), 1);
}

// The gradient of  sum (value - mean - row_i - column_j)^2 / 2 + shrinkage (|row|^2 + |column|^2) / 2  vanishes.
TEST(TwoWayMeans, MinimisesTheShrunkSquares) {
  Random random(7);
  Table table{20, 15};
  for (Index i = 0; i < table.rows; ++i)
    for (Index j = 0; j < table.columns; ++j) {
      if (random.uniform() < 0.7) continue;
      table.row.push_back(i);
      table.column.push_back(j);
      table.value.push_back(3 + static_cast<double>(i % 4) - 0.5 * static_cast<double>(j % 3) + random.normal());
    }
  const TwoWayMeans means = two_way_means(table.view(), Means::both, 5);
  std::vector<double> row_slope(20), column_slope(15);
  for (std::size_t i = 0; i < 20; ++i) row_slope[i] = -5 * means.row[i];
  for (std::size_t j = 0; j < 15; ++j) column_slope[j] = -5 * means.column[j];
  for (std::size_t k = 0; k < table.value.size(); ++k) {
    const double residual = table.value[k] - means(table.row[k], table.column[k]);
    row_slope[static_cast<std::size_t>(table.row[k])] += residual;
    column_slope[static_cast<std::size_t>(table.column[k])] += residual;
  }
  for (const double slope : row_slope) EXPECT_NEAR(slope, 0, 1e-6);
  for (const double slope : column_slope) EXPECT_NEAR(slope, 0, 1e-6);
}

TEST(TwoWayMeans, RefusesWhatIsNoTable) {
  EXPECT_EQ(message(Table{1, 1, {}, {}, {}}.view()), "entries: none breaks the rule: at least one");
  EXPECT_EQ(message(Table{1, 1, {0}, {1}, {1}}.view()), "entries.column: 1 breaks the rule: 0 .. 0");
  EXPECT_EQ(message(Table{1, 1, {-1}, {0}, {1}}.view()), "entries.row: -1 breaks the rule: 0 .. 0");
  EXPECT_EQ(message(Table{1, 1, {0}, {0}, {1, 2}}.view()),
            "entries: 1 rows, 1 columns, 2 values breaks the rule: arrays of one length");
  EXPECT_EQ(message(Table{1, 1, {0}, {0}, {std::numeric_limits<double>::quiet_NaN()}}.view()),
            "entries.value: not all are finite breaks the rule: finite numbers");
  EXPECT_EQ(message(kSquare.view(), -1), "shrinkage: -1 breaks the rule: a finite number >= 0");
}

}  // namespace two_way_means_test
}  // namespace pdbfw::test
