// The solver splitting: optima solved by hand, every loss on both sets, and problems that it must refuse.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "apps/low_rank_registry.hpp"
#include "base/random.hpp"
#include "low_rank/solvers.hpp"
#include "pdbfw/low_rank.hpp"
#include "support/matrices.hpp"

namespace pdbfw::low_rank {
namespace splitting_test {

using test::random_matrix;

MatrixPtr stored(const Matrix& A) {
  return own_dense_rows<double>(A.rows(), A.cols(), {A.data(), A.data() + A.size()});
}

// Targets of whatever kind the loss takes, explained by a matrix of rank 2 up to noise.
Matrix targets(const Matrix& A, Index c, RowTargetKind kind, Random& random) {
  const Matrix truth = random_matrix(A.cols(), 2, random) * random_matrix(2, c, random);
  const Matrix W = A * truth + 0.3 * random_matrix(A.rows(), c, random);
  if (kind == RowTargetKind::numbers) return W;
  if (kind == RowTargetKind::signs) return W.unaryExpr([](double w) { return w > 0 ? 1.0 : -1.0; });
  Matrix classes(A.rows(), 1);
  for (Index i = 0; i < A.rows(); ++i) {
    Index largest = 0;
    W.row(i).maxCoeff(&largest);
    classes(i, 0) = static_cast<double>(largest);
  }
  return classes;
}

Problem random_problem(const Matrix& A, Index c, const Formulation& formulation, std::uint64_t seed) {
  Random random(seed);
  Matrix B = targets(A, c, make_row_loss(formulation)->target_kind(), random);
  return make_problem(rows_map(stored(A), c), std::move(B), formulation);
}

// Columns of sizes 1 .. 1e-3: ill-conditioned.
Matrix uneven_matrix(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  Matrix A = random_matrix(rows, columns, random);
  for (Index j = 0; j < columns; ++j)
    A.col(j) *= std::pow(10.0, -3.0 * static_cast<double>(j) / static_cast<double>(std::max<Index>(1, columns - 1)));
  return A;
}

Result solved(const Problem& problem, double tol, const Start& start = {}) {
  return solve(problem, {.tol = tol, .solver = "splitting", .max_iterations = 3000}, {}, start);
}

void expect_certified(const Problem& problem, const Result& result, const std::string& what) {
  EXPECT_EQ(result.status, Status::converged) << what << ": " << result.message;
  EXPECT_EQ(result.solver, "splitting") << what;
  const Certificate again = certify(problem, result.X, result.Y);
  EXPECT_LE(again.relative_gap, result.settings.tol * 1.1 + 1e-12) << what;
  EXPECT_LE(again.violation, 1e-9 * problem.set->radius()) << what;
  EXPECT_NEAR(again.primal, result.certificate.primal, 1e-10 * std::abs(again.primal)) << what;
}

// A = I, B = diag(3, 1), ridge 0, n = 2: the nearest point of the ball. Radius 2 projects (3, 1) to (2, 0), so
// P* = (1^2 + 1^2) / 4 = 1/2; radius 3 to (2.5, 0.5), P* = (1/4 + 1/4) / 4 = 1/8; radius 5 leaves B, P* = 0.
TEST(Splitting, ProjectsWhereAIsTheIdentity) {
  const Matrix I = Matrix::Identity(2, 2);
  const Matrix B{{3.0, 0.0}, {0.0, 1.0}};
  const auto problem = [&](double radius, double ridge) {
    return make_problem(rows_map(stored(I), 2), B,
                        {.loss = "squared", .set = "trace", .radius = radius, .ridge = {ridge, false}});
  };
  EXPECT_NEAR(solved(problem(2, 0), 1e-9).certificate.primal, 0.5, 1e-8);
  EXPECT_NEAR(solved(problem(3, 0), 1e-9).certificate.primal, 0.125, 1e-8);
  EXPECT_NEAR(solved(problem(5, 0), 1e-9).certificate.primal, 0, 1e-8);
  const Result two = solved(problem(2, 0), 1e-9);
  EXPECT_EQ(two.X.rank(), 1);
  EXPECT_LE((two.X.dense() - Matrix{{2.0, 0.0}, {0.0, 0.0}}).norm(), 1e-4);
  // With ridge 1/2 P = |X - B|^2/4 + |X|^2/4 is least at B/2 = diag(1.5, 0.5), which a radius of 2 just allows.
  const Result half = solved(problem(2, 0.5), 1e-9);
  EXPECT_NEAR(half.certificate.primal, 2 * (2.25 + 0.25) / 4, 1e-8);
  EXPECT_LE((half.X.dense() - B / 2).norm(), 1e-4);
}

// B is not positive: the nearest positive semidefinite matrix of trace <= 2 to diag(3, -1) is diag(2, 0).
TEST(Splitting, ProjectsOntoPositiveMatrices) {
  const Problem problem = make_problem(rows_map(stored(Matrix::Identity(2, 2)), 2), Matrix{{3.0, 0.0}, {0.0, -1.0}},
                                       {.loss = "squared", .set = "psd_trace", .radius = 2, .ridge = {0, false}});
  const Result result = solved(problem, 1e-9);
  expect_certified(problem, result, "psd");
  EXPECT_NEAR(result.certificate.primal, (1.0 + 1.0) / 4, 1e-8);
}

TEST(Splitting, ReachesTheToleranceForEveryLossAndSet) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names())
      for (const double radius : {0.5, 5.0, 500.0})
        for (const double ridge : {1.0, 0.01, 0.0}) {
          // Separable data and no ridge: the optimum is near zero, at the end of a long valley.
          if (ridge == 0 && radius > 100) continue;
          const Index d = 6, c = set == "psd_trace" ? d : 4;
          const Problem problem = random_problem(
              uneven_matrix(30, d, 7), c,
              {.loss = std::string(loss), .set = std::string(set), .radius = radius, .ridge = {ridge, true}}, 11);
          const double tol = ridge > 0 ? 1e-6 : 1e-4;
          expect_certified(problem, solved(problem, tol),
                           fmt::format("{} on {}, radius {}, ridge {}/n", loss, set, radius, ridge));
        }
}

TEST(Splitting, TakesWideDataAndOneColumnAndOneSample) {
  for (const auto& [n, d, c] :
       std::vector<std::array<Index, 3>>{{8, 30, 5}, {20, 5, 1}, {1, 4, 3}, {6, 1, 2}, {1, 1, 1}})
    for (const double radius : {0.3, 30.0}) {
      const Problem problem = random_problem(
          uneven_matrix(n, d, 3), c, {.loss = "squared", .set = "trace", .radius = radius, .ridge = {0.1, true}}, 5);
      expect_certified(problem, solved(problem, 1e-7), fmt::format("{} x {} x {}, radius {}", n, d, c, radius));
    }
}

// X -> A X on positive matrices where A has fewer rows than columns: X is not kept in the space of A's rows.
TEST(Splitting, TakesWideDataOnPositiveMatrices) {
  const Problem problem = random_problem(uneven_matrix(5, 9, 3), 9,
                                         {.loss = "squared", .set = "psd_trace", .radius = 2, .ridge = {0.1, true}}, 5);
  expect_certified(problem, solved(problem, 1e-7), "wide, psd");
}

// The paper's kind of data, small: uniform with a column of ones.
TEST(Splitting, NeedsFewIterationsWhereAIsIllConditioned) {
  Random random(1);
  Matrix A(120, 80);
  for (double& value : A.reshaped()) value = random.uniform();
  A.col(0).setOnes();
  for (const double radius : {20.0, 200.0, 2000.0}) {
    const Problem problem =
        random_problem(A, 60, {.loss = "squared", .set = "trace", .radius = radius, .ridge = {5, true}}, 2);
    const Result result = solved(problem, 1e-6);
    expect_certified(problem, result, fmt::format("radius {}", radius));
    EXPECT_LE(result.work.iterations, 100) << radius;
  }
}

TEST(Splitting, TakesTargetsOfZero) {
  const Problem problem = make_problem(rows_map(stored(uneven_matrix(9, 4, 1)), 3), Matrix::Zero(9, 3),
                                       {.loss = "squared", .set = "trace", .radius = 1});
  const Result result = solved(problem, 1e-6);
  expect_certified(problem, result, "zero");
  EXPECT_EQ(result.certificate.primal, 0);
}

TEST(Splitting, TakesDataOfZeros) {
  Random random(4);
  const Problem problem = make_problem(rows_map(stored(Matrix::Zero(9, 4)), 3), random_matrix(9, 3, random),
                                       {.loss = "squared", .set = "trace", .radius = 1, .ridge = {0, false}});
  expect_certified(problem, solved(problem, 1e-6), "A = 0");
}

TEST(Splitting, StartedAtItsOwnSolutionHasLittleToDo) {
  for (const std::string loss : {"squared", "multilabel_logistic"}) {
    const Problem problem = random_problem(uneven_matrix(40, 10, 3), 6,
                                           {.loss = loss, .set = "trace", .radius = 3, .ridge = {0.1, true}}, 5);
    const Result cold = solved(problem, 1e-8);
    const Result warm = solved(problem, 1e-8, {cold.X, cold.Y});
    expect_certified(problem, warm, loss);
    EXPECT_LE(warm.work.iterations, 1 + cold.work.iterations / 4) << loss;
  }
}

TEST(Splitting, GivesTheSameBitsAgainAndOnAnyNumberOfThreads) {
  const Problem problem =
      random_problem(uneven_matrix(200, 70, 3), 50,
                     {.loss = "multilabel_smooth_hinge", .set = "trace", .radius = 30, .ridge = {0.1, true}}, 5);
  const auto run = [&](int threads) {
    return solve(problem, {.tol = 1e-5, .solver = "splitting", .max_iterations = 20, .threads = threads});
  };
  const Result one = run(1), again = run(1), four = run(4);
  EXPECT_EQ(one.certificate.primal, again.certificate.primal);
  EXPECT_EQ(one.certificate.dual, again.certificate.dual);
  EXPECT_EQ(one.Y, again.Y);
  EXPECT_EQ(one.certificate.primal, four.certificate.primal);
  EXPECT_EQ(one.Y, four.Y);
}

TEST(Splitting, RefusesOtherMapsAndLargeData) {
  const Problem entries = make_problem(entries_map(3, 3, {0, 1}, {1, 2}), Matrix::Ones(2, 1),
                                       {.loss = "squared", .set = "trace", .radius = 1});
  EXPECT_FALSE(splitting_applies(entries));
  try {
    static_cast<void>(solved(entries, 1e-4));
    FAIL() << "entries of X were taken";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "solver: splitting breaks the rule: only for rows of A times X, at most 3000 rows or columns of A, "
                 "matrices of at most 5e+07 numbers");
  }
  std::vector<Index> offsets(3002);
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = static_cast<Index>(i);
  std::vector<std::int32_t> at(3001);
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = static_cast<std::int32_t>(i);
  const auto large = own_csr<double, std::int32_t>(3001, 3001, offsets, at, std::vector<double>(3001, 1.0));
  EXPECT_FALSE(splitting_applies(
      make_problem(rows_map(large, 1), Matrix::Ones(3001, 1), {.loss = "squared", .set = "trace", .radius = 1})));
}

}  // namespace splitting_test
}  // namespace pdbfw::low_rank
