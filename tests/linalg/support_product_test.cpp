// Products that leave columns out give what those with all columns give.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "linalg/products.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace support_product_test {

using reference::DenseMatrix;

// Sums of products of eighths are exact, in float too, so "equal" means equal whatever the order of the additions.
double any_eighth(Random& random) { return (static_cast<double>(random.below(201)) - 100) / 8; }

DenseMatrix matrix_of_eighths(Index n, Index d, double density, Random& random) {
  DenseMatrix A(n, d);
  for (double& a : A.entry)
    if (random.uniform() < density) a = any_eighth(random);
  return A;
}

std::vector<double> eighths(Index size, double density, Random& random) {
  std::vector<double> v(static_cast<std::size_t>(size), 0.0);
  for (double& v_j : v)
    if (random.uniform() < density) v_j = any_eighth(random);
  return v;
}

std::vector<MatrixPtr> every_storage(const DenseMatrix& full) {
  auto rows = reference::compress_rows<float, std::int64_t, Index>(full);
  return {reference::sparse(full), reference::dense(full),
          own_csr(full.rows, full.columns, rows.offsets, rows.at, rows.value),
          own_dense_rows(full.rows, full.columns, std::vector<float>(full.entry.begin(), full.entry.end()))};
}

std::vector<double> by_support(const DataMatrix& A, std::span<const double> x, int threads) {
  std::vector<double> w(static_cast<std::size_t>(A.rows()), std::nan(""));  // what is in it before must not matter
  multiply_support(A, x, w, threads);
  return w;
}

RC_GTEST_PROP(SupportProduct, IsTheProduct, (std::uint64_t seed)) {
  Random random(seed);
  const auto n = *rc::gen::inRange<Index>(1, 12), d = *rc::gen::inRange<Index>(1, 12);
  const DenseMatrix full = matrix_of_eighths(n, d, random.uniform(), random);
  for (const double density : {0.0, 0.1, 0.4, 1.0}) {  // by columns, and by rows
    const std::vector<double> x = eighths(d, density, random), w = reference::times(full, x);
    for (const MatrixPtr& A : every_storage(full))
      for (const int threads : {1, 2, 8}) RC_ASSERT(by_support(*A, x, threads) == w);
  }
}

TEST(SupportProduct, OfZeroIsZero) {
  Random random(3);
  for (const MatrixPtr& A : every_storage(matrix_of_eighths(4, 3, 0.7, random)))
    EXPECT_EQ(by_support(*A, std::vector<double>{0.0, -0.0, 0.0}, 2), std::vector<double>(4, 0.0));
}

TEST(SupportProduct, HasTheSameBitsForAnyNumberOfThreads) {
  Random random(4);
  const DenseMatrix full = test::random_matrix({.n = 1'500, .d = 800, .density = 0.5}, random);
  std::vector<double> x(800, 0.0);
  // Two columns of five: less than half of the entries, and more than the 200,000 from which on threads are used.
  for (std::size_t j = 0; j < x.size(); j += 5) x[j] = x[(3 * j + 1) % 800] = random.normal();
  for (const MatrixPtr& A : every_storage(full)) {
    const std::vector<double> one = by_support(*A, x, 1);
    for (const int threads : {2, 3, 8}) EXPECT_EQ(by_support(*A, x, threads), one) << threads;
    std::vector<double> w(one.size());
    multiply(*A, x, w);
    for (std::size_t i = 0; i < w.size(); ++i) ASSERT_NEAR(one[i], w[i], 1e-11);
  }
}

RC_GTEST_PROP(TransposedProductOn, IsThatOfTheGivenColumns, (std::uint64_t seed)) {
  Random random(seed);
  const auto n = *rc::gen::inRange<Index>(1, 20), d = *rc::gen::inRange<Index>(1, 12);
  const DenseMatrix full = matrix_of_eighths(n, d, random.uniform(), random);
  const std::vector<double> y = eighths(n, 0.8, random);
  std::vector<Index> columns;  // none, some or all
  const double share = *rc::gen::element(0.0, 0.5, 1.0);
  for (Index j = 0; j < d; ++j)
    if (random.uniform() < share) columns.push_back(j);
  for (const MatrixPtr& A : every_storage(full)) {
    std::vector<double> all(static_cast<std::size_t>(d)), some(columns.size(), std::nan(""));
    multiply_transposed(*A, y, all);
    const double touched = multiply_transposed_on(*A, columns, y, some, 2);
    double entries = 0;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      RC_ASSERT(some[k] == all[static_cast<std::size_t>(columns[k])]);
      for (Index i = 0; i < n; ++i) entries += A->is_dense() || full(i, columns[k]) != 0 ? 1 : 0;
    }
    RC_ASSERT(touched == entries);
  }
}

TEST(TransposedProductOn, HasTheSameBitsForAnyNumberOfThreads) {
  Random random(5);
  const DenseMatrix full = test::random_matrix({.n = 1'500, .d = 600, .density = 0.5}, random);
  const std::vector<double> y = test::random_vector(1'500, random);
  std::vector<Index> columns;
  for (Index j = 0; j < 600; ++j)
    if (j % 3 != 1) columns.push_back(j);
  for (const MatrixPtr& A : every_storage(full)) {
    std::vector<double> all(600), one(columns.size());
    multiply_transposed(*A, y, all);
    EXPECT_GT(multiply_transposed_on(*A, columns, y, one, 1), 200'000);  // from so many on threads are used
    for (const int threads : {2, 3, 8}) {
      std::vector<double> many(columns.size());
      (void)multiply_transposed_on(*A, columns, y, many, threads);
      EXPECT_EQ(many, one) << threads;
    }
    for (std::size_t k = 0; k < columns.size(); ++k)
      ASSERT_NEAR(one[k], all[static_cast<std::size_t>(columns[k])], 1e-11);
  }
}

}  // namespace support_product_test
}  // namespace pdbfw
