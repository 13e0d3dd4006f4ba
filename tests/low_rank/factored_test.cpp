// The solver factored: optima known by hand or by construction for every map, both of its steps alone, and its
// promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "apps/low_rank_registry.hpp"
#include "base/random.hpp"
#include "core/spectral_set.hpp"
#include "linalg/orthonormal.hpp"
#include "low_rank/factor_newton.hpp"
#include "low_rank/solvers.hpp"
#include "low_rank/subspace_step.hpp"
#include "pdbfw/low_rank.hpp"
#include "support/maps.hpp"

namespace pdbfw::low_rank {
namespace factored_test {

using test::random_matrix;

MatrixPtr stored(const Matrix& A) {
  return own_dense_rows<double>(A.rows(), A.cols(), {A.data(), A.data() + A.size()});
}

Settings settings(double tol) { return {.tol = tol, .solver = "factored", .max_iterations = 2000}; }

void expect_certified(const Problem& problem, const Result& result, const std::string& what) {
  EXPECT_EQ(result.status, Status::converged) << what << ": " << result.message;
  EXPECT_EQ(result.solver, "factored") << what;
  const Certificate again = certify(problem, result.X, result.Y);
  EXPECT_LE(again.relative_gap, result.settings.tol * 1.1 + 1e-12) << what;
  EXPECT_LE(again.violation, 1e-9 * problem.set->radius()) << what;
  EXPECT_NEAR(again.primal, result.certificate.primal, 1e-10 * std::abs(again.primal) + 1e-20) << what;
}

// All pairs of a d x c matrix, observed once each.
MapPtr all_entries(Index d, Index c) {
  std::vector<Index> row, column;
  for (Index i = 0; i < d; ++i)
    for (Index j = 0; j < c; ++j) {
      row.push_back(i);
      column.push_back(j);
    }
  return entries_map(d, c, row, column);
}

double distance(const Factors& X, const Matrix& M) { return (X.dense() - M).norm() / M.norm(); }

// Where everything is observed, P(X) = |X - B|^2 / (2 n), and the solution is the nearest point of the ball to B.
TEST(Factored, ProjectsWhereAllEntriesAreObserved) {
  const Matrix B = random_matrix(14, 9, 1);
  const Factors spectrum = full_spectrum(B, Spectrum::singular_values);
  for (const double share : {0.1, 0.5, 0.9}) {
    const double radius = share * spectrum.s.sum();
    const Problem problem = make_problem(all_entries(14, 9), Matrix(B.reshaped<Eigen::RowMajor>()),
                                         {.loss = "squared", .set = "trace", .radius = radius, .ridge = {0, false}});
    const Result result = solve(problem, settings(1e-8));
    expect_certified(problem, result, std::to_string(share));
    EXPECT_LE(distance(result.X, problem.set->project(B).dense()), 1e-4) << share;
  }
}

// With a ball so large that it does not matter, |X - B|^2 / (2 n) + (ridge/2) |X|^2 is least at X = B / (1 + n ridge).
TEST(Factored, ShrinksInsideTheBall) {
  const Matrix B = random_matrix(8, 11, 2);
  const Problem problem = make_problem(all_entries(8, 11), Matrix(B.reshaped<Eigen::RowMajor>()),
                                       {.loss = "squared", .set = "trace", .radius = 1e3, .ridge = {3, true}});
  const Result result = solve(problem, settings(1e-9));
  expect_certified(problem, result, "slack");
  EXPECT_LE(distance(result.X, B / 4), 1e-4);
}

// Problems made backwards: X* of rank 2 on the border of the ball, and targets whose residual is A*-dual to it. Without
// noise the residual is 0, every sample says what X* says, and there are enough of them for it to be the only answer.
TEST(Factored, RecoversTheTruthForEveryMap) {
  const Index d = 10, c = 8, rank = 2;
  const Index n = 3 * rank * (d + c - rank);
  const Matrix U = random_matrix(d, rank, 3), V = random_matrix(c, rank, 4);
  const Factors truth = orthonormal({U, Vector::Ones(rank), V}, Spectrum::singular_values);
  std::vector<Index> row, column;
  Random random(5);
  for (Index i = 0; i < d; ++i)
    for (Index j = 0; j < c; ++j)
      if (random.uniform() < 0.85) {
        row.push_back(i);
        column.push_back(j);
      }
  const std::vector<MapPtr> maps{rows_map(stored(random_matrix(30, d, 6)), c), entries_map(d, c, row, column),
                                 products_map(stored(random_matrix(n, d * c, 7)), d, c),
                                 rank_one_map(stored(random_matrix(n, d, 8)), stored(random_matrix(n, c, 9)))};
  for (const MapPtr& map : maps) {
    const std::string what(map->name());
    Matrix B;
    map->apply(truth, B);
    const Problem problem =
        make_problem(map, B, {.loss = "squared", .set = "trace", .radius = truth.trace_norm(), .ridge = {0, false}});
    const Result result = solve(problem, settings(1e-6));
    expect_certified(problem, result, what);
    EXPECT_LE(distance(result.X, truth.dense()), 1e-6) << what;
  }
}

// Phase retrieval by lifting, with real and with complex measurements: x up to its sign, for any radius that is not too
// small.
TEST(Factored, RecoversASignalFromIntensities) {
  const Index d = 16, n = 6 * d;
  Matrix x = random_matrix(d, 1, 10);
  x /= x.norm();
  for (const Index group : {1, 2})
    for (const double radius : {1.0, 1.5}) {
      const MapPtr map = quadratic_map(stored(random_matrix(n * group, d, 11)), group);
      Matrix B;
      map->apply(Factors{x, Vector::Ones(1), x}, B);
      const Problem problem =
          make_problem(map, B, {.loss = "squared", .set = "psd_trace", .radius = radius, .ridge = {0, false}});
      const Result result = solve(problem, settings(1e-6));
      const std::string what = std::to_string(group) + " " + std::to_string(radius);
      expect_certified(problem, result, what);
      const Matrix found = result.X.U.col(0) * std::sqrt(result.X.s[0]);
      EXPECT_LE(std::min((found - x).norm(), (found + x).norm()), 1e-6) << what;
    }
}

// Where C is symmetric and A*(Y) is not, only its symmetric part matters: the nearest point of C to B is that to
// (B + B')/2.
TEST(Factored, SeesTheSymmetricPartOnly) {
  const Matrix B = random_matrix(12, 12, 20);
  const Problem problem = make_problem(all_entries(12, 12), Matrix(B.reshaped<Eigen::RowMajor>()),
                                       {.loss = "squared", .set = "psd_trace", .radius = 5, .ridge = {0, false}});
  const Result result = solve(problem, settings(1e-8));
  expect_certified(problem, result, "symmetric part");
  EXPECT_LE(distance(result.X, problem.set->project(Matrix(0.5 * (B + B.transpose()))).dense()), 1e-4);
}

TEST(Factored, CertifiesEveryLossOnEverySet) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names())
      for (const double ridge : {0.0, 1.0}) {
        const bool is_square = set == "psd_trace";
        const Index d = 7, c = is_square ? 7 : 5;
        const Formulation formulation{
            .loss = std::string(loss), .set = std::string(set), .radius = 2, .ridge = {ridge, true}};
        const RowTargetKind kind = make_row_loss(formulation)->target_kind();
        // A symmetric problem needs a symmetric map; it has one output.
        const MapPtr map =
            is_square ? quadratic_map(stored(random_matrix(40, d, 12))) : rows_map(stored(random_matrix(40, d, 13)), c);
        if (is_square && kind == RowTargetKind::classes) continue;
        Matrix B = random_matrix(40, map->outputs(), 14);
        if (kind == RowTargetKind::signs) B = B.unaryExpr([](double b) { return b > 0 ? 1.0 : -1.0; });
        if (kind == RowTargetKind::classes) {
          B.resize(40, 1);
          for (Index i = 0; i < 40; ++i) B(i, 0) = static_cast<double>(i % c);
        }
        const Problem problem = make_problem(map, B, formulation);
        expect_certified(problem, solve(problem, settings(1e-5)), std::string(loss) + " " + std::string(set));
      }
}

// A completion problem with noise, whose solution has low rank but is not known beforehand.
Problem noisy_completion(Index d, Index c, double share) {
  Random random(15);
  const Factors truth = test::random_factors(16, d, c, 3);
  std::vector<Index> row, column;
  for (Index i = 0; i < d; ++i)
    for (Index j = 0; j < c; ++j)
      if (random.uniform() < 0.4) {
        row.push_back(i);
        column.push_back(j);
      }
  const MapPtr map = entries_map(d, c, row, column);
  Matrix B;
  map->apply(truth, B);
  for (double& b : B.reshaped()) b += 0.1 * random.normal();
  return make_problem(map, B,
                      {.loss = "squared",
                       .set = "trace",
                       .radius = share * orthonormal(truth, Spectrum::singular_values).trace_norm(),
                       .ridge = {0, false}});
}

TEST(Factored, AccurateSolutionsAreCheap) {
  const Problem problem = noisy_completion(60, 50, 0.8);
  const Result result = solve(problem, settings(1e-9));
  expect_certified(problem, result, "completion");
  EXPECT_LE(result.X.rank(), 6);
}

TEST(Factored, SameBitsForTheSameSeedAndAnyNumberOfThreads) {
  const Problem problem = noisy_completion(40, 30, 0.8);
  Settings two = settings(1e-6);
  two.threads = 2;
  const Result a = solve(problem, settings(1e-6)), b = solve(problem, two);
  EXPECT_EQ(a.X.s, b.X.s);
  EXPECT_EQ(a.X.U, b.X.U);
  EXPECT_EQ(a.work.iterations, b.work.iterations);
}

TEST(Factored, NothingIsLeftToDoAtTheSolution) {
  const Problem problem = noisy_completion(40, 30, 0.8);
  const Result cold = solve(problem, settings(1e-8));
  const Result warm = solve(problem, settings(1e-6), {}, {cold.X, cold.Y});
  expect_certified(problem, warm, "warm");
  EXPECT_LE(warm.work.iterations, 2);
}

// A point where it may stop at any time lies in the set.
TEST(Factored, EndsInsideTheSetWhereverItIsStopped) {
  const Problem problem = noisy_completion(40, 30, 0.8);
  for (const Index iterations : {1, 3, 8, 9, 10, 11}) {
    Settings few = settings(1e-15);
    few.max_iterations = iterations;
    const Result result = solve(problem, few);
    EXPECT_EQ(result.status, Status::iteration_limit) << iterations;
    EXPECT_LE(problem.set->violation(result.X), 1e-9 * problem.set->radius()) << iterations;
  }
}

FactoredPoint zero_point(const Problem& problem) {
  return evaluated(problem, Factors::zero(problem.d(), problem.c()), 1);
}

// A subspace as wide as the matrix hides nothing: the first step is Proj_C( -grad P(0) / L ). The L that it took shows
// in the distance of the first two singular values.                                                            [M36]
TEST(SubspaceStep, IsTheProjectedGradientWhereTheSubspaceIsWhole) {
  const Matrix A = random_matrix(30, 9, 17);
  const Matrix B = random_matrix(30, 6, 18);
  const Problem problem =
      make_problem(rows_map(stored(A), 6), B, {.loss = "squared", .set = "trace", .radius = 0.5, .ridge = {0, false}});
  FactoredPoint x = zero_point(problem);
  const Settings chosen = settings(1e-6);
  pdbfw::Run run(chosen, {}, 1);
  const Adjoints adjoints(problem);
  SubspaceStep(problem, adjoints, chosen, x).move(x, run);
  const Matrix u = A.transpose() * B / 30;
  const Vector s = full_spectrum(u, Spectrum::singular_values).s;
  ASSERT_GE(x.X.rank(), 2);
  const double L = (s[0] - s[1]) / (x.X.s[0] - x.X.s[1]);
  EXPECT_LE(L, problem.map->squared_norm() / 30 * 1.001);
  EXPECT_LE(distance(x.X, problem.set->project(Matrix(u / L)).dense()), 1e-9);
}

TEST(SubspaceStep, LowersTheObjectiveWithoutMomentum) {
  const Problem problem = noisy_completion(60, 50, 1);
  FactoredPoint x = zero_point(problem);
  const Settings chosen = settings(1e-6);
  pdbfw::Run run(chosen, {}, 1);
  const Adjoints adjoints(problem);
  SubspaceStep step(problem, adjoints, chosen, x);
  for (int k = 0; k < 30; ++k) {
    const double before = x.value;
    step.restart();
    step.move(x, run);
    EXPECT_LE(x.value, before * (1 + 1e-12)) << k;
  }
}

// From a point near the solution of the right rank, Newton's steps end at the solution to rounding.             [M37]
TEST(FactorNewton, ConvergesToRounding) {
  for (const double share : {0.7, 50.0}) {  // on the border of the ball and inside it
    Problem problem = noisy_completion(40, 30, share);
    if (share > 1) problem.ridge = 1e-3;
    const Result known = solve(problem, settings(1e-10));
    expect_certified(problem, known, "known");
    // X of the ball, moved away by a tenth at the same rank.
    Factors X = known.X;
    X.U += 0.02 * random_matrix(X.rows(), X.rank(), 19);
    X = orthonormal(X, Spectrum::singular_values);
    X.s *= std::min(1.0, 0.9 * problem.set->radius() / X.trace_norm());
    const Settings chosen = settings(1e-6);
    pdbfw::Run run(chosen, {}, 1);
    const Adjoints adjoints(problem);
    FactorNewton newton(problem, adjoints, 1);
    newton.begin(evaluated(problem, X, 1), run);
    int moves = 0;
    while (newton.move(run) != FactorNewton::Outcome::solved && moves < 60) ++moves;
    EXPECT_LT(moves, 60) << share;
    EXPECT_LE(newton.value(), known.certificate.primal * (1 + 1e-9)) << share;
    EXPECT_GE(newton.value(), known.certificate.dual * (1 - 1e-9)) << share;
    EXPECT_LE(problem.set->violation(newton.point().X), 1e-9 * problem.set->radius()) << share;
  }
}

}  // namespace factored_test
}  // namespace pdbfw::low_rank
