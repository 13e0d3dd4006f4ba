// The pieces that the solvers of the low-rank family are made of.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "apps/low_rank_registry.hpp"
#include "baselines/low_rank/sliding.hpp"
#include "linalg/orthonormal.hpp"
#include "reference/low_rank_judge.hpp"
#include "steps/low_rank/block_step.hpp"
#include "steps/low_rank/dual_estimate.hpp"
#include "steps/low_rank/iterate.hpp"
#include "steps/low_rank/projection.hpp"
#include "support/low_rank_problems.hpp"
#include "support/maps.hpp"

namespace pdbfw::low_rank {
namespace pieces_test {

using test::random_matrix;

// As the oracles give them.
Factors random_factors(std::uint64_t seed, Index rows, Index columns, Index rank) {
  return orthonormal(test::random_factors(seed, rows, columns, rank), Spectrum::singular_values);
}

Problem problem(Index d, Index c, double radius = 2) {
  return test::random_low_rank_problem(rows_map(test::gaussian_rows(9, d, 3), c),
                                       {.loss = "squared", .set = "trace", .radius = radius, .ridge = {0.7, false}}, 1);
}

// In factors first, with all entries later: one matrix all the while.
TEST(LowRankIterate, IsTheSameMatrixInFactorsAndFormed) {
  const Problem p = problem(30, 20);
  Iterate X(p, {});
  Matrix plain = Matrix::Zero(30, 20);
  bool was_in_factors = false;
  for (std::uint64_t k = 1; k <= 60; ++k) {
    const Factors V = random_factors(k, 30, 20, 1 + static_cast<Index>(k % 3));
    const double t = k == 7 ? 1 : 1 / static_cast<double>(k + 1);
    X.blend(t, V);
    plain = (1 - t) * plain + t * V.dense();
    was_in_factors = was_in_factors || X.formed() == nullptr;
    const double size = 1 + plain.norm();
    EXPECT_LE((X.dense() - plain).norm(), 1e-12 * size) << k;
    EXPECT_LE((X.factors().dense() - plain).norm(), 1e-12 * size) << k;
    EXPECT_NEAR(X.squared_norm(), plain.squaredNorm(), 1e-10 * size * size) << k;
    EXPECT_NEAR(X.inner(V), plain.cwiseProduct(V.dense()).sum(), 1e-10 * size * V.s.norm()) << k;
    Matrix product, W, plain_W;
    const Matrix some = random_matrix(20, 2, k);
    X.as_operator()->times(some, product);
    EXPECT_LE((product - plain * some).norm(), 1e-11 * size) << k;
    EXPECT_GT(X.apply(*p.map, W, 1), 0) << k;
    p.map->apply(plain, plain_W);
    EXPECT_LE((W - plain_W).norm(), 1e-11 * size) << k;
  }
  EXPECT_TRUE(was_in_factors);
  EXPECT_NE(X.formed(), nullptr);
}

// A direction that no step renews dies out, and does not stay in the factors for ever.
TEST(LowRankIterate, ForgetsWhatHasDiedOut) {
  const Problem p = problem(40, 50);
  Iterate X(p, random_factors(1, 40, 50, 3));
  const Factors V = random_factors(2, 40, 50, 2);
  for (int k = 0; k < 200; ++k) X.blend(0.5, V);
  EXPECT_EQ(X.formed(), nullptr);
  EXPECT_LE(X.rank(), 12);
  EXPECT_LE((X.dense() - V.dense()).norm(), 1e-12 * V.s.norm());
}

TEST(LowRankProjection, IsTheSameByAPartAndByAllOfTheSpectrum) {
  for (const double radius : {0.5, 20.0, 1e6}) {
    const Problem p = problem(90, 70, radius);
    Projection projection(p, {.tol = 1e-12}, Projection::kForSteps);
    for (std::uint64_t k = 0; k < 6; ++k) {
      const Matrix centre = random_matrix(90, 70, k);
      const Matrix whole = p.set->project(centre).dense();
      EXPECT_LE((projection(centre).dense() - whole).norm(), 1e-5 * whole.norm()) << radius;
      EXPECT_LE((projection(DenseOperator(centre)).dense() - whole).norm(), 1e-5 * whole.norm()) << radius;
    }
    EXPECT_GT(projection.cost(), 0);
  }
}

TEST(LowRankDualEstimate, IsTheDualValue) {
  for (const double ridge : {0.7, 0.0}) {
    Problem p = problem(90, 70);
    p.ridge = ridge;
    DualEstimate estimate(p, {.tol = 1e-10});
    const Matrix Y = random_matrix(p.n(), p.k(), 4);
    Matrix u = Matrix::Zero(p.d(), p.c());
    p.map->add_adjoint(Y, -1 / static_cast<double>(p.n()), u);
    const double exact = reference::certify(p, Matrix::Zero(p.d(), p.c()), Y).dual;
    EXPECT_NEAR(estimate.look(Y, u), exact, 1e-8 * std::abs(exact)) << ridge;
    EXPECT_NEAR(estimate.look(Y, DenseOperator(u)), exact, 1e-8 * std::abs(exact)) << ridge;
    EXPECT_GE(estimate.value(), exact) << ridge;  // zero may be better
  }
}

TEST(LowRankBlockStep, IsTheNearestPointOfTheGivenRank) {
  const Problem p = problem(90, 70, 30);
  const Settings settings{.tol = 1e-10};
  pdbfw::Run run(settings, {}, 1);
  BlockStep step(p, settings);
  Adjoint Z(p, 1);
  const Matrix Y = 20 * random_matrix(p.n(), p.k(), 4);
  EXPECT_GT(Z.set(Y), 0);
  const Iterate X(p, {random_factors(5, 90, 70, 2).U, Vector::Zero(2), random_factors(5, 90, 70, 2).V});
  for (const Index s : {Index{1}, Index{3}, Index{70}, Index{3}}) {
    const Factors V = step.nearest({.of_X = 0.5, .of_Z = -2, .s = s, .accuracy = 1e-14}, {X, Z, 0}, run);
    const Matrix centre = -2 * Z.formed();
    const Factors svd = full_spectrum(centre, Spectrum::singular_values);
    Vector values = svd.s.head(s);
    values = reference::nearest_values(values, p.set->radius());
    const Matrix nearest = svd.U.leftCols(s) * values.asDiagonal() * svd.V.leftCols(s).transpose();
    // (1/2, accuracy)-approximate, measured from zero.
    const auto l = [&](const Matrix& M) { return 0.5 * M.squaredNorm() - M.cwiseProduct(centre).sum(); };
    EXPECT_LE(V.rank(), s);
    EXPECT_LE(l(V.dense()), 0.5 * l(nearest) + 1e-13) << s;
    EXPECT_GE(l(V.dense()), l(nearest) - 1e-9 * std::abs(l(nearest))) << s;
  }
}

TEST(LowRankSliding, EndsAtTheProjectedGradientStep) {
  for (const InnerSteps steps : {InnerSteps::classic, InnerSteps::corrective})
    for (const std::string set : {"trace", "psd_trace"}) {
      Problem p = problem(12, 12);
      p.set = make_spectral_set(set, 2);
      const Settings settings{.tol = 1e-10};
      pdbfw::Run run(settings, {}, 1);
      Matrix g = random_matrix(12, 12, 3);
      g = (g + g.transpose()).eval();
      const double beta = 2, tolerance = steps == InnerSteps::classic ? 1e-2 : 1e-9;
      Iterate X(p, p.set->project(Matrix(g * g / 50)));
      const Matrix centre = X.dense() - g / beta;
      Sliding(p, settings, steps).slide({g, beta, tolerance}, X, run);
      // The inner objective is beta-strongly convex.
      const double distance2 = (X.dense() - p.set->project(centre).dense()).squaredNorm();
      EXPECT_LE(beta / 2 * distance2, tolerance) << set;
      EXPECT_LE(p.set->violation(X.factors()), 1e-9) << set;
      EXPECT_GT(run.work().oracle_calls, 0);
    }
}

}  // namespace pieces_test
}  // namespace pdbfw::low_rank
