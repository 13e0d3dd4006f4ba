// A solve that begins where another one ended: the same optimum, less work, and no harm from a bad start.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/judge.hpp"
#include "io/message.hpp"
#include "pdbfw/solve.hpp"
#include "support/cases.hpp"
#include "support/judge.hpp"
#include "support/problems.hpp"
#include "support/solvers.hpp"

namespace pdbfw {
namespace warm_start_test {

using test::expect_certified;
using test::expect_honest;
using test::fair;
using test::needs_ridge;
using test::random_problem;
using test::Shape;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Rows of about unit length, as in text.
Shape unit_rows(Index n, Index d) { return {.n = n, .d = d, .scale = 1 / std::sqrt(0.5 * static_cast<double>(d))}; }

Start start_of(const Result& result) { return {result.x, result.y, result.multiplier}; }

TEST(WarmStart, AtTheOptimumThereIsAlmostNothingToDo) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names())
      for (const std::string_view solver : solver_names()) {
        const std::string what = fmt::format("{} on {}, {}", loss, set, solver);
        const Problem problem =
            random_problem(unit_rows(30, 20), {.loss = std::string(loss), .set = std::string(set), .radius = 2}, 3);
        const Result last = solve(problem, {.tol = 1e-9});
        const Result again =
            solve(problem, {.tol = fair(solver, 1e-6), .solver = std::string(solver)}, {}, start_of(last));
        expect_certified(problem, again, what);
        EXPECT_LE(again.work.iterations, 1) << what;
      }
}

TEST(WarmStart, FromAnotherRadiusOrRidgeItReachesTheSameOptimum) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names())
      for (const std::string_view solver : solver_names()) {
        const auto problem_of = [&](double radius, double ridge) {
          return random_problem(
              unit_rows(25, 15),
              {.loss = std::string(loss), .set = std::string(set), .radius = radius, .ridge = {ridge, true}}, 8);
        };
        const Settings settings{.tol = fair(solver, 1e-6), .solver = std::string(solver)};
        const Problem problem = problem_of(2, 1);
        const double optimum = solve(problem, settings).certificate.primal;
        for (const auto& [radius, ridge] : {std::pair{0.3, 1.0}, {20.0, 1.0}, {2.0, 0.1}, {2.0, 30.0}}) {
          const std::string what = fmt::format("{} on {}, {}, from {}, {}/n", loss, set, solver, radius, ridge);
          const Result result = solve(problem, settings, {}, start_of(solve(problem_of(radius, ridge), settings)));
          expect_certified(problem, result, what);
          EXPECT_NEAR(result.certificate.primal, optimum, 2 * fair(solver, 1e-6) * optimum) << what;
        }
      }
}

TEST(WarmStart, HalfAStartIsAStart) {
  const Problem problem = random_problem(unit_rows(30, 20), {.radius = 2}, 5);
  const Result last = solve(problem, {.tol = 1e-8});
  for (const std::string_view solver : solver_names())
    for (const Start& half :
         {Start{.x = last.x}, Start{.y = last.y}, Start{.multiplier = last.multiplier}, Start{.multiplier = 1e300},
          Start{.multiplier = -1e300}, Start{.x = std::vector<double>(20)}, Start{.y = std::vector<double>(30)}})
      expect_certified(problem, solve(problem, {.tol = fair(solver, 1e-6), .solver = std::string(solver)}, {}, half),
                       std::string(solver));
}

TEST(WarmStart, WithoutARidgeItReachesTheSameOptimum) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names())
      for (const std::string_view solver : solver_names()) {
        if (needs_ridge(solver)) continue;
        const std::string what = fmt::format("{} on {}, {}", loss, set, solver);
        const auto problem_of = [&](double radius) {
          return random_problem(
              unit_rows(25, 10),
              {.loss = std::string(loss), .set = std::string(set), .radius = radius, .ridge = {0, false}}, 2);
        };
        const Settings settings{.tol = fair(solver, 1e-6), .solver = std::string(solver)};
        const Problem problem = problem_of(1.5);
        const Result result = solve(problem, settings, {}, start_of(solve(problem_of(2.5), settings)));
        expect_certified(problem, result, what);
        EXPECT_NEAR(result.certificate.primal, solve(problem, settings).certificate.primal,
                    2 * fair(solver, 1e-6) * result.certificate.primal)
            << what;
      }
}

TEST(WarmStart, IsTakenIntoTheSetAndTheDomain) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names())
      for (const double size : {1e2, 1e8, 1e150, 1e300}) {
        const Problem problem =
            random_problem(unit_rows(20, 12), {.loss = std::string(loss), .set = std::string(set), .radius = 2}, 4);
        Random random(1);
        Start far{.x = test::random_vector(12, random), .y = test::random_vector(20, random)};
        for (double& x_j : far.x) x_j *= size;
        for (double& y_i : far.y) y_i *= size;
        for (const std::string_view solver : solver_names()) {
          const std::string what = fmt::format("{} on {}, {}, size {}", loss, set, solver, size);
          const Result none = solve(problem, {.solver = std::string(solver), .max_iterations = 0}, {}, far);
          expect_honest(problem, none, what);
          expect_certified(problem, solve(problem, {.tol = fair(solver, 1e-6), .solver = std::string(solver)}, {}, far),
                           what);
        }
      }
}

// The objective may overflow at the start where it does not at zero.
TEST(WarmStart, IsHonestOnHugeData) {
  for (const std::string_view loss : loss_names())
    for (const double scale : {1e100, 1e160, 1e300}) {
      const Problem problem =
          random_problem({.n = 8, .d = 5, .scale = scale}, {.loss = std::string(loss), .radius = 2}, 7);
      if (!std::isfinite(problem.loss->total_value(std::vector<double>(8)))) continue;
      for (const std::string_view solver : solver_names()) {
        const Start far{.x = {1, -1, 0, 0, 0}, .y = std::vector<double>(8, 1e10)};
        const Result result = solve(problem, {.solver = std::string(solver), .max_iterations = 100}, {}, far);
        expect_honest(problem, result, fmt::format("{}, {}, scale {}", loss, solver, scale));
      }
    }
}

// Where the conjugate has no bounds, the sweeps would never get rid of the rounding of a huge y.
TEST(WarmStart, AYThatIsWorseThanZeroIsNotUsed) {
  for (const std::string_view set : set_names()) {
    const Problem problem =
        random_problem(unit_rows(300, 200), {.loss = "squared_hinge", .set = std::string(set), .radius = 5}, 4);
    const Settings settings{.tol = 1e-6, .solver = "sequential"};
    const Result cold = solve(problem, settings);
    for (const double size : {1e2, 1e8, 1e300}) {
      const Result warm = solve(problem, settings, {}, {.y = std::vector<double>(300, size)});
      expect_certified(problem, warm, fmt::format("{}, size {}", set, size));
      EXPECT_EQ(warm.x, cold.x) << set << ", size " << size;
    }
  }
}

TEST(WarmStart, OnManyRows) {
  const auto problem_of = [](double radius) {
    return random_problem({.n = 2'500, .d = 150, .density = 0.1, .scale = 0.3}, {.radius = radius}, 7);
  };
  const Problem problem = problem_of(5);
  const Start start = start_of(solve(problem_of(7), {.tol = 1e-5}));
  for (const std::string_view solver : solver_names()) {
    const Settings settings{.tol = fair(solver, 1e-5), .solver = std::string(solver)};
    const Result cold = solve(problem, settings), warm = solve(problem, settings, {}, start);
    expect_certified(problem, warm, std::string(solver));
    EXPECT_NEAR(warm.certificate.primal, cold.certificate.primal, 2 * fair(solver, 1e-5) * cold.certificate.primal)
        << solver;
  }
}

TEST(WarmStart, BadOnesAreRefused) {
  const Problem problem = random_problem(unit_rows(4, 3), {.radius = 2}, 1);
  const auto message = [&](const Start& start) {
    return test::message_of([&] { (void)solve(problem, {}, {}, start); });
  };
  EXPECT_EQ(message({.x = {1, 2}}), "start.x: 2 entries breaks the rule: 3 entries or none");
  EXPECT_EQ(message({.y = {1, 2, 3}}), "start.y: 3 entries breaks the rule: 4 entries or none");
  EXPECT_EQ(message({.x = {1, kNaN, 0}}), "start.x: not all are finite breaks the rule: finite numbers");
  EXPECT_EQ(message({.x = {1, -kInfinity, 0}}), "start.x: not all are finite breaks the rule: finite numbers");
  EXPECT_EQ(message({.y = {0, 0, 0, kInfinity}}), "start.y: not all are finite breaks the rule: finite numbers");
  EXPECT_EQ(message({.multiplier = kNaN}), "start.multiplier: nan breaks the rule: a finite number");
  EXPECT_EQ(message({.multiplier = kInfinity}), "start.multiplier: inf breaks the rule: a finite number");
}

TEST(WarmStart, GivesTheSameBitsForAnyNumberOfThreads) {
  const auto problem_of = [](double radius) {
    return random_problem({.n = 500, .d = 430, .density = 0.97, .scale = 0.05}, {.radius = radius}, 4);
  };
  const Problem problem = problem_of(5);
  ASSERT_GT(problem.A->nonzeros(), 200'000);  // from which on products use threads
  const Start start = start_of(solve(problem_of(8), {.tol = 1e-3}));
  for (const std::string_view solver : solver_names()) {
    const auto with = [&](int threads) {
      return solve(problem, {.tol = 1e-9, .solver = std::string(solver), .max_iterations = 4, .threads = threads}, {},
                   start);
    };
    const Result one = with(1);
    for (const int threads : {2, 8}) {
      const Result more = with(threads);
      EXPECT_EQ(more.x, one.x) << solver << ", " << threads << " threads";
      EXPECT_EQ(more.y, one.y) << solver << ", " << threads << " threads";
      EXPECT_EQ(more.multiplier, one.multiplier) << solver << ", " << threads << " threads";
      EXPECT_EQ(more.work.multiply_adds, one.work.multiply_adds) << solver << ", " << threads << " threads";
    }
  }
}

// At the optimum |dP/dx_j| is the multiplier on the support and no larger elsewhere.
TEST(Multiplier, IsTheSlopeOnTheSupport) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names())
      for (const double ridge : {1.0, 0.0}) {
        const Problem problem = random_problem(
            unit_rows(30, 12),
            {.loss = std::string(loss), .set = std::string(set), .radius = 0.5, .ridge = {ridge, true}}, 6);
        for (const std::string_view solver : solver_names()) {
          if ((ridge == 0 && needs_ridge(solver)) || test::is_sublinear(solver)) continue;
          const std::string what = fmt::format("{} on {}, ridge {}/n, {}", loss, set, ridge, solver);
          const Result result = solve(problem, {.tol = 1e-10, .solver = std::string(solver)});
          expect_certified(problem, result, what);
          std::vector<double> gradient(result.x.size());
          multiply_transposed(*problem.A, dual_candidate(problem, result.x), gradient);
          for (double& g_j : gradient) g_j /= 30;
          problem.regulariser->add_gradient(result.x, gradient);
          const bool is_one_sided = set != "l1";
          for (std::size_t j = 0; j < gradient.size(); ++j) {
            const double slope = is_one_sided ? -gradient[j] : std::abs(gradient[j]);
            EXPECT_LE(slope, result.multiplier + 1e-4) << what;
            if (std::abs(result.x[j]) > 1e-2) {
              EXPECT_NEAR(slope, result.multiplier, 1e-4) << what;
            }
          }
          EXPECT_TRUE(set == "simplex" || result.multiplier > 0) << what;
        }
      }
}

TEST(Multiplier, IsZeroWhereTheRadiusIsSlack) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view solver : solver_names()) {
      if (test::is_sublinear(solver)) continue;
      const Problem problem =
          random_problem(unit_rows(30, 12), {.loss = std::string(loss), .radius = 1e4, .ridge = {3, true}}, 6);
      const Result result = solve(problem, {.tol = 1e-8, .solver = std::string(solver)});
      expect_certified(problem, result, std::string(solver));
      EXPECT_EQ(result.multiplier, 0) << loss << ", " << solver;
    }
}

}  // namespace warm_start_test
}  // namespace pdbfw
