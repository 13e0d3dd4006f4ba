#include "pdbfw/top_spectrum.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "linalg/dense_product.hpp"
#include "linalg/orthonormal.hpp"

namespace pdbfw {
namespace {

Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  Matrix out(rows, columns);
  for (double& value : out.reshaped()) value = random.normal();
  return out;
}

Matrix random_orthonormal(Index rows, Index columns, std::uint64_t seed) {
  return orthonormal_columns(random_matrix(rows, columns, seed), Matrix(rows, 0));
}

// Singular values fall geometrically, some of them several times over.
Matrix with_values(Index rows, Index columns, const Vector& values, std::uint64_t seed) {
  return random_orthonormal(rows, values.size(), seed) * values.asDiagonal() *
         random_orthonormal(columns, values.size(), seed + 1).transpose();
}

Matrix symmetric_with(Index side, const Vector& values, std::uint64_t seed) {
  const Matrix Q = random_orthonormal(side, values.size(), seed);
  return Q * values.asDiagonal() * Q.transpose();
}

double orthonormality_error(const Matrix& U) {
  return (U.transpose() * U - Matrix::Identity(U.cols(), U.cols())).norm();
}

// The operator without its entries: nothing may rely on them.
class Hidden final : public Operator {
 public:
  explicit Hidden(const Matrix& M) : M_(M) {}
  [[nodiscard]] Index rows() const override { return M_.rows(); }
  [[nodiscard]] Index columns() const override { return M_.columns(); }
  void times(const Matrix& V, Matrix& out, int threads) const override { M_.times(V, out, threads); }
  void transposed_times(const Matrix& U, Matrix& out, int threads) const override {
    M_.transposed_times(U, out, threads);
  }
  [[nodiscard]] double cost() const override { return M_.cost(); }

 private:
  DenseOperator M_;
};

struct Case {
  const char* name;
  Matrix M;
  Index s;
};

std::vector<Case> cases() {
  Vector clustered = Vector::Ones(90);
  clustered.head(30).setConstant(2);
  clustered.head(5).setConstant(10);
  Vector graded = Vector::LinSpaced(100, 0, -12).unaryExpr([](double x) { return std::pow(10.0, x); });
  return {
      {"tall", random_matrix(200, 120, 1), 10},
      {"wide", random_matrix(110, 230, 2), 10},
      {"clustered", with_values(150, 100, clustered, 3), 12},
      {"graded", with_values(130, 140, graded, 4), 20},
      {"rank 3", with_values(150, 130, Vector::LinSpaced(3, 3, 1), 5), 10},
      {"zero", Matrix::Zero(100, 90), 5},
      {"identity", Matrix::Identity(100, 100), 7},
      {"a number", Matrix::Constant(1, 1, -3), 4},
      {"a row", random_matrix(1, 50, 6), 4},
      {"tiny", random_matrix(3, 4, 7), 9},
      {"all of it", random_matrix(90, 80, 8), 80},
  };
}

TEST(TopSpectrum, SingularValuesAgreeWithTheWholeSpectrum) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Factors all = full_spectrum(c.M, Spectrum::singular_values);
    TopSpectrum top(Spectrum::singular_values, 1);
    const Factors found = top.largest(Hidden(c.M), c.s, 1e-9);
    const double size = std::max(1e-300, all.s[0]);
    for (Index i = 0; i < std::min(c.s, all.rank()); ++i)
      EXPECT_NEAR(i < found.rank() ? found.s[i] : 0, all.s[i], 1e-9 * size) << i;
    EXPECT_LE(found.rank(), c.s);
    EXPECT_LE(orthonormality_error(found.U), 1e-12);
    EXPECT_LE(orthonormality_error(found.V), 1e-12);
    EXPECT_LE((c.M * found.V - found.U * found.s.asDiagonal()).colwise().norm().sum(), 1e-8 * size);
    EXPECT_LE((c.M.transpose() * found.U - found.V * found.s.asDiagonal()).colwise().norm().sum(), 1e-8 * size);
  }
}

TEST(TopSpectrum, EigenvaluesAreTheLargestNotTheLargestInMagnitude) {
  Vector values(150);
  values << Vector::LinSpaced(75, 3, 1), Vector::LinSpaced(75, -1, -50);
  const Matrix M = symmetric_with(150, values, 3);
  TopSpectrum top(Spectrum::eigenvalues, 1);
  const Factors found = top.largest(Hidden(M), 8, 1e-8);
  ASSERT_EQ(found.rank(), 8);
  for (Index i = 0; i < 8; ++i) EXPECT_NEAR(found.s[i], values[i], 1e-6);
  EXPECT_LE((M * found.V - found.V * found.s.asDiagonal()).norm(), 1e-6);
}

TEST(TopSpectrum, BoundBeyondIsAboveTheNextValueAndTight) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Factors all = full_spectrum(c.M, Spectrum::singular_values);
    TopSpectrum top(Spectrum::singular_values, 1);
    const Factors found = top.largest(DenseOperator(c.M), c.s, 1e-9);
    const double bound = top.bound_beyond(DenseOperator(c.M), found, 0, 1e-3);
    const double next = found.rank() < all.rank() ? all.s[found.rank()] : 0;
    EXPECT_GE(bound, next);
    EXPECT_LE(bound, next * (1 + 1e-3) + 1e-9 * all.s[0]);
  }
}

TEST(TopSpectrum, AboveFindsAllAboveTheBorder) {
  const Matrix M = with_values(150, 140, Vector::LinSpaced(100, 100, 1), 9);
  TopSpectrum top(Spectrum::singular_values, 1);
  const Factors found = top.above(Hidden(M), 60.5, 1e-8);
  ASSERT_EQ(found.rank(), 40);
  EXPECT_NEAR(found.s[39], 61, 1e-6);
}

}  // namespace
}  // namespace pdbfw
