#include "linalg/top_spectrum.hpp"

#include <Spectra/MatOp/DenseSymMatProd.h>
#include <Spectra/SymEigsSolver.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "linalg/dense_product.hpp"
#include "linalg/operators.hpp"
#include "linalg/orthonormal.hpp"
#include "support/matrices.hpp"

namespace pdbfw {
namespace top_spectrum_test {

using test::random_matrix;

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

// Sparse and low rank, added and scaled, never formed.
TEST(TopSpectrum, AgreesWithSpectraOnASum) {
  const Matrix sparse = random_matrix(300, 260, 20).unaryExpr([](double x) { return std::abs(x) > 2 ? x : 0.0; });
  const Factors low{random_orthonormal(300, 6, 21), Vector::LinSpaced(6, 30, 10), random_orthonormal(260, 6, 22)};
  const DenseOperator first(sparse);
  const FactorsOperator second(low);
  const SumOperator sum({{0.5, &first}, {-2.0, &second}});
  const Matrix formed = 0.5 * sparse - 2 * low.dense();
  const Eigen::MatrixXd gram = formed.transpose() * formed;
  Spectra::DenseSymMatProd<double> product(gram);
  Spectra::SymEigsSolver<Spectra::DenseSymMatProd<double>> spectra(product, 12, 40);
  spectra.init();
  ASSERT_EQ(spectra.compute(Spectra::SortRule::LargestAlge, 1000, 1e-12), 12);
  TopSpectrum top(Spectrum::singular_values, 1);
  const Factors found = top.largest(sum, 12, 1e-9);
  ASSERT_EQ(found.rank(), 12);
  for (Index i = 0; i < 12; ++i) EXPECT_NEAR(found.s[i], std::sqrt(spectra.eigenvalues()[i]), 1e-7 * found.s[0]);
}

TEST(TopSpectrum, EigenvaluesAgreeWithSpectra) {
  Matrix M = random_matrix(200, 200, 23);
  M = (M + M.transpose()).eval();
  const Eigen::MatrixXd columns = M;
  Spectra::DenseSymMatProd<double> product(columns);
  Spectra::SymEigsSolver<Spectra::DenseSymMatProd<double>> spectra(product, 6, 60);
  spectra.init();
  ASSERT_EQ(spectra.compute(Spectra::SortRule::LargestAlge, 1000, 1e-12), 6);
  TopSpectrum top(Spectrum::eigenvalues, 1);
  const Factors found = top.largest(Hidden(M), 6, 1e-9);
  for (Index i = 0; i < 6; ++i) EXPECT_NEAR(found.s[i], spectra.eigenvalues()[i], 1e-7 * found.s[0]);
}

TEST(TopSpectrum, SameBitsForAnyNumberOfThreads) {
  const Matrix M = random_matrix(400, 250, 24);
  for (const Spectrum spectrum : {Spectrum::singular_values, Spectrum::eigenvalues}) {
    const Matrix operand = spectrum == Spectrum::eigenvalues ? Matrix(M.transpose() * M) : M;
    TopSpectrum one(spectrum, 1), two(spectrum, 2);
    for (int call = 0; call < 2; ++call) {
      const Factors a = one.largest(DenseOperator(operand), 9, 1e-3), b = two.largest(DenseOperator(operand), 9, 1e-3);
      EXPECT_EQ(a.s, b.s);
      EXPECT_EQ(a.U, b.U);
      EXPECT_EQ(a.V, b.V);
      EXPECT_EQ(one.bound_beyond(DenseOperator(operand), a, 0, 1e-3),
                two.bound_beyond(DenseOperator(operand), b, 0, 1e-3));
    }
  }
}

TEST(TopSpectrum, WarmStartNeedsFewerProducts) {
  const Matrix M = with_values(300, 200, Vector::LinSpaced(100, 10, 1), 25);
  TopSpectrum top(Spectrum::singular_values, 1);
  (void)top.largest(Hidden(M), 5, 1e-6);
  const double cold = top.multiply_adds();
  (void)top.largest(Hidden(M + 1e-5 * random_matrix(300, 200, 26)), 5, 1e-6);
  EXPECT_LT(top.multiply_adds() - cold, 0.7 * cold);
}

// The last subspace is exactly invariant, and what is new is orthogonal to it.
TEST(TopSpectrum, FindsWhatIsNewBesideAnInvariantSubspace) {
  const Matrix Q = random_orthonormal(200, 40, 27), R = random_orthonormal(150, 40, 28);
  Vector values = Vector::LinSpaced(40, 10, 1);
  TopSpectrum top(Spectrum::singular_values, 1);
  (void)top.largest(Hidden(Q * values.asDiagonal() * R.transpose()), 4, 1e-9);
  values[39] = 50;
  const Factors found = top.largest(Hidden(Q * values.asDiagonal() * R.transpose()), 4, 1e-9);
  EXPECT_NEAR(found.s[0], 50, 1e-6);
}

TEST(TopSpectrum, BoundBeyondByLanczosHolds) {
  Vector values = Vector::Ones(30);
  values.head(5) << 9, 8, 7, 6, 5;
  const Index d = TopSpectrum::kExactSide + 120, c = 30'000;
  const Factors X{random_orthonormal(d, 30, 29), values, random_orthonormal(c, 30, 30)};
  const FactorsOperator M(X);
  TopSpectrum top(Spectrum::singular_values, 1);
  const Factors found = top.largest(M, 3, 1e-8);
  const double bound = top.bound_beyond(M, found, 0, 1e-2);
  EXPECT_GE(bound, 6 * (1 - 1e-12));
  EXPECT_LE(bound, 6 * 1.02);
  EXPECT_LE(top.bound_beyond(M, found, 6.9, 1e-9), 6.9);

  Vector signs = values;
  signs.tail(20).setConstant(-40);
  const Factors S{X.U, signs, X.U};
  const FactorsOperator symmetric(S);
  TopSpectrum eigen(Spectrum::eigenvalues, 1);
  const Factors largest = eigen.largest(symmetric, 3, 1e-8);
  EXPECT_NEAR(largest.s[2], 7, 1e-6);
  const double beyond = eigen.bound_beyond(symmetric, largest, 0, 0.05);
  EXPECT_GE(beyond, 6 * (1 - 1e-12));
  EXPECT_LE(beyond, 6 * 1.05);
}

TEST(TopSpectrum, BoundBeyondStopsAtTheBorder) {
  const Matrix M = with_values(150, 140, Vector::LinSpaced(100, 100, 1), 31);
  TopSpectrum top(Spectrum::singular_values, 1);
  const Factors found = top.largest(Hidden(M), 10, 1e-9);
  EXPECT_LE(top.bound_beyond(Hidden(M), found, 90.001, 1e-3), 90.001);
  EXPECT_GT(top.bound_beyond(Hidden(M), found, 89.999, 1e-3), 89.999);
}

// What the subspace misses is counted, whatever the residuals were.
TEST(TopSpectrum, BoundBeyondSeesWhatWasMissed) {
  const Matrix M = with_values(150, 140, Vector::LinSpaced(100, 100, 1), 32);
  const Factors all = full_spectrum(M, Spectrum::singular_values);
  const Factors without_the_first{all.U.middleCols(1, 9), all.s.segment(1, 9), all.V.middleCols(1, 9)};
  TopSpectrum top(Spectrum::singular_values, 1);
  EXPECT_GE(top.bound_beyond(DenseOperator(M), without_the_first, 95, 1e-3), 100);
}

TEST(TopSpectrum, AboveFindsAllAboveTheBorder) {
  const Matrix M = with_values(150, 140, Vector::LinSpaced(100, 100, 1), 9);
  TopSpectrum top(Spectrum::singular_values, 1);
  const Factors found = top.above(Hidden(M), 60.5, 1e-8);
  ASSERT_EQ(found.rank(), 40);
  EXPECT_NEAR(found.s[39], 61, 1e-6);
}

}  // namespace top_spectrum_test
}  // namespace pdbfw
