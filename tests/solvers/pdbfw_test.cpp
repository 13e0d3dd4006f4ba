// Algorithm 1: what an iteration costs, what the theorem promises, and what happens when someone asks for nonsense.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "io/message.hpp"
#include "linalg/products.hpp"
#include "pdbfw/solve.hpp"
#include "support/cases.hpp"
#include "support/judge.hpp"
#include "support/problems.hpp"
#include "support/rates.hpp"

namespace pdbfw {
namespace pdbfw_test {

using test::random_problem;

Problem unit_rows(Index n, Index d, const Formulation& formulation, std::uint64_t seed) {
  Random random(seed);
  reference::DenseMatrix A = test::random_matrix({.n = n, .d = d, .density = 1}, random);
  for (Index i = 0; i < n; ++i) {
    double norm = 0;
    for (Index j = 0; j < d; ++j) norm += A(i, j) * A(i, j);
    for (Index j = 0; j < d; ++j) A(i, j) /= std::sqrt(norm);
  }
  std::vector<double> b = test::random_targets(A, test::takes_labels(formulation), random);
  return make_problem(reference::dense(A), std::move(b), formulation);
}

// The entries of the `count` fullest lines.
double fullest(const Lines& lines, Index count) {
  std::vector<Index> sizes;
  std::visit(
      [&](const auto& own) {
        for (Index i = 0; i < own.count; ++i) sizes.push_back(own[i].size);
      },
      lines);
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  return static_cast<double>(
      std::accumulate(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(count), Index{0}));
}

// No iteration touches more than s columns and k rows of A, and hence, for small blocks, far less than all of it. The
// cost of an iteration is the difference of two rows of the trace; a certificate costs two passes on top.
TEST(Pdbfw, AnIterationCostsItsColumnsAndRowsAndNoMore) {
  constexpr Index s = 3, k = 4;
  for (const double density : {1.0, 0.2})
    for (const std::string steps : {"theory", "adaptive"}) {
      const Problem problem = random_problem({.n = 60, .d = 80, .density = density}, {.radius = 2}, 1);
      const double most = fullest(problem.A->by_column(), s) + fullest(problem.A->by_row(), k);
      const auto all = static_cast<double>(problem.A->nonzeros());
      ASSERT_LE(most, static_cast<double>(s * problem.n() + k * problem.d()));
      ASSERT_LT(most, all / 4);
      const Result result = solve(
          problem,
          {.tol = 1e-12, .solver = "pdbfw", .steps = steps, .block_primal = s, .block_dual = k, .max_iterations = 500});
      ASSERT_GT(result.trace.size(), 100U);
      double largest = 0;
      for (std::size_t t = 1; t < result.trace.size(); ++t) {
        const TracePoint &before = result.trace[t - 1], &now = result.trace[t];
        ASSERT_EQ(now.iteration, before.iteration + 1);
        const double cost = now.multiply_adds - before.multiply_adds - (before.is_certified ? 2 * all : 0);
        EXPECT_LE(cost, most) << steps << ", iteration " << t;
        largest = std::max(largest, cost);
      }
      EXPECT_GT(largest, 0);
    }
}

TEST(Pdbfw, BlocksOfEverySizeWork) {
  const Problem problem = unit_rows(20, 10, {.radius = 2, .ridge = {10, true}}, 3);
  for (const Index s : {5, 10, 1'000})
    for (const Index k : {5, 20, 1'000}) {
      const Result result = solve(
          problem, {.tol = 1e-5, .solver = "pdbfw", .block_primal = s, .block_dual = k, .max_iterations = 50'000});
      test::expect_honest(problem, result, fmt::format("s = {}, k = {}", s, k));
      EXPECT_TRUE(s < 10 || result.status == Status::converged)
          << "s = " << s << ", k = " << k << ": " << result.message;
    }
}

struct Theorem {
  double k_delta;
  double a;  // the gap falls by 1 / (1 + a) at least
};

// With mu = L (a ridge) and alpha = beta (all losses but logistic) the theorem sets
//     k delta = ( 1/(n beta) + 25 R / (2 mu n^2) )^-1
// and shows  Delta_t - Delta_{t-1} <= -a Delta_t.  Its a comes from strong convexity: -D is 1/(n beta)-strongly convex
// (the paper has 1/beta), so  Delta_d <= (n beta / 2) |grad D|^2,  the k largest of n coordinates hold a share k/n of
// the square, and a step of length delta along them gains about delta/2 times it:  (k/n)(2/(n beta))(delta/2) Delta_d,
// of which the proof keeps at least an eighth:  a = k delta / (8 beta n^2).
// That no more can be had is seen where A does not matter: then y_i moves to its optimum by the factor
// 1/(1 + delta/(n beta)), the gap by its square, and with k = n, 1 - 2 delta/(n beta) = 1 - 2 k delta/(beta n^2).
Theorem theorem_of(const Problem& problem) {
  const double mu = problem.regulariser->strong_convexity(), beta = problem.loss->smoothness();
  const auto n = static_cast<double>(problem.n());
  std::vector<double> norms(problem.loss->size());
  squared_norms(problem.A->by_row(), {}, norms);
  const double R = *std::max_element(norms.begin(), norms.end());
  const double k_delta = 1 / (1 / (n * beta) + 25 * R / (2 * mu * n * n));
  return {k_delta, k_delta / (8 * beta * n * n)};
}

using test::measured_rate;

TEST(PdbfwTheory, GapFallsLinearlyAndAtLeastAtTheTheoremsRate) {
  for (const std::string_view loss : loss_names()) {
    if (make_loss({.loss = std::string(loss)})->curvature() == 0) continue;
    for (const std::string_view set : set_names())
      for (const Index k : {10, 5}) {
        const Problem problem = unit_rows(
            10, 5, {.loss = std::string(loss), .set = std::string(set), .radius = 1, .ridge = {0.5, false}}, 2);
        const Theorem theorem = theorem_of(problem);
        const Result result = solve(problem, {.tol = 1e-9, .solver = "pdbfw", .steps = "theory", .block_dual = k});
        const std::string what = fmt::format("{} on {}, k = {}", loss, set, k);
        test::expect_certified(problem, result, what);
        EXPECT_NEAR(*result.settings.eta, 0.5, 1e-15) << what;
        EXPECT_NEAR(*result.settings.delta * static_cast<double>(k), theorem.k_delta, 1e-12 * theorem.k_delta) << what;
        EXPECT_EQ(*result.settings.block_primal, 5) << what;
        const double early = measured_rate(result, 1e-1, 1e-4), late = measured_rate(result, 1e-4, 1e-9);
        EXPECT_GE(early, std::log1p(theorem.a)) << what;
        EXPECT_GE(late, std::log1p(theorem.a)) << what;
        // Linear means that it does not slow down.
        EXPECT_GE(late, 0.3 * early) << what;
      }
  }
}

TEST(PdbfwTheory, StepsOfADiagonalRidgeFollowTheCondition) {
  const Problem problem = unit_rows(
      10, 3, {.loss = "squared", .radius = 1, .ridge = {1, false}, .ridge_scale = std::vector<double>{1, 2, 4}}, 2);
  const Result result = solve(problem, {.solver = "pdbfw", .steps = "theory", .max_iterations = 20});
  EXPECT_DOUBLE_EQ(*result.settings.eta, 1.0 / 8);  // mu / (2 L)
  // k delta = ( L/(mu n beta) + 5 beta R/(2 alpha mu n^2) (1 + 4 L/mu) )^-1 with n = 10, R = 1, L/mu = 4
  EXPECT_NEAR(*result.settings.delta * 10, 1 / (4.0 / 10 + 5.0 / 200 * 17), 1e-9);
}

TEST(PdbfwTheory, RefusesALossThatCurvesNowhereEnough) {
  const Problem problem = unit_rows(5, 3, {.loss = "logistic"}, 1);
  EXPECT_EQ(test::message_of([&] { (void)solve(problem, {.solver = "pdbfw", .steps = "theory"}); }),
            "steps: theory breaks the rule: a loss that is strongly convex where it curves; logistic is not, use "
            "adaptive");
}

TEST(Pdbfw, RefusesARidgeOfZeroUnderEitherRule) {
  const Problem problem = unit_rows(5, 3, {.ridge = {0, false}}, 1);
  for (const std::string steps : {"theory", "adaptive"})
    EXPECT_EQ(test::message_of([&] { (void)solve(problem, {.solver = "pdbfw", .steps = steps}); }),
              "ridge: 0 breaks the rule: > 0 for the solver pdbfw");
}

TEST(Pdbfw, GivenNumbersAreInForceAndReported) {
  const Problem problem = unit_rows(20, 10, {.radius = 2}, 1);
  for (const std::string steps : {"theory", "adaptive"}) {
    const Result result = solve(problem, {.solver = "pdbfw",
                                          .steps = steps,
                                          .block_primal = 4,
                                          .block_dual = 7,
                                          .eta = 0.25,
                                          .delta = 0.125,
                                          .max_iterations = 100});
    EXPECT_EQ(result.settings.block_primal, 4) << steps;
    EXPECT_EQ(result.settings.block_dual, 7) << steps;
    EXPECT_EQ(result.settings.eta, 0.25) << steps;
    EXPECT_EQ(result.settings.delta, 0.125) << steps;
    EXPECT_EQ(result.settings.steps, steps);
  }
}

TEST(Pdbfw, ChosenNumbersAreReportedAndBlocksNeverExceedTheData) {
  const Problem problem = unit_rows(20, 10, {.radius = 2}, 1);
  for (const std::string steps : {"theory", "adaptive"}) {
    const Result chosen = solve(problem, {.solver = "pdbfw", .steps = steps, .max_iterations = 50});
    ASSERT_TRUE(chosen.settings.eta && chosen.settings.delta && chosen.settings.block_primal &&
                chosen.settings.block_dual);
    EXPECT_GT(*chosen.settings.delta, 0);
    const Result huge = solve(
        problem,
        {.solver = "pdbfw", .steps = steps, .block_primal = 1'000'000, .block_dual = 1'000'000, .max_iterations = 5});
    EXPECT_EQ(huge.settings.block_primal, 10);
    EXPECT_EQ(huge.settings.block_dual, 20);
  }
}

// Whatever was asked for: an end, an honest certificate, a status that says so.
TEST(Pdbfw, AbsurdStepsEndHonestly) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names()) {
      const Problem problem =
          unit_rows(15, 8, {.loss = std::string(loss), .set = std::string(set), .radius = 3, .ridge = {0.01, true}}, 2);
      for (const std::string steps : {"theory", "adaptive"}) {
        if (steps == "theory" && problem.loss->curvature() == 0) continue;
        for (const double eta : {1e-300, 1e-9, 1.0})
          for (const double delta : {1e-300, 1e-9, 1e9, 1e300}) {
            const Result result = solve(problem, {.tol = 1e-9,
                                                  .solver = "pdbfw",
                                                  .steps = steps,
                                                  .block_primal = 2,
                                                  .eta = eta,
                                                  .delta = delta,
                                                  .max_iterations = 300});
            const std::string what = fmt::format("{} on {}, {}, eta {}, delta {}", loss, set, steps, eta, delta);
            test::expect_honest(problem, result, what);
            EXPECT_TRUE(std::isfinite(result.certificate.gap)) << what;
          }
      }
    }
}

TEST(PdbfwAdaptive, NeedsFarFewerIterationsThanTheory) {
  const Problem problem = unit_rows(200, 50, {.radius = 5}, 4);
  const Result adaptive = solve(problem, {.tol = 1e-4, .solver = "pdbfw", .max_iterations = 20'000});
  const Result theory = solve(problem, {.tol = 1e-4, .solver = "pdbfw", .steps = "theory", .max_iterations = 20'000});
  EXPECT_EQ(adaptive.status, Status::converged);
  EXPECT_LT(10 * adaptive.work.iterations, theory.work.iterations);
}

}  // namespace pdbfw_test
}  // namespace pdbfw
