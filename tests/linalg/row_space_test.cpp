// The space of A's rows: Q orthonormal, A'A = Q T Q', and solves with T.
#include "linalg/row_space.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "reference/spectrum.hpp"
#include "support/matrices.hpp"

namespace pdbfw {
namespace row_space_test {

using test::random_matrix;

MatrixPtr dense(const Matrix& A) {
  return own_dense_rows<double>(A.rows(), A.cols(), std::vector<double>(A.data(), A.data() + A.size()));
}

MatrixPtr sparse(const Matrix& A) {
  std::vector<Index> offsets{0};
  std::vector<std::int32_t> at;
  std::vector<float> value;
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < A.cols(); ++j)
      if (A(i, j) != 0) {
        at.push_back(static_cast<std::int32_t>(j));
        value.push_back(static_cast<float>(A(i, j)));
      }
    offsets.push_back(static_cast<Index>(at.size()));
  }
  return own_csr<float, std::int32_t>(A.rows(), A.cols(), offsets, at, value);
}

Matrix formed(const Tridiagonal& T) {
  Matrix M = T.diagonal.asDiagonal();
  for (Index i = 0; i + 1 < T.size(); ++i) M(i, i + 1) = M(i + 1, i) = T.beside[i];
  return M;
}

void expect_space_of(const Matrix& A, const RowSpace& space) {
  const Index side = std::min(A.rows(), A.cols());
  ASSERT_EQ(space.Q.rows(), A.cols());
  ASSERT_EQ(space.Q.cols(), side);
  const double size = A.squaredNorm();
  EXPECT_LE((space.Q.transpose() * space.Q - Matrix::Identity(side, side)).norm(), 1e-12 * static_cast<double>(side));
  EXPECT_LE((space.Q * formed(space.T) * space.Q.transpose() - A.transpose() * A).norm(), 1e-12 * size);
  EXPECT_LE((A - A * space.Q * space.Q.transpose()).norm(), 1e-12 * std::sqrt(size));
}

TEST(RowSpace, OfTallWideAndSmallMatrices) {
  for (const auto& [n, d] :
       std::vector<std::pair<Index, Index>>{{40, 7}, {7, 40}, {9, 9}, {1, 5}, {5, 1}, {1, 1}, {600, 150}}) {
    const Matrix A = random_matrix(n, d, 1);
    expect_space_of(A, row_space(*dense(A)));
    expect_space_of(A, row_space(*dense(A), 3));
  }
}

TEST(RowSpace, OfSparseMatricesWithManyAndWithFewEntries) {
  for (const double density : {0.02, 0.9}) {
    Random random(3);
    Matrix A = Matrix::Zero(60, 25);
    for (double& value : A.reshaped())
      if (random.uniform() < density) value = static_cast<double>(static_cast<float>(random.normal()));
    expect_space_of(A, row_space(*sparse(A)));
    const Matrix wide = A.transpose();
    expect_space_of(wide, row_space(*sparse(wide)));
  }
}

// Rank 1 and no entries at all: directions without rows are still orthonormal.
TEST(RowSpace, OfMatricesOfSmallRank) {
  const Matrix one = random_matrix(12, 1, 5) * random_matrix(1, 6, 6);
  expect_space_of(one, row_space(*dense(one)));
  expect_space_of(one.transpose(), row_space(*dense(one.transpose())));
  const Matrix zero = Matrix::Zero(4, 3);
  expect_space_of(zero, row_space(*dense(zero)));
}

TEST(RowSpace, GivesTheSameBitsOnAnyNumberOfThreads) {
  const Matrix A = random_matrix(700, 200, 9);
  const RowSpace one = row_space(*dense(A)), four = row_space(*dense(A), 4);
  EXPECT_EQ(one.Q, four.Q);
  EXPECT_EQ(one.T.diagonal, four.T.diagonal);
}

TEST(Tridiagonal, TimesAndSolveAreThoseOfTheFormedMatrix) {
  for (const Index size : {1, 2, 9}) {
    const Matrix A = random_matrix(20, size, 2);
    const Tridiagonal T = row_space(*dense(A)).T;
    const Matrix X = random_matrix(size, 4, 3), M = formed(T);
    EXPECT_LE((T.times(X) - M * X).norm(), 1e-12 * M.norm() * X.norm());
    Matrix solved = X;
    T.solve(0.7, 0.3, solved);
    EXPECT_LE(((0.7 * M + 0.3 * Matrix::Identity(size, size)) * solved - X).norm(), 1e-12 * X.norm());
    const Vector wanted = reference::eigenvalues(M);
    EXPECT_LE((T.eigenvalues() - wanted).norm(), 1e-12 * M.norm());
  }
}

// [2 1; 1 2] x = (3, 3): x = (1, 1).
TEST(Tridiagonal, SolvesAByHandCase) {
  const Tridiagonal T{Vector{{1.0, 1.0}}, Vector{{1.0}}};
  Matrix X{{3.0}, {3.0}};
  T.solve(1, 1, X);
  EXPECT_NEAR(X(0, 0), 1, 1e-15);
  EXPECT_NEAR(X(1, 0), 1, 1e-15);
}

}  // namespace row_space_test
}  // namespace pdbfw
