// Algorithm 2: its four numbers, its products, what it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "apps/low_rank_registry.hpp"
#include "core/spectral_set.hpp"
#include "io/message.hpp"
#include "linalg/orthonormal.hpp"
#include "reference/low_rank_judge.hpp"
#include "support/low_rank_problems.hpp"
#include "support/maps.hpp"

namespace pdbfw::low_rank {
namespace pdbfw_test {

// B = A X_0 with X_0 of rank 20, so that the optimum has more than the first rank that is tried.
Problem rank_problem() {
  const MatrixPtr A = test::gaussian_rows(120, 40, 2);
  const MapPtr map = rows_map(A, 30);
  Factors X = orthonormal(test::random_factors(3, 40, 30, 20), Spectrum::singular_values);
  X.s.setOnes();
  Matrix B;
  map->apply(X, B);
  return make_problem(map, B, {.loss = "squared", .set = "trace", .radius = 18, .ridge = {5, true}});
}

TEST(LowRankPdbfw, IsNotStuckAtARankThatIsTooSmall) {
  const Problem p = rank_problem();
  const Result free = solve(p, {.tol = 1e-4, .solver = "pdbfw"});
  EXPECT_EQ(free.status, Status::converged) << free.message;
  EXPECT_GT(free.X.rank(), 8);
  EXPECT_GT(*free.settings.block_primal, 8);
  const Result bound = solve(p, {.tol = 1e-4, .solver = "pdbfw", .block_primal = 4, .max_iterations = 100});
  EXPECT_NE(bound.status, Status::converged);
  EXPECT_EQ(bound.settings.block_primal, 4);
}

TEST(LowRankPdbfw, ConvergesWithEveryRuleForItsRows) {
  const Problem p = rank_problem();
  for (const std::string rule : {"gs_r", "random", "cyclic", "full"}) {
    const Result result = solve(p, {.tol = 1e-4, .solver = "pdbfw", .block_dual = 30, .block_rule = rule});
    EXPECT_EQ(result.status, Status::converged) << rule << ": " << result.message;
    EXPECT_EQ(result.settings.block_dual, 30);
  }
}

// W and Z are kept by sums of changes; the estimate that is made of them stays that of the data.
TEST(LowRankPdbfw, ProductsDoNotDrift) {
  const Problem p = rank_problem();
  for (const std::string steps : {"adaptive", "theory"}) {
    const Settings settings{.tol = 1e-14, .solver = "pdbfw", .steps = steps, .block_dual = 40};
    const auto engine = find_solver("pdbfw").make_engine(p, settings, {});
    pdbfw::Run run(settings, {}, 1);
    for (int t = 0; t < 60; ++t) engine->iterate(run);
    const Estimate estimate = engine->estimate();
    const Point point = engine->point();
    const Certificate exact = reference::certify(p, point.X.dense(), point.Y);
    EXPECT_NEAR(estimate.primal, exact.primal, 1e-11 * exact.primal) << steps;
    EXPECT_NEAR(estimate.dual, exact.dual, 1e-6 * exact.primal) << steps;
  }
}

TEST(LowRankPdbfw, RefusesWhatItCannotTake) {
  Problem p = rank_problem();
  p.ridge = 0;
  EXPECT_EQ(test::message_of([&] { (void)solve(p, {.solver = "pdbfw"}); }),
            "ridge: 0 breaks the rule: > 0 for the solver pdbfw");
  EXPECT_EQ(test::message_of([&] { (void)solve(p, {.solver = "storc"}); }),
            "ridge: 0 breaks the rule: > 0 for the solver storc");
  EXPECT_EQ(test::message_of([&] { (void)solve(p, {.solver = "block_fw", .steps = "theory"}); }),
            "ridge: 0 breaks the rule: > 0 for the solver block_fw with theory's steps; use adaptive");
  const Problem soft =
      test::random_low_rank_problem(rows_map(test::gaussian_rows(9, 4, 1), 3), {.loss = "softmax", .set = "trace"}, 1);
  EXPECT_EQ(
      test::message_of([&] { (void)solve(soft, {.solver = "pdbfw", .steps = "theory"}); }),
      "steps: theory breaks the rule: a loss that is strongly convex where it curves; softmax is not, use adaptive");
}

}  // namespace pdbfw_test
}  // namespace pdbfw::low_rank
