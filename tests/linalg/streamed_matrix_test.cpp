// A streamed matrix gives the products that the same matrix gives in memory.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "linalg/products.hpp"
#include "support/problems.hpp"
#include "support/streamed.hpp"

namespace pdbfw::test {
namespace streamed_matrix_test {

constexpr double kRounding = 1e-12;

void expect_near(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], kRounding * (1 + std::abs(a[i])));
}

std::vector<MatrixPtr> matrices() {
  Random random(7);
  const reference::DenseMatrix sparse = random_matrix({.n = 23, .d = 11, .density = 0.3}, random);
  const reference::DenseMatrix full = random_matrix({.n = 23, .d = 11, .density = 1}, random);
  // Large enough that threads are worth their while.
  const reference::DenseMatrix large = random_matrix({.n = 700, .d = 601, .density = 0.6}, random);
  return {reference::sparse(sparse), own_dense_rows<double>(23, 11, full.entry), reference::sparse(large),
          own_dense_rows<double>(700, 601, large.entry)};
}

TEST(StreamedMatrix, GivesTheProductsOfTheMatrixInMemory) {
  Random random(1);
  for (const MatrixPtr& A : matrices()) {
    const auto n = static_cast<std::size_t>(A->rows()), d = static_cast<std::size_t>(A->columns());
    const std::vector<double> x = random_vector(d, random), y = random_vector(n, random);
    std::vector<double> few(d);
    few[3] = 2;
    const std::vector<Index> some{1, 4, 9};
    std::vector<double> w(n), z(d), w_few(n), z_some(3), norms(n);
    multiply(*A, x, w);
    multiply_transposed(*A, y, z);
    multiply_support(*A, few, w_few, 1);
    multiply_transposed_on(*A, some, y, z_some, 1);
    row_squared_norms(*A, norms);
    for (const Index rows : {Index{1}, Index{7}, A->rows()}) {
      const MatrixPtr S = streamed(A, rows);
      EXPECT_TRUE(S->is_streamed());
      EXPECT_EQ(S->is_dense(), A->is_dense());
      for (const int threads : {1, 3}) {
        std::vector<double> ws(n), zs(d, 5.0), ws_few(n), zs_some(3), norms_s(n), added(n, 1.0);
        multiply(*S, x, ws, threads);
        EXPECT_EQ(ws, w);
        multiply_transposed(*S, y, zs, threads);
        expect_near(zs, z);
        EXPECT_EQ(multiply_support(*S, few, ws_few, threads), static_cast<double>(A->nonzeros()));
        expect_near(ws_few, w_few);
        EXPECT_EQ(multiply_transposed_on(*S, some, y, zs_some, threads), static_cast<double>(A->nonzeros()));
        expect_near(zs_some, z_some);
        row_squared_norms(*S, norms_s);
        EXPECT_EQ(norms_s, norms);
        add_columns(*S, std::vector<Index>{3}, std::vector<double>{2}, added);
        for (double& value : added) value -= 1;
        expect_near(added, w_few);
      }
    }
  }
}

TEST(StreamedMatrix, GivesTheSameBitsForAnyNumberOfThreads) {
  Random random(2);
  for (const MatrixPtr& A : matrices()) {
    const MatrixPtr S = streamed(A, A->rows());
    const std::vector<double> y = random_vector(static_cast<std::size_t>(A->rows()), random);
    std::vector<double> one(static_cast<std::size_t>(A->columns())), many(one);
    multiply_transposed(*S, y, one, 1);
    multiply_transposed(*S, y, many, 5);
    EXPECT_EQ(one, many);
  }
}

TEST(StreamedMatrix, InMemoryThereIsOneBlock) {
  const MatrixPtr A = matrices()[0];
  EXPECT_FALSE(A->is_streamed());
  EXPECT_EQ(A->source(), nullptr);
  int blocks = 0;
  A->visit_rows([&](Index first, const Lines& rows) {
    ++blocks;
    EXPECT_EQ(first, 0);
    EXPECT_EQ(&rows, &A->by_row());
  });
  EXPECT_EQ(blocks, 1);
}

TEST(StreamedMatrix, HasNoLinesInMemory) {
  const MatrixPtr S = streamed(matrices()[0], 5);
  EXPECT_THROW(static_cast<void>(S->by_row()), InputError);
  EXPECT_THROW(static_cast<void>(S->by_column()), InputError);
}

}  // namespace streamed_matrix_test
}  // namespace pdbfw::test
