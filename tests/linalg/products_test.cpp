// A x and A'y for every kind of storage: adjoint to each other, equal to the plain double loop, and the same bits for
// any number of threads.
#include "linalg/products.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "support/problems.hpp"

namespace pdbfw {
namespace products_test {

using reference::DenseMatrix;

// Owns what a borrowing matrix needs.
struct Stored {
  std::string name;
  std::shared_ptr<const void> arrays;
  MatrixPtr A;
};

template <class Value, class Entry, class Offset>
void add_sparse(const DenseMatrix& full, const std::string& name, std::vector<Stored>& out) {
  using Arrays = reference::Compressed<Value, Entry, Offset>;
  const auto rows = std::make_shared<const Arrays>(reference::compress_rows<Value, Entry, Offset>(full));
  out.push_back({"csr " + name, rows,
                 borrow_csr<Value, Entry, Offset>(full.rows, full.columns, rows->offsets, rows->at, rows->value)});
  const auto columns = std::make_shared<const Arrays>(reference::compress_columns<Value, Entry, Offset>(full));
  out.push_back(
      {"csc " + name, columns,
       borrow_csc<Value, Entry, Offset>(full.rows, full.columns, columns->offsets, columns->at, columns->value)});
}

template <class Value>
void add_dense(const DenseMatrix& full, const std::string& name, std::vector<Stored>& out) {
  const auto rows = std::make_shared<const std::vector<Value>>(full.entry.begin(), full.entry.end());
  out.push_back({"dense rows " + name, rows, borrow_dense_rows<Value>(full.rows, full.columns, *rows)});
  const DenseMatrix turned = reference::transposed(full);
  const auto columns = std::make_shared<const std::vector<Value>>(turned.entry.begin(), turned.entry.end());
  out.push_back({"dense columns " + name, columns, borrow_dense_columns<Value>(full.rows, full.columns, *columns)});
  out.push_back({"dense owned " + name, nullptr, own_dense_rows<Value>(full.rows, full.columns, *rows)});
}

template <class Value>
void add_all(const DenseMatrix& full, const std::string& name, std::vector<Stored>& out) {
  add_sparse<Value, std::int32_t, std::int32_t>(full, name + " int32/int32", out);
  add_sparse<Value, std::int32_t, std::int64_t>(full, name + " int32/int64", out);
  add_sparse<Value, std::int64_t, std::int32_t>(full, name + " int64/int32", out);
  add_sparse<Value, std::int64_t, std::int64_t>(full, name + " int64/int64", out);
  auto narrow = reference::compress_rows<Value, std::int32_t, Index>(full);
  out.push_back(
      {"owned " + name + " int32", nullptr, own_csr(full.rows, full.columns, narrow.offsets, narrow.at, narrow.value)});
  auto wide = reference::compress_rows<Value, std::int64_t, Index>(full);
  out.push_back(
      {"owned " + name + " int64", nullptr, own_csr(full.rows, full.columns, wide.offsets, wide.at, wide.value)});
  add_dense<Value>(full, name, out);
}

// The entries are multiples of 1/8, so float holds them exactly and every storage has the same matrix.
std::vector<Stored> every_storage(const DenseMatrix& full) {
  std::vector<Stored> out;
  add_all<double>(full, "double", out);
  add_all<float>(full, "float", out);
  return out;
}

DenseMatrix matrix_of_eighths(Index n, Index d, double density, Random& random) {
  DenseMatrix A(n, d);
  for (double& a : A.entry)
    if (random.uniform() < density) a = (static_cast<double>(random.below(200)) - 100) / 8;
  return A;
}

std::vector<double> eighths(Index size, Random& random) {
  std::vector<double> v(static_cast<std::size_t>(size));
  for (double& v_j : v) v_j = (static_cast<double>(random.below(200)) - 100) / 8;
  return v;
}

std::vector<double> product(const DataMatrix& A, std::span<const double> x, int threads = 1) {
  std::vector<double> w(static_cast<std::size_t>(A.rows()), std::nan(""));
  multiply(A, x, w, threads);
  return w;
}

std::vector<double> transposed_product(const DataMatrix& A, std::span<const double> y, int threads = 1) {
  std::vector<double> z(static_cast<std::size_t>(A.columns()), std::nan(""));
  multiply_transposed(A, y, z, threads);
  return z;
}

// Sums of products of eighths are exact, so "equal" means equal and <Ax, y> = <x, A'y> holds to the last bit.
RC_GTEST_PROP(Products, OfEveryStorageEqualTheDoubleLoopAndAreAdjoint, (std::uint64_t seed)) {
  Random random(seed);
  const auto n = *rc::gen::inRange<Index>(1, 12), d = *rc::gen::inRange<Index>(1, 12);
  const auto percent = *rc::gen::inRange(0, 101);
  const DenseMatrix full = matrix_of_eighths(n, d, percent / 100.0, random);
  const std::vector<double> x = eighths(d, random), y = eighths(n, random);
  const std::vector<double> w = reference::times(full, x), z = reference::transposed_times(full, y);
  for (const Stored& stored : every_storage(full)) {
    const std::vector<double> Ax = product(*stored.A, x), Aty = transposed_product(*stored.A, y);
    RC_LOG(stored.name);
    RC_ASSERT(Ax == w);
    RC_ASSERT(Aty == z);
    RC_ASSERT(reference::inner(Ax, y) == reference::inner(x, Aty));
  }
}

TEST(Products, GiveZeroForEmptyRowsAndColumns) {
  DenseMatrix full(3, 4);
  full(1, 2) = 5;
  const std::vector<double> x{1, 2, 3, 4}, y{1, 2, 3};
  for (const Stored& stored : every_storage(full)) {
    EXPECT_EQ(product(*stored.A, x), (std::vector<double>{0, 15, 0})) << stored.name;
    EXPECT_EQ(transposed_product(*stored.A, y), (std::vector<double>{0, 0, 10, 0})) << stored.name;
  }
}

TEST(Products, OfOneRowAndOfOneColumn) {
  const DenseMatrix row(1, 3, {1, 2, 3}), column(3, 1, {1, 2, 3});
  for (const Stored& stored : every_storage(row)) {
    EXPECT_EQ(product(*stored.A, std::vector<double>{1, 1, 1}), std::vector<double>{6}) << stored.name;
    EXPECT_EQ(transposed_product(*stored.A, std::vector<double>{2}), (std::vector<double>{2, 4, 6})) << stored.name;
  }
  for (const Stored& stored : every_storage(column)) {
    EXPECT_EQ(product(*stored.A, std::vector<double>{2}), (std::vector<double>{2, 4, 6})) << stored.name;
    EXPECT_EQ(transposed_product(*stored.A, std::vector<double>{1, 1, 1}), std::vector<double>{6}) << stored.name;
  }
}

TEST(Products, HaveTheSameBitsForAnyNumberOfThreads) {
  Random random(1);
  // More than the 200,000 entries from which on threads are used, and rows of very different length.
  DenseMatrix full(700, 500);
  for (Index i = 0; i < full.rows; ++i)
    for (Index j = 0; j < full.columns; ++j)
      if (i % 7 == 0 || random.uniform() < 0.7) full(i, j) = random.normal();
  const std::vector<double> x = test::random_vector(500, random), y = test::random_vector(700, random);
  for (const MatrixPtr& A : {reference::sparse(full), reference::dense(full)}) {
    ASSERT_GT(A->nonzeros(), 200'000);
    const std::vector<double> w = product(*A, x), z = transposed_product(*A, y);
    for (const int threads : {2, 3, 8}) {
      EXPECT_EQ(product(*A, x, threads), w) << threads;
      EXPECT_EQ(transposed_product(*A, y, threads), z) << threads;
    }
    EXPECT_NEAR(reference::inner(w, y), reference::inner(x, z), 1e-9);
  }
}

TEST(Products, OfFloatsAreSummedInDouble) {
  // In float 2^24 + 1 is 2^24; summed in double nothing is lost.
  const std::vector<float> value{16777216.0F, 1.0F, 1.0F};
  const MatrixPtr A = borrow_dense_rows<float>(1, 3, value);
  EXPECT_EQ(product(*A, std::vector<double>{1, 1, 1}), std::vector<double>{16777218});
}

RC_GTEST_PROP(Products, AddLinesEqualsTheSumOfTheLinesAndCountsTheirEntries, (std::uint64_t seed)) {
  Random random(seed);
  const DenseMatrix full = matrix_of_eighths(6, 9, 0.4, random);
  const std::vector<Index> rows{1, 4, 5};
  const std::vector<double> coefficient = eighths(3, random), before = eighths(9, random);
  std::vector<double> expected = before;
  double entries = 0;
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (Index j = 0; j < 9; ++j) {
      expected[static_cast<std::size_t>(j)] += coefficient[k] * full(rows[k], j);
      entries += full(rows[k], j) != 0 ? 1 : 0;
    }
  for (const Stored& stored : every_storage(full)) {
    std::vector<double> out = before;
    const double touched = add_lines(stored.A->by_row(), rows, coefficient, out);
    RC_LOG(stored.name);
    RC_ASSERT(out == expected);
    RC_ASSERT(touched == (stored.A->is_dense() ? 27.0 : entries));
  }
}

RC_GTEST_PROP(Products, SquaredNormsAreThoseOfTheRowsWithOrWithoutAScale, (std::uint64_t seed)) {
  Random random(seed);
  const DenseMatrix full = matrix_of_eighths(5, 7, 0.5, random);
  const std::vector<double> scale{1, 2, 0.5, 0, 4, 1, 8};
  for (const Stored& stored : every_storage(full)) {
    std::vector<double> plain(5), scaled(5);
    squared_norms(stored.A->by_row(), {}, plain);
    squared_norms(stored.A->by_row(), scale, scaled);
    for (Index i = 0; i < 5; ++i) {
      double sum = 0, weighted = 0;
      for (Index j = 0; j < 7; ++j) {
        sum += full(i, j) * full(i, j);
        weighted += full(i, j) * full(i, j) * scale[static_cast<std::size_t>(j)];
      }
      RC_ASSERT(plain[static_cast<std::size_t>(i)] == sum);
      RC_ASSERT(scaled[static_cast<std::size_t>(i)] == weighted);
    }
  }
}

}  // namespace products_test
}  // namespace pdbfw
