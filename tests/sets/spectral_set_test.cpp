// The laws of the sets that are defined by a spectrum.
#include "core/spectral_set.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "io/message.hpp"
#include "linalg/orthonormal.hpp"
#include "sets/spectral_ball.hpp"
#include "support/matrices.hpp"

namespace pdbfw {
namespace spectral_set_test {

using test::random_matrix;

Matrix fitting(const SpectralSet& set, Index rows, Index columns, std::uint64_t seed) {
  if (set.spectrum() == Spectrum::singular_values) return random_matrix(rows, columns, seed);
  const Matrix M = random_matrix(rows, rows, seed);
  return M + M.transpose();
}

// A random point of C.
Factors inside(const SpectralSet& set, Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  const Index rank = 1 + static_cast<Index>(random.below(4));
  Factors X{random_matrix(rows, rank, seed + 1), random_matrix(rank, 1, seed + 2).cwiseAbs(), {}};
  X.V = set.spectrum() == Spectrum::eigenvalues ? X.U : random_matrix(columns, rank, seed + 3);
  X = orthonormal(X, set.spectrum());
  X.s *= set.radius() * random.uniform() / X.s.sum();
  return X;
}

template <class Set>
class SpectralSetLaws : public testing::Test {};
using Sets = testing::Types<TraceBall, PsdTrace>;
TYPED_TEST_SUITE(SpectralSetLaws, Sets);

double inner(const Matrix& A, const Matrix& B) { return A.cwiseProduct(B).sum(); }

TYPED_TEST(SpectralSetLaws, ProjectionIsNearest) {
  for (const double radius : {0.5, 30.0, 1e5}) {
    const TypeParam set(radius);
    const Matrix centre = fitting(set, 90, 70, 1);
    TopSpectrum top(set.spectrum(), 1);
    const Factors P = set.project(centre);
    const Factors partly = set.project(DenseOperator(centre), top, 1e-10);
    EXPECT_LE(set.violation(P), 1e-12 * radius);
    EXPECT_LE((P.dense() - partly.dense()).norm(), 1e-7 * P.s.norm());
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Matrix W = inside(set, centre.rows(), centre.cols(), seed).dense();
      EXPECT_LE(inner(centre - P.dense(), W - P.dense()), 1e-9 * radius * centre.norm());
    }
  }
}

TYPED_TEST(SpectralSetLaws, LinearOracleIsSmallest) {
  const TypeParam set(3);
  const Matrix gradient = fitting(set, 80, 95, 2);
  TopSpectrum top(set.spectrum(), 1);
  const Factors atom = set.linear_oracle(DenseOperator(gradient), top, 1e-8);
  EXPECT_LE(set.violation(atom), 1e-12);
  const double value = inner(gradient, atom.dense());
  const Vector all = full_spectrum(-gradient, set.spectrum()).s;
  EXPECT_NEAR(value, -3 * all[0], 1e-6 * all[0]);
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    EXPECT_LE(value, inner(gradient, inside(set, gradient.rows(), gradient.cols(), seed).dense()));
}

TYPED_TEST(SpectralSetLaws, DualPartIsALowerBoundAndTight) {
  for (const double ridge : {0.0, 0.1, 10.0})
    for (const double radius : {0.1, 3.0, 300.0}) {
      SCOPED_TRACE(testing::Message() << "ridge " << ridge << ", radius " << radius);
      const TypeParam set(radius);
      const Matrix u = fitting(set, 80, 75, 3);
      TopSpectrum top(set.spectrum(), 1);
      const auto value = [&](const Matrix& X) { return ridge / 2 * X.squaredNorm() - inner(u, X); };
      const Factors best =
          ridge > 0 ? set.project(Matrix(u / ridge)) : set.linear_oracle(DenseOperator(-u), top, 1e-10);
      const double smallest = value(best.dense());
      const double slack = 1e-6 * std::abs(smallest);
      const SpectralDualPart part = set.dual_part(DenseOperator(u), ridge, slack, top);
      EXPECT_LE(part.bound, smallest + 1e-13 * std::abs(smallest));
      EXPECT_GE(part.bound, smallest - 2 * slack);
      EXPECT_LE(set.violation(part.minimiser), 1e-12 * radius);
      EXPECT_NEAR(value(part.minimiser.dense()), smallest, 1e-5 * std::abs(smallest));
    }
}

// Values that crowd around the multiplier, seen through a subspace that knows nothing yet, with any slack.
TYPED_TEST(SpectralSetLaws, DualPartIsALowerBoundWhateverWasNotComputed) {
  const Index side = 120;
  const Matrix Q = orthonormal_columns(random_matrix(side, side, 5), Matrix(side, 0));
  const TypeParam set(4);
  for (const double beside : {1.0, 1.0 + 1e-9, 1.0 + 1e-4, 1.01, 0.99})
    for (const double slack : {0.0, 1e-6, 1e3}) {
      SCOPED_TRACE(testing::Message() << beside << ", slack " << slack);
      Vector values = Vector::Constant(side, 0.5);
      values.head(4) << 3, 2.5, 2,
          1.5;  // with ridge 1 and radius 4 their multiplier is 1.25; with those beside, near 1
      values.segment(4, 40).setConstant(beside);
      const Matrix u = Q * values.asDiagonal() * Q.transpose();
      TopSpectrum top(set.spectrum(), 1);
      const Factors best = set.project(u);
      const double smallest = 0.5 * best.s.squaredNorm() - inner(u, best.dense());
      const SpectralDualPart part = set.dual_part(DenseOperator(u), 1, slack, top);
      EXPECT_LE(part.bound, smallest + 1e-12);
      EXPECT_GE(part.bound, smallest - slack - 1e-7);
    }
}

TYPED_TEST(SpectralSetLaws, ZeroAndTinyMatrices) {
  const TypeParam set(2);
  for (const Index side : {1, 2, 100}) {
    const Matrix zero = Matrix::Zero(side, side);
    TopSpectrum top(set.spectrum(), 1);
    EXPECT_EQ(set.project(zero).rank(), 0);
    EXPECT_EQ(set.project(DenseOperator(zero), top, 1e-6).rank(), 0);
    EXPECT_EQ(set.block_oracle(DenseOperator(zero), 5, 0, 1e-6, top).rank(), 0);
    EXPECT_EQ(set.violation(set.linear_oracle(DenseOperator(zero), top, 1e-6)), 0);
    for (const double ridge : {0.0, 1.0}) EXPECT_EQ(set.dual_part(DenseOperator(zero), ridge, 1e-9, top).bound, 0);
  }
}

TEST(PsdTrace, ANegativeMatrixHasNoPositivePart) {
  const PsdTrace set(2);
  const Matrix negative = -Matrix::Identity(100, 100);
  TopSpectrum top(Spectrum::eigenvalues, 1);
  EXPECT_EQ(set.project(DenseOperator(negative), top, 1e-6).rank(), 0);
  EXPECT_EQ(set.linear_oracle(DenseOperator(-negative), top, 1e-6).rank(), 0);
  EXPECT_NEAR(set.dual_part(DenseOperator(negative), 1.0, 1e-9, top).bound, 0, 1e-10);
  EXPECT_NEAR(set.dual_part(DenseOperator(negative), 0.0, 1e-9, top).bound, 0, 1e-10);
}

TYPED_TEST(SpectralSetLaws, NothingIsProvenOfWhatIsNotANumber) {
  const TypeParam set(2);
  for (const Index side : {3, 100})
    for (const double ridge : {0.0, 1.0}) {
      Matrix u = Matrix::Identity(side, side);
      u(1, 1) = std::numeric_limits<double>::quiet_NaN();
      TopSpectrum top(set.spectrum(), 1);
      const double bound = set.dual_part(DenseOperator(u), ridge, 1e-6, top).bound;
      EXPECT_FALSE(std::isfinite(bound)) << bound;
      // and the next call is as good as new
      u(1, 1) = 4;
      EXPECT_NEAR(top.largest(DenseOperator(u), 1, 1e-9).s[0], 4, 1e-8);
    }
}

TYPED_TEST(SpectralSetLaws, BlockOracleKeepsItsPromise) {
  const TypeParam set(5);
  const Matrix centre = fitting(set, 100, 90, 4);
  const Factors all = full_spectrum(centre, set.spectrum());
  for (const Index s : {1, 3, 10})
    for (const double accuracy : {1e-8, 1e-2, 10.0}) {
      TopSpectrum top(set.spectrum(), 1);
      const auto value = [&](const Factors& X) { return 0.5 * X.s.squaredNorm() - inner(centre, X.dense()); };
      const Factors X = inside(set, centre.rows(), centre.cols(), 7);
      const Factors V = set.block_oracle(DenseOperator(centre), s, value(X), accuracy, top);
      const Factors best =
          set.project(Matrix(all.U.leftCols(s) * all.s.head(s).asDiagonal() * all.V.leftCols(s).transpose()));
      EXPECT_LE(V.rank(), s);
      EXPECT_LE(set.violation(V), 1e-12);
      EXPECT_LE(value(V) - value(X), 0.5 * (value(best) - value(X)) + accuracy);
    }
}

TEST(TraceBall, ViolationIsTheTraceNormBeyondTheRadius) {
  const TraceBall set(2);
  // X = 3 e1 e1' by factors that are not orthonormal.
  const Factors X{Matrix::Constant(1, 2, 1), Vector::Constant(2, 1.5), Matrix::Constant(1, 2, 1)};
  EXPECT_NEAR(set.violation(X), 1, 1e-14);
  EXPECT_EQ(set.violation(Factors::zero(3, 4)), 0);
}

TEST(PsdTrace, ViolationCountsNegativeEigenvaluesAndAsymmetry) {
  const PsdTrace set(2);
  const Matrix I = Matrix::Identity(3, 3);
  const auto with = [&](double a, double b, double c) { return Factors{I, Eigen::Vector3d(a, b, c), I}; };
  EXPECT_EQ(set.violation(with(1, 1, 0)), 0);
  EXPECT_NEAR(set.violation(with(1, 1, 0.5)), 0.5, 1e-14);
  EXPECT_NEAR(set.violation(with(1, 1, -0.25)), 0.25, 1e-14);
  const Factors skew{I.leftCols(1), Vector::Constant(1, 1), I.middleCols(1, 1)};
  EXPECT_GE(set.violation(skew), 0.5);
}

// Rank 20 and a little noise: the first projection has to find out how many values it needs.
TYPED_TEST(SpectralSetLaws, AProjectionBeginsWithAsManyValuesAsTheLastOneNeeded) {
  const TypeParam set(1000);
  const Matrix L = random_matrix(300, 20, 1);
  const Matrix centre = 3 * L * L.transpose() + 0.01 * fitting(set, 300, 300, 2);
  TopSpectrum top(set.spectrum(), 1);
  const Factors first = set.project(DenseOperator(centre), top, 1e-6);
  const double cold = top.work();
  EXPECT_GE(top.expected(), first.rank());
  EXPECT_LE(top.expected(), first.rank() + 4);
  const Factors second = set.project(DenseOperator(centre), top, 1e-6);
  EXPECT_LT(top.work() - cold, 0.5 * cold);
  EXPECT_LE((first.dense() - second.dense()).norm(), 1e-5 * first.s.norm());
}

// By the Gram matrix where that is exact enough, by the whole spectrum where the radius does not bind.
TYPED_TEST(SpectralSetLaws, AProjectionOfGivenAccuracyIsTheProjection) {
  for (const auto& [rows, columns] : {std::pair{40, 40}, {40, 15}, {15, 40}})
    for (const double radius : {1.0, 30.0, 1e6}) {
      const TypeParam set(radius);
      if (set.spectrum() == Spectrum::eigenvalues && rows != columns) continue;
      const Matrix centre = fitting(set, rows, columns, 3);
      const Matrix exact = set.project(centre).dense();
      EXPECT_LE((set.project(centre, 1e-6, 1).dense() - exact).norm(), 1e-6 * exact.norm()) << radius;
    }
}

TEST(PsdTrace, WantsASquare) {
  test::expect_error([] { PsdTrace(1).check_shape(3, 4); }, "X: 3 x 4 breaks the rule: square, for the set psd_trace");
}

}  // namespace spectral_set_test
}  // namespace pdbfw
