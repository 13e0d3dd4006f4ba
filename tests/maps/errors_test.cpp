// Every rule that a linear map has, and what it says when it is broken.
#include <gtest/gtest.h>

#include <limits>

#include "io/message.hpp"
#include "support/maps.hpp"

namespace pdbfw {
namespace errors_test {

using test::expect_error;

MatrixPtr ones(Index rows, Index columns) {
  return own_dense_rows(rows, columns, std::vector<double>(static_cast<std::size_t>(rows * columns), 1.0));
}

MatrixPtr sparse(Index rows, Index columns) {
  return own_csr<double, Index>(rows, columns, std::vector<Index>(static_cast<std::size_t>(rows) + 1, 0), {}, {});
}

constexpr Index kHuge = Index{1} << 40;

TEST(MapErrors, Rows) {
  expect_error([] { return rows_map(nullptr, 1); }, "A: none breaks the rule: a matrix");
  expect_error([] { return rows_map(ones(0, 3), 1); }, "A: 0 x 3 breaks the rule: at least one row and one column");
  expect_error([] { return rows_map(ones(2, 3), 0); }, "columns: 0 breaks the rule: at least 1");
  expect_error([] { return rows_map(sparse(1, kHuge), kHuge); },
               "X: 1099511627776 x 1099511627776 breaks the rule: fewer than 2^63 entries");
}

TEST(MapErrors, Entries) {
  expect_error([] { return entries_map(0, 1, {0}, {0}); }, "rows: 0 breaks the rule: 1 .. 2147483647");
  expect_error([] { return entries_map(1, kHuge, {0}, {0}); },
               "columns: 1099511627776 breaks the rule: 1 .. 2147483647");
  expect_error([] { return entries_map(1, 1, {}, {}); }, "entries: 0 breaks the rule: 1 .. 2147483647");
  expect_error([] { return entries_map(1, 1, {0}, {0, 0}); }, "column: 2 indices breaks the rule: 1, one an entry");
  expect_error([] { return entries_map(2, 3, {0, 2}, {0, 0}); }, "row[1]: 2 breaks the rule: 0 .. 1");
  expect_error([] { return entries_map(2, 3, {0, 1}, {-1, 0}); }, "column[0]: -1 breaks the rule: 0 .. 2");
}

TEST(MapErrors, Products) {
  expect_error([] { return products_map(nullptr, 1, 1); }, "A: none breaks the rule: a matrix");
  expect_error([] { return products_map(ones(2, 6), 0, 3); }, "rows: 0 breaks the rule: at least 1");
  expect_error([] { return products_map(ones(2, 6), 2, -3); }, "columns: -3 breaks the rule: at least 1");
  expect_error([] { return products_map(ones(2, 6), 2, 2); },
               "A: 6 columns breaks the rule: 4, the entries of a 2 x 2 matrix");
  expect_error([] { return products_map(ones(2, 6), kHuge, kHuge); },
               "X: 1099511627776 x 1099511627776 breaks the rule: fewer than 2^63 entries");
  expect_error([] { return products_map(sparse(1, kHuge), kHuge, 1); },
               "rows: 1099511627776 breaks the rule: 1 .. 2147483647");
}

TEST(MapErrors, RankOneAndQuadratic) {
  expect_error([] { return rank_one_map(ones(2, 2), nullptr); }, "right: none breaks the rule: a matrix");
  expect_error([] { return rank_one_map(ones(2, 3), ones(3, 3)); }, "right: 3 rows breaks the rule: 2, as left has");
  expect_error([] { return rank_one_map(sparse(1, kHuge), sparse(1, kHuge)); },
               "X: 1099511627776 x 1099511627776 breaks the rule: fewer than 2^63 entries");
  expect_error([] { return quadratic_map(nullptr); }, "G: none breaks the rule: a matrix");
  expect_error([] { return quadratic_map(ones(4, 2), 0); }, "group: 0 breaks the rule: at least 1");
  expect_error([] { return quadratic_map(ones(5, 2), 2); }, "G: 5 rows breaks the rule: a multiple of 2, the group");
}

TEST(MapErrors, SubsetsOfAllMaps) {
  for (const test::MapCase& one : test::all_maps(4, 5)) {
    const std::vector<Index> none, below{0, -1}, above{one.map->samples()};
    expect_error([&] { return one.map->subset(none); }, "samples: none breaks the rule: at least one");
    const std::string rule = " breaks the rule: 0 .. " + std::to_string(one.map->samples() - 1);
    expect_error([&] { return one.map->subset(below); }, "samples: -1" + rule);
    expect_error([&] { return one.map->subset(above); }, "samples: " + std::to_string(above[0]) + rule);
  }
}

// Numbers that are not finite are refused where the matrix is made.
TEST(MapErrors, NotFinite) {
  EXPECT_THROW((void)rows_map(own_dense_rows<double>(1, 1, {std::numeric_limits<double>::quiet_NaN()}), 1), InputError);
}

}  // namespace errors_test
}  // namespace pdbfw
