// The data matrix: what it refuses, what it borrows, and its other orientation.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "io/message.hpp"
#include "linalg/pass_pair.hpp"
#include "pdbfw/matrix.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace data_matrix_test {

using reference::DenseMatrix;
using test::message_of;

using Rows = SparseLines<double, std::int32_t>;

struct Arrays {
  std::vector<Index> offsets;
  std::vector<std::int32_t> at;
  std::vector<double> value;
};

// The message for two rows and three columns with these arrays, borrowed and owned alike.
std::string refusal(const Arrays& a, Index rows = 2, Index columns = 3) {
  const std::string borrowed =
      message_of([&] { (void)borrow_csr<double, std::int32_t, Index>(rows, columns, a.offsets, a.at, a.value); });
  EXPECT_EQ(message_of([&] { (void)own_csr(rows, columns, a.offsets, a.at, a.value); }), borrowed);
  EXPECT_EQ(message_of([&] { (void)borrow_csc<double, std::int32_t, Index>(columns, rows, a.offsets, a.at, a.value); }),
            borrowed);
  return borrowed;
}

TEST(DataMatrix, RefusesOffsetsThatDoNotFit) {
  EXPECT_EQ(refusal({{0, 2}, {0, 1}, {1, 2}}), "matrix offsets: 2 of them breaks the rule: one more than the 2 lines");
  EXPECT_EQ(refusal({{0, 1, 2}, {0, 1, 2}, {1, 2, 3}}),
            "matrix offsets: 0 .. 2 breaks the rule: start at 0 and end at the number of entries, 3");
  EXPECT_EQ(refusal({{1, 1, 2}, {0, 1}, {1, 2}}),
            "matrix offsets: 1 .. 2 breaks the rule: start at 0 and end at the number of entries, 2");
  EXPECT_EQ(refusal({{0, 3, 2}, {0, 1}, {1, 2}}), "matrix offsets: 3 after 0 breaks the rule: never descending");
  EXPECT_EQ(refusal({{0, 2, 1, 2}, {0, 1}, {1, 2}}, 3), "matrix offsets: 1 after 2 breaks the rule: never descending");
  EXPECT_EQ(refusal({{0, -1, 2}, {0, 1}, {1, 2}}), "matrix offsets: -1 after 0 breaks the rule: never descending");
}

TEST(DataMatrix, RefusesIndicesThatDoNotFit) {
  EXPECT_EQ(refusal({{0, 1, 2}, {0}, {1, 2}}), "matrix indices: 1 of them breaks the rule: as many as values, 2");
  EXPECT_EQ(refusal({{0, 1, 2}, {0, 3}, {1, 2}}), "matrix indices: 3 in line 1 breaks the rule: 0 .. 2");
  EXPECT_EQ(refusal({{0, 1, 2}, {-1, 1}, {1, 2}}), "matrix indices: -1 in line 0 breaks the rule: 0 .. 2");
  EXPECT_EQ(refusal({{0, 2, 2}, {1, 1}, {1, 2}}),
            "matrix indices: 1 after 1 in line 0 breaks the rule: strictly ascending inside a line");
  EXPECT_EQ(refusal({{0, 0, 2}, {2, 0}, {1, 2}}),
            "matrix indices: 0 after 2 in line 1 breaks the rule: strictly ascending inside a line");
}

TEST(DataMatrix, RefusesValuesThatAreNotFinite) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal({{0, 1, 2}, {0, 1}, {1, kNaN}}), "matrix values: entry 1 is nan breaks the rule: finite numbers");
  EXPECT_EQ(refusal({{0, 1, 2}, {0, 1}, {-kInf, 1}}), "matrix values: entry 0 is -inf breaks the rule: finite numbers");
  const std::vector<float> dense{1.0F, std::numeric_limits<float>::infinity()};
  EXPECT_EQ(message_of([&] { (void)borrow_dense_rows<float>(1, 2, dense); }),
            "matrix values: entry 1 is inf breaks the rule: finite numbers");
}

TEST(DataMatrix, RefusesShapesThatDoNotFit) {
  EXPECT_EQ(message_of([] {
              (void)own_csr(-1, 3, std::vector<Index>{0}, std::vector<std::int32_t>{}, std::vector<double>{});
            }),
            "matrix shape: -1 x 3 breaks the rule: no negative number");
  EXPECT_EQ(message_of([] { (void)own_dense_rows(-2, -3, std::vector<double>(6)); }),
            "matrix shape: -2 x -3 breaks the rule: no negative number");
  EXPECT_EQ(message_of([] { (void)own_dense_rows(2, 3, std::vector<double>(5)); }),
            "matrix values: 5 of them breaks the rule: 2 x 3");
  const std::vector<double> value(5);
  EXPECT_EQ(message_of([&] { (void)borrow_dense_columns<double>(2, 3, value); }),
            "matrix values: 5 of them breaks the rule: 3 x 2");
}

// 2^32 x 2^32 entries are none at all in 64 bits.
TEST(DataMatrix, RefusesShapesWhoseProductOverflows) {
  constexpr Index kHuge = Index{1} << 32;
  EXPECT_EQ(message_of([] { (void)own_dense_rows(kHuge, kHuge, std::vector<double>{}); }),
            "matrix values: 0 of them breaks the rule: 4294967296 x 4294967296");
  constexpr Index kMost = std::numeric_limits<Index>::max();
  EXPECT_EQ(message_of([] {
              (void)own_csr(kMost, 1, std::vector<Index>{0}, std::vector<std::int32_t>{}, std::vector<double>{});
            }),
            "matrix offsets: 1 of them breaks the rule: one more than the 9223372036854775807 lines");
}

TEST(DataMatrix, MayHaveNoEntriesRowsOrColumns) {
  const MatrixPtr empty =
      own_csr(2, 3, std::vector<Index>{0, 0, 0}, std::vector<std::int32_t>{}, std::vector<double>{});
  EXPECT_EQ(empty->nonzeros(), 0);
  EXPECT_EQ(reference::expand(*empty).entry, std::vector<double>(6));
  const MatrixPtr no_rows = borrow_csr<double, std::int32_t, Index>(0, 3, {}, {}, {});
  EXPECT_EQ(no_rows->rows(), 0);
  std::vector<double> z(3, 1.0);
  multiply_transposed(*no_rows, {}, z);
  EXPECT_EQ(z, std::vector<double>(3));
  const MatrixPtr no_columns = own_dense_rows(3, 0, std::vector<double>{});
  std::vector<double> w(3, 1.0);
  multiply(*no_columns, {}, w);
  EXPECT_EQ(w, std::vector<double>(3));
}

TEST(DataMatrix, BorrowsWithoutCopying) {
  const std::vector<std::int32_t> offsets{0, 1, 3}, at{2, 0, 1};
  const std::vector<float> value{1, 2, 3};
  const MatrixPtr by_row = borrow_csr<float, std::int32_t, std::int32_t>(2, 3, offsets, at, value);
  const auto& rows = std::get<SparseLines<float, std::int32_t>>(by_row->by_row());
  EXPECT_EQ(rows.at.data(), at.data());
  EXPECT_EQ(rows.value.data(), value.data());
  const MatrixPtr by_column = borrow_csc<float, std::int32_t, std::int32_t>(3, 2, offsets, at, value);
  const auto& columns = std::get<SparseLines<float, std::int32_t>>(by_column->by_column());
  EXPECT_EQ(columns.at.data(), at.data());
  EXPECT_EQ(columns.value.data(), value.data());
  const std::vector<double> dense(6);
  const MatrixPtr dense_columns = borrow_dense_columns<double>(3, 2, dense);
  const auto& lines = std::get<DenseLines<double>>(dense_columns->by_column());
  EXPECT_EQ(lines.value.data(), dense.data());
}

TEST(DataMatrix, SeesWhatTheCallerWritesIntoABorrowedArray) {
  std::vector<double> value{1, 2};
  const MatrixPtr A = borrow_dense_rows<double>(1, 2, value);
  value[0] = 7;
  std::vector<double> w(1);
  multiply(*A, std::vector<double>{1, 0}, w);
  EXPECT_EQ(w[0], 7);
}

TEST(DataMatrix, OwnsWhatItWasGiven) {
  MatrixPtr A;
  {
    std::vector<Index> offsets{0, 1};
    std::vector<std::int32_t> at{1};
    std::vector<double> value{5};
    A = own_csr(1, 2, std::move(offsets), std::move(at), std::move(value));
  }
  EXPECT_EQ(reference::expand(*A).entry, (std::vector<double>{0, 5}));
}

// Rows read as columns of another matrix and turned again are the rows.
RC_GTEST_PROP(DataMatrix, TransposedTwiceIsItself, (std::uint64_t seed)) {
  Random random(seed);
  const auto n = *rc::gen::inRange<Index>(1, 70), d = *rc::gen::inRange<Index>(1, 70);
  const DenseMatrix full = test::random_matrix({.n = n, .d = d, .density = 0.2}, random);
  for (const MatrixPtr& A : {reference::sparse(full), reference::dense(full)}) {
    const DataMatrix once(A->by_column(), DataMatrix::Orientation::by_row, A);
    RC_ASSERT(once.rows() == d);
    RC_ASSERT(once.nonzeros() == A->nonzeros());
    RC_ASSERT(reference::expand(once).entry == reference::transposed(full).entry);
    const DataMatrix twice(once.by_column(), DataMatrix::Orientation::by_row, nullptr);
    RC_ASSERT(reference::expand(twice).entry == full.entry);
  }
}

TEST(DataMatrix, BuildsTheOtherOrientationOnceForManyThreads) {
  Random random(2);
  const MatrixPtr A = reference::sparse(test::random_matrix({.n = 50, .d = 60}, random));
  std::vector<const Lines*> seen(8);
  {
    std::vector<std::thread> threads;
    threads.reserve(seen.size());
    for (const Lines*& lines : seen) threads.emplace_back([&] { lines = &A->by_column(); });
    for (std::thread& thread : threads) thread.join();
  }
  for (const Lines* lines : seen) EXPECT_EQ(lines, seen[0]);
}

// 2 0 1
// 0 3 0
struct BothWays {
  Arrays rows{{0, 2, 3}, {0, 2, 1}, {2, 1, 3}};
  Arrays columns{{0, 1, 2, 3}, {0, 1, 0}, {2, 3, 1}};
  [[nodiscard]] DataMatrix matrix() const {
    return {Rows{2, 3, rows.offsets, rows.at, rows.value}, Rows{3, 2, columns.offsets, columns.at, columns.value},
            nullptr, 2};
  }
};

TEST(DataMatrix, GivenBothWaysNothingIsBuilt) {
  const BothWays both;
  const DataMatrix A = both.matrix();
  EXPECT_EQ(reference::expand(A).entry, (std::vector<double>{2, 0, 1, 0, 3, 0}));
  EXPECT_EQ(std::get<Rows>(A.by_row()).at.data(), both.rows.at.data());
  EXPECT_EQ(std::get<Rows>(A.by_column()).at.data(), both.columns.at.data());
}

TEST(DataMatrix, GivenBothWaysTheyMustAgree) {
  const auto refusal_after = [](const auto& change) {
    BothWays both;
    change(both.columns);
    return message_of([&] { (void)both.matrix(); });
  };
  const std::string differ =
      "matrix columns: entries that differ from those of the rows breaks the rule: the same matrix";
  EXPECT_EQ(refusal_after([](Arrays& columns) { columns.value[1] = 3.5; }), differ);
  EXPECT_EQ(refusal_after([](Arrays& columns) { columns.value = {2, 1, 3}; }), differ);
  EXPECT_EQ(refusal_after([](Arrays& columns) { columns.at[1] = 0; }), differ);
  EXPECT_EQ(refusal_after([](Arrays& columns) { columns.offsets = {0, 1, 1, 3}, columns.at = {0, 0, 1}; }), differ);
  EXPECT_EQ(refusal_after([](Arrays& columns) {
              columns = {{0, 1, 2, 2}, {0, 1}, {2, 3}};
            }),
            "matrix columns: 3 lines of length 2 with 2 entries breaks the rule: the transpose of 2 lines of length 3 "
            "with 3 entries");
  EXPECT_EQ(refusal_after([](Arrays& columns) { columns.at[1] = 2; }),
            "matrix indices: 2 in line 1 breaks the rule: 0 .. 1");
  EXPECT_EQ(message_of([] {
              const Arrays one{{0, 1}, {0}, {1}};
              const Rows lines{1, 2, one.offsets, one.at, one.value};
              (void)DataMatrix(lines, lines, nullptr);
            }),
            "matrix columns: 1 lines of length 2 with 1 entries breaks the rule: the transpose of 1 lines of length 2 "
            "with 1 entries");
}

// Both orientations of any matrix agree, and one changed entry of many is found.
RC_GTEST_PROP(DataMatrix, GivenBothWaysEveryOtherEntryIsFound, (std::uint64_t seed)) {
  Random random(seed);
  const auto n = *rc::gen::inRange<Index>(1, 70), d = *rc::gen::inRange<Index>(1, 70);
  DenseMatrix full = test::random_matrix({.n = n, .d = d, .density = 0.4}, random);
  const Index i = *rc::gen::inRange<Index>(0, n), j = *rc::gen::inRange<Index>(0, d);
  full(i, j) = 1;
  const auto make = {reference::sparse, reference::dense};
  for (const auto& made : make) {
    const MatrixPtr A = made(full);
    RC_ASSERT(DataMatrix(A->by_row(), A->by_column(), A).nonzeros() == A->nonzeros());
    DenseMatrix other = full;
    other(i, j) = std::nextafter(1.0, 2.0);
    RC_ASSERT_THROWS_AS(DataMatrix(A->by_row(), made(other)->by_column(), A), InputError);
  }
}

// Large enough for several shards.
TEST(DataMatrix, TheFirstFaultIsNamedForAnyNumberOfThreads) {
  constexpr Index kRows = 1'000, kColumns = 1'000;
  std::vector<double> value(kRows * kColumns, 1.0);
  const std::vector<double> columns = value;
  value[700'000] = std::numeric_limits<double>::infinity();
  value[300'001] = std::numeric_limits<double>::quiet_NaN();
  for (const int threads : {1, 2, 7})
    EXPECT_EQ(message_of([&] {
                (void)DataMatrix(DenseLines<double>{kRows, kColumns, value},
                                 DenseLines<double>{kColumns, kRows, columns}, nullptr, threads);
              }),
              "matrix values: entry 300001 is nan breaks the rule: finite numbers");
}

TEST(DataMatrix, LinesOfNoLengthCanBeAnyNumber) {
  constexpr Index kHuge = Index{1} << 60;
  EXPECT_EQ(own_dense_rows(kHuge, 0, std::vector<double>{})->rows(), kHuge);
}

TEST(DataMatrix, KnowsWhetherItIsDense) {
  EXPECT_TRUE(own_dense_rows(1, 2, std::vector<float>(2))->is_dense());
  EXPECT_TRUE(own_dense_rows(1, 2, std::vector<double>(2))->is_dense());
  EXPECT_FALSE(reference::sparse(DenseMatrix(2, 2))->is_dense());
  EXPECT_EQ(own_dense_rows(3, 2, std::vector<double>(6))->nonzeros(), 6);
}

TEST(PassPair, TakesPositiveTime) {
  Random random(4);
  EXPECT_GT(measure_pass_pair(*reference::sparse(test::random_matrix({.n = 30, .d = 20}, random))), 0);
  EXPECT_GE(measure_pass_pair(*reference::sparse(DenseMatrix(2, 2))), 0);
}

}  // namespace data_matrix_test
}  // namespace pdbfw
