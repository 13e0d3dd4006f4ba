// The ways in which norms are bounded, at sizes where each is taken.
#include <gtest/gtest.h>

#include <cmath>

#include "linalg/largest_eigenvalue.hpp"
#include "pdbfw/linear_map.hpp"
#include "reference/spectrum.hpp"
#include "support/maps.hpp"

namespace pdbfw {
namespace norms_test {

using test::random_matrix;

double squared(double x) { return x * x; }

void expect_tight(double bound, double exact) {
  EXPECT_GE(bound, exact * (1 - 1e-12));
  EXPECT_LE(bound, exact * 1.02);
}

MatrixPtr owned(const Matrix& M) {
  return own_dense_rows(M.rows(), M.cols(), std::vector<double>(M.data(), M.data() + M.size()));
}

TEST(MapNorms, LargestSingularValueOfRows) {
  // Flat spectra are the hard ones: no gap below the largest value.
  for (const auto& [rows, columns] : {std::pair<Index, Index>{150, 100}, {100, 150}, {400, 20}}) {
    const Matrix A = random_matrix(rows, columns, 7);
    expect_tight(rows_map(owned(A), 3)->squared_norm(), squared(reference::singular_values(A)(0)));
  }
}

// Two eigenvalues near each other and far above all others: a start with little of the first vector in it must not take
// the second eigenvalue for the largest. (Two of five thousand random maps did.)
TEST(MapNorms, DoesNotTakeTheSecondEigenvalueForTheFirst) {
  constexpr Index kSize = 40;
  Vector start;
  static_cast<void>(largest_eigenvalue_bound(kSize, kSize, [&](const Vector& v, Vector& out) {
    if (start.size() == 0) start = v;
    out = v;
  }));
  for (const double share : {1e-2, 1e-3, 1e-4, 1e-5}) {
    Vector first = random_matrix(kSize, 1, 11).col(0);
    first = (first - first.dot(start) * start).normalized();
    first = (first + share * start).normalized();
    Eigen::MatrixXd vectors = random_matrix(kSize, kSize, 12);
    vectors.col(0) = first;
    vectors.col(1) = start + vectors.col(1).normalized();
    for (Index k = 0; k < kSize; ++k) {  // orthonormal, by Gram and Schmidt
      for (int round = 0; round < 2; ++round)
        vectors.col(k) -= vectors.leftCols(k) * (vectors.leftCols(k).transpose() * vectors.col(k));
      vectors.col(k).normalize();
    }
    Vector values = Vector::LinSpaced(kSize, 0.0, 3.0);
    values.head(2) << 12.8, 11.4;
    const Eigen::MatrixXd K = vectors * values.asDiagonal() * vectors.transpose();
    expect_tight(largest_eigenvalue_bound(kSize, K.trace(), [&](const Vector& v, Vector& out) { out = K * v; }), 12.8);
  }
}

TEST(MapNorms, OfTheIdentityAndOfZero) {
  EXPECT_NEAR(rows_map(owned(Matrix::Identity(20, 20)), 2)->squared_norm(), 1, 0.02);
  const MatrixPtr zero = owned(Matrix::Zero(4, 3));
  EXPECT_EQ(rows_map(zero, 2)->squared_norm(), 0);
  EXPECT_EQ(quadratic_map(zero, 2)->squared_norm(), 0);
  EXPECT_EQ(rank_one_map(zero, zero)->squared_norm(), 0);
  EXPECT_EQ(products_map(zero, 3, 1)->squared_norm(), 0);
  EXPECT_EQ(products_map(own_csr<double, int>(2, 100, {0, 0, 0}, {}, {}), 10, 10)->squared_norm(), 0);
}

// Against the matrix with <A_i, A_j>.
double exact_quadratic(const Matrix& G) {
  const Eigen::MatrixXd K = (G * G.transpose()).array().square();
  return reference::singular_values(K)(0);
}

TEST(MapNorms, OfManyQuadraticMeasurements) {
  const Matrix G = random_matrix(120, 20, 8);
  expect_tight(quadratic_map(owned(G))->squared_norm(), exact_quadratic(G));
}

// More entries in X than in the measurements: by the inner products of the A_i.
TEST(MapNorms, OfFewLongMeasurements) {
  const Matrix G = random_matrix(12, 1100, 9), H = random_matrix(12, 1200, 10);
  expect_tight(quadratic_map(owned(G))->squared_norm(), exact_quadratic(G));
  const Eigen::MatrixXd K = (G * G.transpose()).cwiseProduct(H * H.transpose());
  expect_tight(rank_one_map(owned(G), owned(H))->squared_norm(), reference::singular_values(K)(0));
}

// More samples squared than entries, and a large X: by the few entries of the A_i. Every group of two rows e_i, e_j
// gives A = e_i e_i' + e_j e_j'; those of samples 2i and 2i + 1 are equal, and orthogonal to all others.
TEST(MapNorms, OfManySparseMeasurements) {
  const Index n = 2000;
  std::vector<Index> offsets{0}, at;
  for (Index i = 0; i < n; ++i)
    for (const Index row : {i / 2, 1500 + i / 2}) {
      at.push_back(row);
      offsets.push_back(static_cast<Index>(at.size()));
    }
  const MatrixPtr G = own_csr(2 * n, 2500, offsets, at, std::vector<double>(at.size(), 1.0));
  expect_tight(quadratic_map(G, 2)->squared_norm(), 4);
  EXPECT_EQ(quadratic_map(G, 2)->largest_squared_sample_norm(), 2);
}

TEST(MapNorms, MultiplicityOfAPair) {
  EXPECT_EQ(entries_map(2, 3, {0, 0, 1}, {0, 1, 0})->squared_norm(), 1);
  EXPECT_EQ(entries_map(2, 3, {0, 1, 0, 0}, {2, 0, 2, 2})->squared_norm(), 3);
  // The last of one row and the first of the next in the same column are two pairs.
  EXPECT_EQ(entries_map(2, 1, {0, 1}, {0, 0})->squared_norm(), 1);
}

TEST(EigenvalueBound, WithoutNegativeEntriesIsProven) {
  // Two blocks that do not meet: the start of ones tells them apart only slowly, so no bound within 2 % is claimed.
  const Eigen::Matrix2d K = Eigen::Vector2d(1, 1.5).asDiagonal();
  const SymmetricProduct product = [&](const Vector& v, Vector& out) { out = K * v; };
  EXPECT_FALSE(nonnegative_eigenvalue_bound(Vector::Ones(2), product).has_value());
  const auto bound = nonnegative_eigenvalue_bound(Vector::Unit(2, 1), product);
  ASSERT_TRUE(bound.has_value());
  expect_tight(*bound, 1.5);
}

}  // namespace norms_test
}  // namespace pdbfw
