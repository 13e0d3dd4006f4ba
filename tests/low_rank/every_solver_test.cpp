// What every solver of the low-rank family must do: reach the tolerance and prove it, agree with the others, stop when
// asked, and give the same bits again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "apps/low_rank_registry.hpp"
#include "core/spectral_set.hpp"
#include "reference/low_rank_judge.hpp"
#include "support/low_rank_problems.hpp"
#include "support/maps.hpp"

namespace pdbfw::low_rank {
namespace every_solver_test {

using test::random_low_rank_problem;

// Steps towards rank-one matrices close the gap like 1/t.
bool is_sublinear(const std::string& solver) { return solver == "fw" || solver == "sfw" || solver == "svrf"; }
double fair(const std::string& solver, double tol) { return is_sublinear(solver) ? std::max(tol, 3e-3) : tol; }

std::vector<std::string> solvers() {
  std::vector<std::string> all;
  for (const std::string_view name : solver_names()) all.emplace_back(name);
  return all;
}

bool accepts(const std::string& solver, const Problem& problem) {
  try {
    find_solver(solver).check(problem, {.solver = solver});
    return true;
  } catch (const InputError&) {
    return false;
  }
}

void expect_certified(const Problem& p, const Result& result, const std::string& what) {
  EXPECT_EQ(result.status, Status::converged) << what << ": " << result.message;
  const Certificate judged = reference::certify(p, result.X.dense(), result.Y);
  const double size = std::abs(judged.primal) + 1e-12;
  EXPECT_NEAR(result.certificate.primal, judged.primal, 1e-9 * size) << what;
  EXPECT_LE(result.certificate.dual, judged.dual + 1e-9 * size) << what;
  EXPECT_LE(judged.gap, result.certificate.gap + 1e-9 * size) << what;
  EXPECT_LE(judged.violation, 1e-9 * p.set->radius()) << what;
  EXPECT_LE(result.certificate.relative_gap, result.settings.tol) << what;
}

void expect_all_agree(const Problem& p, const std::string& name, double tol) {
  double highest_dual = -std::numeric_limits<double>::infinity();
  for (const std::string& solver : solvers()) {
    if (!accepts(solver, p)) continue;
    const std::string what = name + ", " + solver;
    const Result result = solve(p, {.tol = fair(solver, tol), .solver = solver});
    expect_certified(p, result, what);
    EXPECT_LE(highest_dual, result.certificate.primal + 1e-9 * std::abs(result.certificate.primal)) << what;
    highest_dual = std::max(highest_dual, result.certificate.dual);
  }
}

TEST(EveryLowRankSolver, ReachesTheToleranceOnEveryMap) {
  for (const test::MapCase& c : test::all_maps(3, 9)) {
    if (c.name.find("float") != std::string::npos || c.name.find("64") != std::string::npos) continue;
    const bool is_quadratic = c.name.find("quadratic") != std::string::npos;
    for (const std::string set : {"trace", "psd_trace"}) {
      if (set == "psd_trace" && !is_quadratic) continue;
      expect_all_agree(
          random_low_rank_problem(c.map, {.loss = "squared", .set = set, .radius = 1, .ridge = {0.5, false}}, 5),
          c.name + " on " + set, 1e-6);
    }
  }
}

TEST(EveryLowRankSolver, ReachesTheToleranceOnEveryLoss) {
  for (const std::string_view loss : loss_names())
    for (const double radius : {0.5, 3.0, 100.0})
      expect_all_agree(
          random_low_rank_problem(rows_map(test::gaussian_rows(20, 6, 1), 4),
                                  {.loss = std::string(loss), .set = "trace", .radius = radius, .ridge = {2, true}}, 7),
          fmt::format("{} of radius {}", loss, radius), 1e-6);
}

TEST(EveryLowRankSolver, TakesNoRidgeOrRefusesIt) {
  expect_all_agree(random_low_rank_problem(rows_map(test::gaussian_rows(30, 5, 2), 4),
                                           {.loss = "squared", .set = "trace", .radius = 1, .ridge = {0}}, 3),
                   "no ridge", 1e-5);
}

// A = I, n = 2, B = diag(3, 1), ridge 1/2:  n P(X) = |X - B|^2 / 2 + |X|^2 / 2 = |X - B/2|^2 + const, so X* is the
// nearest point to diag(3/2, 1/2) with |X|_* <= 1, which is diag(1, 0), and P* = (4 + 1)/4 + 1/4 = 3/2.
TEST(EveryLowRankSolver, SolvesAProblemSolvedByHand) {
  const Matrix B{{3, 0}, {0, 1}};
  const Problem p = make_problem(rows_map(own_dense_rows(2, 2, std::vector<double>{1, 0, 0, 1}), 2), B,
                                 {.loss = "squared", .set = "trace", .radius = 1, .ridge = {0.5, false}});
  for (const std::string& solver : solvers()) {
    const Result result = solve(p, {.tol = fair(solver, 1e-8), .solver = solver});
    expect_certified(p, result, solver);
    EXPECT_NEAR(result.certificate.primal, 1.5, 1.5 * result.settings.tol) << solver;
    EXPECT_NEAR(result.X.dense()(0, 0), 1, std::sqrt(8 * result.settings.tol)) << solver;
  }
}

// B = 0: nothing to do.
TEST(EveryLowRankSolver, StaysAtZeroWhereThatIsTheOptimum) {
  const Problem p = make_problem(rows_map(test::gaussian_rows(8, 4, 1), 3), Matrix::Zero(8, 3),
                                 {.loss = "squared", .set = "trace", .radius = 1, .ridge = {1, true}});
  for (const std::string& solver : solvers()) {
    const Result result = solve(p, {.solver = solver, .max_iterations = 100});
    EXPECT_EQ(result.status, Status::converged) << solver << ": " << result.message;
    EXPECT_EQ(result.X.rank(), 0) << solver;
  }
}

Problem hard_problem() {
  return random_low_rank_problem(rows_map(test::gaussian_rows(40, 12, 4), 8),
                                 {.loss = "squared", .set = "trace", .radius = 3, .ridge = {0.01, true}}, 9);
}

TEST(EveryLowRankSolver, StopsAtItsLimits) {
  const Problem p = hard_problem();
  for (const std::string& solver : solvers()) {
    const Settings never{.tol = 1e-13, .solver = solver};
    Settings s = never;
    s.max_iterations = 2;
    const Result iterations = solve(p, s);
    EXPECT_EQ(iterations.status, Status::iteration_limit) << solver << ": " << iterations.message;
    EXPECT_EQ(iterations.work.iterations, 2) << solver;
    EXPECT_LE(reference::certify(p, iterations.X.dense(), iterations.Y).violation, 1e-9 * p.set->radius()) << solver;
    s = never;
    s.max_passes = 1;
    EXPECT_EQ(solve(p, s).status, Status::pass_limit) << solver;
    s = never;
    s.max_seconds = 0;
    EXPECT_EQ(solve(p, s).status, Status::time_limit) << solver;
    int calls = 0;
    const Result stopped = solve(p, never, [&](const Progress&) { return ++calls < 3; });
    EXPECT_EQ(stopped.status, Status::interrupted) << solver;
  }
}

TEST(EveryLowRankSolver, GivesTheSameBitsForAnyNumberOfThreads) {
  const Problem p = hard_problem();
  for (const std::string& solver : solvers())
    for (const std::string steps : {"adaptive", "theory"}) {
      const Settings s{.tol = 1e-13, .solver = solver, .steps = steps, .max_iterations = 4, .seed = 5};
      Settings many = s;
      many.threads = 3;
      const Result one = solve(p, s), three = solve(p, many), again = solve(p, s);
      EXPECT_TRUE(one.Y == three.Y && one.X.U == three.X.U && one.X.s == three.X.s) << solver << ", " << steps;
      EXPECT_TRUE(one.Y == again.Y && one.X.U == again.X.U) << solver << ", " << steps;
    }
}

TEST(EveryLowRankSolver, HasNextToNothingToDoAtTheOptimum) {
  const Problem p = hard_problem();
  const Result first = solve(p, {.tol = 1e-10, .solver = "apg"});
  ASSERT_EQ(first.status, Status::converged) << first.message;
  for (const std::string& solver : solvers()) {
    const Result again = solve(p, {.tol = 1e-6, .solver = solver}, {}, {first.X, first.Y});
    EXPECT_EQ(again.status, Status::converged) << solver << ": " << again.message;
    EXPECT_LE(again.work.iterations, 2) << solver;
  }
}

}  // namespace every_solver_test
}  // namespace pdbfw::low_rank
