// A path over radii: every point as if it had been solved alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "io/message.hpp"
#include "pdbfw/solve.hpp"
#include "support/cases.hpp"
#include "support/judge.hpp"
#include "support/problems.hpp"
#include "support/solvers.hpp"

namespace pdbfw {
namespace path_test {

using test::expect_certified;
using test::expect_honest;
using test::fair;
using test::random_problem;

Problem with_radius(const Problem& problem, double radius) {
  Problem other = problem;
  other.set = problem.set->with_radius(radius);
  return other;
}

// Solves the path, and every radius alone.
void expect_path(const Problem& problem, const std::vector<double>& radii, const Settings& settings,
                 const std::string& what) {
  const std::vector<PathPoint> path = solve_path(problem, radii, settings);
  ASSERT_EQ(path.size(), radii.size()) << what;
  for (std::size_t k = 0; k < path.size(); ++k) {
    const std::string point = fmt::format("{}, radius {}", what, radii[k]);
    EXPECT_EQ(path[k].radius, radii[k]) << point;
    const Problem alone = with_radius(problem, radii[k]);
    expect_certified(alone, path[k].result, point);
    const Certificate single = solve(alone, settings).certificate;
    EXPECT_NEAR(path[k].result.certificate.primal, single.primal, 2 * settings.tol * std::abs(single.primal)) << point;
    EXPECT_FALSE(path[k].result.trace.empty()) << point;
    EXPECT_GT(path[k].result.work.data_passes, 0) << point;
  }
}

TEST(Path, EveryPointIsAsIfSolvedAlone) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names())
      for (const std::string_view solver : solver_names()) {
        const Problem problem =
            random_problem({.n = 25, .d = 15, .scale = 0.4}, {.loss = std::string(loss), .set = std::string(set)}, 7);
        expect_path(problem, {2, 0.1, 30, 0.5, 2, 1}, {.tol = fair(solver, 1e-6), .solver = std::string(solver)},
                    fmt::format("{} on {}, {}", loss, set, solver));
      }
}

TEST(Path, WithoutARidge) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names())
      for (const std::string_view solver : solver_names()) {
        if (test::needs_ridge(solver)) continue;
        const Problem problem =
            random_problem({.n = 25, .d = 10, .scale = 0.4},
                           {.loss = std::string(loss), .set = std::string(set), .ridge = {0, false}}, 7);
        expect_path(problem, {2, 0.1, 0.5, 1}, {.tol = fair(solver, 1e-6), .solver = std::string(solver)},
                    fmt::format("{} on {}, {}", loss, set, solver));
      }
  EXPECT_EQ(test::message_of([] {
              (void)solve_path(random_problem({}, {.ridge = {0, false}}, 1), {1}, {.solver = "pdbfw"});
            }),
            "ridge: 0 breaks the rule: > 0 for the solver pdbfw");
}

TEST(Path, WithADiagonalRidge) {
  Formulation formulation;
  for (int j = 0; j < 10; ++j) formulation.ridge_scale.push_back(0.3 * (j + 1));
  const Problem problem = random_problem({.n = 25, .d = 10, .scale = 0.4}, formulation, 7);
  for (const std::string_view solver : solver_names())
    expect_path(problem, {3, 1, 0.3}, {.tol = fair(solver, 1e-6), .solver = std::string(solver)}, std::string(solver));
}

// More rows than Newton's method on the dual is for, and enough entries that features are packed and left out.
TEST(Path, OnManyRows) {
  const Problem problem = random_problem({.n = 2'500, .d = 150, .density = 0.1, .scale = 0.3}, {}, 7);
  ASSERT_GT(problem.A->nonzeros(), 30'000);
  for (const std::string_view solver : solver_names())
    expect_path(problem, {20, 10, 5, 2, 1}, {.tol = fair(solver, 1e-5), .solver = std::string(solver)},
                std::string(solver));
}

TEST(Path, OnFewRowsAndManyFeatures) {
  const Problem problem = random_problem({.n = 50, .d = 600, .scale = 0.1}, {}, 7);
  for (const std::string_view solver : solver_names())
    expect_path(problem, {20, 5, 1, 0.2}, {.tol = fair(solver, 1e-6), .solver = std::string(solver)},
                std::string(solver));
}

TEST(Path, TakesRadiiOfAnySize) {
  for (const std::string_view set : set_names()) {
    const Problem problem = random_problem({.n = 10, .d = 6, .scale = 0.5}, {.set = std::string(set)}, 2);
    const std::vector<double> radii{1e12, 1e3, 1, 1e-3, 1e-12};
    for (const std::string_view solver : solver_names()) {
      const auto path = solve_path(problem, radii, {.solver = std::string(solver), .max_iterations = 3'000});
      ASSERT_EQ(path.size(), radii.size());
      for (const PathPoint& point : path) {
        const std::string what = fmt::format("{}, {}, radius {}: {}", set, solver, point.radius, point.result.message);
        expect_honest(with_radius(problem, point.radius), point.result, what);
        EXPECT_TRUE(solver != "auto" || point.result.status == Status::converged) << what;
      }
    }
  }
}

TEST(Path, OfOneRadiusIsASolve) {
  const Problem problem = random_problem({.n = 40, .d = 30, .scale = 0.3}, {.radius = 3}, 6);
  for (const std::string_view solver : solver_names()) {
    const Settings settings{.tol = fair(solver, 1e-6), .solver = std::string(solver)};
    const std::vector<PathPoint> path = solve_path(problem, {3}, settings);
    const Result alone = solve(problem, settings);
    ASSERT_EQ(path.size(), 1U);
    EXPECT_EQ(path[0].result.x, alone.x) << solver;
    EXPECT_EQ(path[0].result.y, alone.y) << solver;
    EXPECT_EQ(path[0].result.solver, alone.solver) << solver;
  }
}

TEST(Path, TheOptimumRisesAsTheRadiusFalls) {
  const Problem problem = random_problem({.n = 60, .d = 80, .scale = 0.2}, {}, 9);
  std::vector<double> radii;
  for (double radius = 50; radius > 0.1; radius *= 0.8) radii.push_back(radius);
  const std::vector<PathPoint> path = solve_path(problem, radii, {.tol = 1e-7});
  for (std::size_t k = 1; k < path.size(); ++k)
    EXPECT_GE(path[k].result.certificate.primal, path[k - 1].result.certificate.dual - 1e-12) << radii[k];
}

TEST(Path, SavesWork) {
  const Problem problem = random_problem({.n = 2'500, .d = 150, .density = 0.1, .scale = 0.3}, {}, 7);
  std::vector<double> radii;
  for (double radius = 20; radius > 1; radius *= 0.85) radii.push_back(radius);
  double together = 0, alone = 0;
  for (const PathPoint& point : solve_path(problem, radii, {.tol = 1e-5})) {
    together += point.result.work.multiply_adds;
    alone += solve(with_radius(problem, point.radius), {.tol = 1e-5}).work.multiply_adds;
  }
  EXPECT_LT(together, alone);
}

TEST(Path, GivesTheSameBitsForAnyNumberOfThreads) {
  const Problem problem = random_problem({.n = 500, .d = 430, .density = 0.97, .scale = 0.05}, {}, 4);
  ASSERT_GT(problem.A->nonzeros(), 200'000);  // from which on products use threads
  for (const std::string_view solver : solver_names()) {
    const auto with = [&](int threads) {
      return solve_path(problem, {8, 5, 3},
                        {.tol = 1e-9, .solver = std::string(solver), .max_iterations = 3, .threads = threads});
    };
    const std::vector<PathPoint> one = with(1);
    for (const int threads : {2, 8}) {
      const std::vector<PathPoint> more = with(threads);
      for (std::size_t k = 0; k < one.size(); ++k) {
        EXPECT_EQ(more[k].result.x, one[k].result.x) << solver << ", " << threads << " threads";
        EXPECT_EQ(more[k].result.y, one[k].result.y) << solver << ", " << threads << " threads";
        EXPECT_EQ(more[k].result.work.multiply_adds, one[k].result.work.multiply_adds) << solver;
      }
    }
  }
}

// The callback is asked at least once for every radius: the fifth call stops the path somewhere.
TEST(Path, EndsWhereTheCallbackStopsIt) {
  const Problem problem = random_problem({.n = 40, .d = 30, .scale = 0.3}, {}, 6);
  for (const std::string_view solver : solver_names()) {
    int calls = 0;
    const auto path = solve_path(problem, {1, 5, 2, 4, 3}, {.tol = 1e-9, .solver = std::string(solver)},
                                 [&](const Progress&) { return ++calls < 5; });
    EXPECT_EQ(calls, 5) << solver;
    ASSERT_FALSE(path.empty()) << solver;
    for (std::size_t k = 0; k < path.size(); ++k) {
      EXPECT_EQ(path[k].radius, 5 - static_cast<double>(k)) << solver;
      EXPECT_EQ(path[k].result.status == Status::interrupted, k + 1 == path.size()) << solver;
      expect_honest(with_radius(problem, path[k].radius), path[k].result, std::string(solver));
    }
  }
}

TEST(Path, LimitsAreThoseOfEveryRadius) {
  const Problem problem = random_problem({.n = 40, .d = 30, .scale = 0.3}, {}, 6);
  for (const std::string_view solver : solver_names()) {
    const auto path =
        solve_path(problem, {5, 2, 1}, {.tol = 1e-14, .solver = std::string(solver), .max_iterations = 1});
    ASSERT_EQ(path.size(), 3U) << solver;
    for (const PathPoint& point : path) {
      EXPECT_LE(point.result.work.iterations, 1) << solver;
      expect_honest(with_radius(problem, point.radius), point.result, std::string(solver));
    }
  }
}

TEST(Path, BadRadiiAreRefused) {
  const Problem problem = random_problem({.n = 4, .d = 3}, {}, 1);
  const auto message = [&](const std::vector<double>& radii) {
    return test::message_of([&] { (void)solve_path(problem, radii); });
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message({}), "radii: none breaks the rule: at least one");
  EXPECT_EQ(message({1, 0}), "radii: 0 breaks the rule: finite numbers > 0");
  EXPECT_EQ(message({-2, 1}), "radii: -2 breaks the rule: finite numbers > 0");
  EXPECT_EQ(message({1, std::nan("")}), "radii: nan breaks the rule: finite numbers > 0");
  EXPECT_EQ(message({kInfinity}), "radii: inf breaks the rule: finite numbers > 0");
  EXPECT_EQ(test::message_of([&] { (void)solve_path(problem, {1}, {.tol = 0}); }),
            "tol: 0 breaks the rule: a finite number > 0");
}

TEST(Path, RefusesAnObjectiveThatOverflows) {
  Problem problem = random_problem({.n = 4, .d = 3}, {.loss = "squared"}, 1);
  problem.loss = make_loss({.loss = "squared"}, std::vector<double>(4, 1e200));
  EXPECT_EQ(test::message_of([&] {
              (void)solve_path(problem, {1, 2});
            }),
            "objective: inf at the start breaks the rule: a finite number; scale the data, the targets or the radius "
            "down");
}

}  // namespace path_test
}  // namespace pdbfw
