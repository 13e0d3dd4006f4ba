// What every solver must do: reach the tolerance and prove it, agree with the others, survive odd data, and give the
// same bits again.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "io/message.hpp"
#include "pdbfw/solve.hpp"
#include "reference/tiny_problems.hpp"
#include "support/cases.hpp"
#include "support/judge.hpp"
#include "support/problems.hpp"
#include "support/solvers.hpp"

namespace pdbfw {
namespace every_solver_test {

using test::expect_certified;
using test::expect_honest;
using test::fair;
using test::is_sublinear;
using test::random_problem;
using test::Shape;

// Rows of about unit length, as in text.
Shape unit_rows(Index n, Index d, double density = 0.5) {
  return {.n = n, .d = d, .density = density, .scale = 1 / std::sqrt(static_cast<double>(d) * density)};
}

std::vector<std::string> solvers() {
  std::vector<std::string> all;
  for (const std::string_view name : solver_names()) all.emplace_back(name);
  return all;
}

// Whether the solver takes this problem at all (some need a ridge); what it refuses it must refuse with InputError.
bool accepts(const std::string& solver, const Problem& problem) {
  try {
    find_solver(solver).check(problem, {.solver = solver});
    return true;
  } catch (const InputError&) {
    return false;
  }
}

TEST(EverySolver, ReachesTheToleranceOnEveryLossAndSetAndAgreesWithTheOthers) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names())
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const double radius = std::vector{0.5, 2.0, 10.0, 1000.0}[seed];
        const double ridge = std::vector{1.0, 0.3, 3.0, 1.0}[seed];
        const Problem problem = random_problem(
            unit_rows(20, 12),
            {.loss = std::string(loss), .set = std::string(set), .radius = radius, .ridge = {ridge, true}}, seed);
        std::vector<Result> results;
        for (const std::string& solver : solvers()) {
          const std::string what = fmt::format("{} on {} of radius {}, {}", loss, set, radius, solver);
          const Result result = solve(problem, {.tol = fair(solver, 1e-6), .solver = solver, .seed = seed});
          expect_certified(problem, result, what);
          // For auto, the engines that ran.
          EXPECT_TRUE(result.solver == solver || solver == "auto") << what;
          results.push_back(result);
          for (const Result& one : results) {
            const Certificate& other = one.certificate;
            // Each dual value is below the optimum and each primal value above it.
            EXPECT_LE(other.dual, result.certificate.primal * (1 + 1e-12)) << what;
            EXPECT_LE(result.certificate.dual, other.primal * (1 + 1e-12)) << what;
            EXPECT_NEAR(other.primal, result.certificate.primal,
                        2 * std::max(one.settings.tol, result.settings.tol) * std::abs(other.primal))
                << what;
          }
        }
      }
}

struct RandomCase {
  Formulation formulation;
  Problem problem;
};

// Shapes, densities, radii, ridges and scales within 10^-reach .. 10^reach, and columns of falling or rising size.
RandomCase any_problem(double reach, std::uint64_t seed) {
  const auto power = [&] { return std::pow(10.0, reach * *rc::gen::inRange(-8, 9) / 8.0); };
  const auto losses = loss_names(), sets = set_names();
  const auto n = *rc::gen::inRange<Index>(1, 30), d = *rc::gen::inRange<Index>(1, 30);
  Shape shape = unit_rows(n, d, *rc::gen::inRange(5, 101) / 100.0);
  shape.scale *= power();
  shape.column_decay = reach > 1 ? *rc::gen::element(1.0, 0.7, 1.4) : 1.0;
  const Formulation formulation{.loss = std::string(losses[*rc::gen::inRange<std::size_t>(0, losses.size())]),
                                .set = std::string(sets[*rc::gen::inRange<std::size_t>(0, sets.size())]),
                                .radius = 3 * power(),
                                .ridge = {power(), true},
                                .smoothing = *rc::gen::element(1.0, 0.3, 0.01),
                                .huber_width = power()};
  RC_LOG() << fmt::format("n {}, d {}, scale {}, decay {}, {} on {}, radius {}, ridge {}/n, seed {}\n", n, d,
                          shape.scale, shape.column_decay, formulation.loss, formulation.set, formulation.radius,
                          formulation.ridge.value, seed);
  return {formulation, random_problem(shape, formulation, seed)};
}

// Not pdbfw: its adaptive steps are a search that does not settle on about one in two thousand of these. It must be
// honest then (see below), and it must not fail on the fixed problems above.
// Their draws stall on one random problem in some hundreds, and they say so. On the fixed problems above they are held
// to the tolerance.
bool draws_samples(const std::string& solver) {
  return solver == "svrg" || solver == "scgs" || solver == "storc" || solver == "svrf";
}

RC_GTEST_PROP(EverySolver, ReachesTheToleranceOnRandomProblems, (std::uint64_t seed)) {
  const RandomCase c = any_problem(0.5, seed);
  for (const std::string& solver : solvers()) {
    if (solver == "pdbfw") continue;
    const Result result =
        solve(c.problem, {.tol = fair(solver, 1e-5), .solver = solver, .max_iterations = 20'000, .seed = seed});
    RC_LOG() << solver << ": " << result.message << "\n";
    const double gap = reference::certify(c.problem, result.x, result.y).relative_gap;
    const bool is_slow = is_sublinear(solver) && result.status == Status::iteration_limit;
    RC_ASSERT(result.status == Status::converged || is_slow || draws_samples(solver));
    RC_ASSERT(gap <= std::max(fair(solver, 1e-5), result.certificate.relative_gap) + 1e-11);
    RC_ASSERT(result.certificate.violation <= 1e-9 * c.formulation.radius);
  }
}

// Some of these are too hard for 500 iterations. Whatever the status, the certificate is true, and every dual value
// lies below every primal value, whoever found them.
RC_GTEST_PROP(EverySolver, IsHonestOnRandomProblemsOfAnyScale, (std::uint64_t seed)) {
  const RandomCase c = any_problem(3, seed);
  double lower = -std::numeric_limits<double>::infinity(), upper = -lower;
  // Terms of this size may cancel in the values, and leave their rounding.
  const std::vector<double> zero(c.problem.loss->size(), 0.0);
  const double size_of_terms = c.problem.loss->total_value(zero) / static_cast<double>(c.problem.n());
  for (const std::string& solver : solvers()) {
    const Result result =
        solve(c.problem, {.tol = fair(solver, 1e-5), .solver = solver, .max_iterations = 500, .seed = seed});
    const Certificate again = certify(c.problem, result.x, result.y);
    const double rounding = 1e-13 * std::max(std::abs(again.primal), std::abs(again.dual)) + 1e-15 * size_of_terms;
    RC_LOG() << solver << ": " << result.message << "\n";
    RC_ASSERT(std::abs(result.certificate.primal - again.primal) <= rounding);
    RC_ASSERT(std::abs(result.certificate.dual - again.dual) <= rounding);
    RC_ASSERT((result.status == Status::converged) == (result.certificate.relative_gap <= fair(solver, 1e-5)));
    RC_ASSERT(again.violation <= 1e-9 * c.formulation.radius);
    lower = std::max(lower, again.dual);
    upper = std::min(upper, again.primal);
  }
  RC_ASSERT(lower <= upper + 1e-12 * std::max(std::abs(lower), std::abs(upper)));
}

TEST(EverySolver, SolvesTheProblemsSolvedByHand) {
  for (const reference::TinyProblem& tiny : reference::tiny_problems())
    for (const std::string& solver : solvers()) {
      if (!accepts(solver, tiny.problem)) continue;
      const std::string what = tiny.name + ", " + solver;
      const Result result = solve(tiny.problem, {.tol = fair(solver, 1e-9), .solver = solver});
      expect_certified(tiny.problem, result, what);
      EXPECT_NEAR(result.certificate.primal, tiny.optimum, fair(solver, 1e-9) * (1 + tiny.optimum)) << what;
      if (is_sublinear(solver)) continue;
      for (std::size_t j = 0; j < tiny.x.size(); ++j) EXPECT_NEAR(result.x[j], tiny.x[j], 1e-4) << what;
    }
}

TEST(EverySolver, WithoutARidgeSolvesOrSaysWhyNot) {
  int taken = 0;
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names())
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const Problem problem = random_problem(
            unit_rows(25, 10), {.loss = std::string(loss), .set = std::string(set), .radius = 1.5, .ridge = {0, false}},
            seed);
        for (const std::string& solver : solvers()) {
          if (!accepts(solver, problem)) continue;
          ++taken;
          expect_certified(problem, solve(problem, {.tol = fair(solver, 1e-6), .solver = solver}),
                           fmt::format("{} on {}, {}", loss, set, solver));
        }
      }
  EXPECT_GE(taken, 5 * 2 * 3 * 3) << "auto, sequential and working_set take ridge 0";
  const Problem problem = random_problem(unit_rows(5, 3), {.ridge = {0, false}}, 1);
  EXPECT_EQ(test::message_of([&] { (void)solve(problem, {.solver = "pdbfw"}); }),
            "ridge: 0 breaks the rule: > 0 for the solver pdbfw");
}

TEST(EverySolver, AgreesOnADiagonalRidge) {
  for (const std::string_view set : set_names())
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      Formulation formulation{.loss = "squared", .set = std::string(set), .radius = 2, .ridge = {1, true}};
      Random random(seed);
      for (Index j = 0; j < 10; ++j) formulation.ridge_scale.push_back(std::exp(random.normal()));
      const Problem problem = random_problem(unit_rows(15, 10), formulation, seed);
      std::vector<double> values;
      for (const std::string& solver : solvers()) {
        const Result result = solve(problem, {.tol = fair(solver, 1e-7), .solver = solver});
        expect_certified(problem, result, fmt::format("{}, {}", set, solver));
        values.push_back(result.certificate.primal);
        EXPECT_NEAR(values.back(), values.front(), 2 * fair(solver, 1e-7) * values.front()) << solver;
      }
    }
}

TEST(EverySolver, TakesAPartlyZeroDiagonalRidgeOrSaysWhyNot) {
  for (const std::string_view set : set_names()) {
    const Problem problem = random_problem(
        unit_rows(15, 4), {.set = std::string(set), .radius = 2, .ridge = {1, true}, .ridge_scale = {0, 1, 0, 2}}, 3);
    for (const std::string& solver : solvers())
      if (accepts(solver, problem))
        expect_certified(problem, solve(problem, {.tol = fair(solver, 1e-6), .solver = solver}),
                         fmt::format("{}, {}", set, solver));
  }
}

TEST(EverySolver, AUniformDiagonalRidgeIsTheRidge) {
  const Formulation plain{.radius = 2};
  Formulation diagonal = plain;
  diagonal.ridge_scale.assign(8, 1.0);
  const Problem one = random_problem(unit_rows(15, 8), plain, 5), two = random_problem(unit_rows(15, 8), diagonal, 5);
  for (const std::string& solver : solvers())
    EXPECT_NEAR(solve(one, {.tol = fair(solver, 1e-8), .solver = solver}).certificate.primal,
                solve(two, {.tol = fair(solver, 1e-8), .solver = solver}).certificate.primal, fair(solver, 1e-8))
        << solver;
}

TEST(EverySolver, WorksOnTheSmallestAndOddestData) {
  struct Odd {
    std::string name;
    reference::DenseMatrix A;
    std::vector<double> b;
  };
  const std::vector<Odd> odd{
      {"one by one", {1, 1, {2}}, {1}},
      {"one row", {1, 4, {1, 0, -2, 3}}, {-1}},
      {"one column", {4, 1, {1, 2, -1, 0}}, {1, -1, 1, 1}},
      {"zero matrix", {3, 2, {0, 0, 0, 0, 0, 0}}, {1, -1, 1}},
      {"zero columns", {3, 3, {0, 1, 0, 0, 2, 0, 0, 3, 0}}, {1, -1, 1}},
      {"empty rows", {4, 2, {0, 0, 1, 2, 0, 0, -1, 1}}, {1, -1, -1, 1}},
      {"equal rows", {4, 2, {1, 2, 1, 2, 1, 2, 1, 2}}, {1, -1, 1, 1}},
      {"equal columns", {3, 3, {1, 1, 1, 2, 2, 2, -1, -1, -1}}, {1, -1, 1}},
      {"wider than tall", {2, 6, {1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1}}, {1, -1}},
  };
  for (const Odd& o : odd)
    for (const std::string_view loss : loss_names())
      for (const std::string_view set : set_names()) {
        const Formulation formulation{.loss = std::string(loss), .set = std::string(set), .radius = 2};
        for (const MatrixPtr& A : {reference::sparse(o.A), reference::dense(o.A)}) {
          const Problem problem = make_problem(A, o.b, formulation);
          for (const std::string& solver : solvers())
            expect_certified(problem, solve(problem, {.tol = fair(solver, 1e-5), .solver = solver}),
                             fmt::format("{}: {} on {}, {}", o.name, loss, set, solver));
        }
      }
}

TEST(EverySolver, EndsAtOnceWhereTheStartIsTheOptimum) {
  const reference::TinyProblem zero = reference::zero_optimum();
  for (const std::string& solver : solvers()) {
    const Result result = solve(zero.problem, {.solver = solver});
    expect_certified(zero.problem, result, solver);
    EXPECT_EQ(result.x, zero.x) << solver;
    EXPECT_LE(result.work.iterations, 1) << solver;
  }
}

TEST(EverySolver, StaysAtZeroWhereZeroIsTheOptimum) {
  for (const reference::TinyProblem& tiny : {reference::opposite_labels(), reference::opposite_labels_logistic()})
    for (const std::string& solver : solvers()) {
      const Result result = solve(tiny.problem, {.tol = fair(solver, 1e-9), .solver = solver});
      expect_certified(tiny.problem, result, tiny.name + ", " + solver);
      EXPECT_NEAR(result.x[0], 0, is_sublinear(solver) ? 1 : 1e-4) << solver;
    }
}

TEST(EverySolver, IsHonestAboutHugeAndTinyNumbers) {
  for (const double scale : {1e-300, 1e-150, 1e-30, 1e30, 1e150, 1e300})
    for (const std::string_view loss : loss_names())
      for (const std::string_view set : set_names()) {
        Random random(7);
        const reference::DenseMatrix A = test::random_matrix({.n = 8, .d = 5, .density = 0.7, .scale = scale}, random);
        std::vector<double> b(8);
        for (std::size_t i = 0; i < b.size(); ++i) b[i] = i % 2 == 0 ? 1 : -1;
        const Problem problem =
            make_problem(reference::sparse(A), b, {.loss = std::string(loss), .set = std::string(set), .radius = 2});
        for (const std::string& solver : solvers()) {
          const std::string what = fmt::format("scale {}: {} on {}, {}", scale, loss, set, solver);
          Result result;
          try {
            result = solve(problem, {.solver = solver, .max_iterations = 300});
          } catch (const InputError& error) {
            EXPECT_EQ(set, "simplex") << what;  // whose start is not zero: the objective may overflow there
            EXPECT_TRUE(std::string(error.what()).starts_with("objective: inf at the start")) << what;
            continue;
          }
          ASSERT_EQ(result.x.size(), 5U) << what;
          ASSERT_EQ(result.y.size(), 8U) << what;
          for (const double x_j : result.x) EXPECT_TRUE(std::isfinite(x_j)) << what;
          for (const double y_i : result.y) EXPECT_TRUE(std::isfinite(y_i)) << what;
          EXPECT_LE(problem.set->violation(result.x), 1e-9 * problem.set->radius()) << what;
          EXPECT_FALSE(std::isnan(result.certificate.dual)) << what;
          EXPECT_TRUE(std::isfinite(result.certificate.primal)) << what;
          expect_honest(problem, result, what);
        }
      }
}

TEST(EverySolver, RefusesAnObjectiveThatOverflows) {
  Problem problem = random_problem(unit_rows(4, 3), {.loss = "squared", .radius = 2}, 1);
  problem.loss = make_loss({.loss = "squared"}, std::vector<double>(4, 1e200));
  for (const std::string& solver : solvers())
    EXPECT_THROW((void)solve(problem, {.solver = solver}), InputError) << solver;
}

TEST(EverySolver, TakesRadiiAndRidgesOfAnySize) {
  for (const double radius : {1e-12, 1e-3, 1e3, 1e12})
    for (const double ridge : {1e-3, 1.0, 1e6})
      for (const std::string_view set : set_names()) {
        const Problem problem =
            random_problem(unit_rows(10, 6), {.set = std::string(set), .radius = radius, .ridge = {ridge, true}}, 2);
        for (const std::string& solver : solvers()) {
          const std::string what = fmt::format("radius {}, ridge {}/n, {}, {}", radius, ridge, set, solver);
          const Result result = solve(problem, {.solver = solver, .max_iterations = 3'000});
          expect_honest(problem, result, what);
          EXPECT_TRUE(solver != "auto" || result.status == Status::converged) << what << ": " << result.message;
        }
      }
}

// More than the 200,000 entries from which on products use threads.
TEST(EverySolver, GivesTheSameBitsForTheSameSeedAndAnyNumberOfThreads) {
  const Problem problem = random_problem(unit_rows(500, 430, 0.97), {.radius = 5}, 4);
  ASSERT_GT(problem.A->nonzeros(), 200'000);
  for (const std::string& solver : solvers()) {
    const Settings settings{.tol = 1e-9, .solver = solver, .max_iterations = 4, .seed = 11};
    const Result first = solve(problem, settings);
    for (const int threads : {1, 2, 8}) {
      Settings same = settings;
      same.threads = threads;
      const Result again = solve(problem, same);
      EXPECT_EQ(again.x, first.x) << solver << ", " << threads << " threads";
      EXPECT_EQ(again.y, first.y) << solver << ", " << threads << " threads";
      EXPECT_EQ(again.certificate.gap, first.certificate.gap) << solver;
      EXPECT_EQ(again.work.multiply_adds, first.work.multiply_adds) << solver;
    }
  }
}

TEST(EverySolver, RunsToTheEndWithTheSameBits) {
  const Problem problem = random_problem(unit_rows(40, 30), {.loss = "logistic", .radius = 3}, 9);
  for (const std::string& solver : solvers()) {
    const Settings settings{.tol = fair(solver, 1e-8), .solver = solver, .seed = 3};
    const Result first = solve(problem, settings), again = solve(problem, settings);
    EXPECT_EQ(again.x, first.x) << solver;
    EXPECT_EQ(again.y, first.y) << solver;
    EXPECT_EQ(again.work.iterations, first.work.iterations) << solver;
    EXPECT_EQ(again.trace.size(), first.trace.size()) << solver;
  }
}

TEST(EverySolver, MayRunTwiceAtOnceOnOneProblem) {
  const Problem problem = random_problem(unit_rows(60, 40), {.radius = 3}, 6);
  for (const std::string& solver : solvers()) {
    std::vector<Result> results(2);
    {
      std::vector<std::thread> threads;
      threads.reserve(results.size());
      for (Result& result : results)
        threads.emplace_back([&] { result = solve(problem, {.tol = fair(solver, 1e-6), .solver = solver}); });
      for (std::thread& thread : threads) thread.join();
    }
    expect_certified(problem, results[0], solver);
    EXPECT_EQ(results[0].x, results[1].x) << solver;
    EXPECT_EQ(results[0].y, results[1].y) << solver;
  }
}

TEST(EverySolver, TakesEveryKindOfStorageWithTheSameBits) {
  Random random(12);
  reference::DenseMatrix full = test::random_matrix(unit_rows(20, 10, 1.0), random);
  for (double& a : full.entry) a = static_cast<double>(static_cast<float>(a));  // exact in both
  const std::vector<double> b = test::random_targets(full, true, random);
  const auto narrow = reference::compress_rows<float, std::int32_t, std::int32_t>(full);
  const auto wide = reference::compress_columns<double, std::int64_t, std::int64_t>(full);
  const std::vector<float> floats(full.entry.begin(), full.entry.end());
  const std::vector<MatrixPtr> matrices{
      reference::sparse(full), reference::dense(full),
      borrow_csr<float, std::int32_t, std::int32_t>(20, 10, narrow.offsets, narrow.at, narrow.value),
      borrow_csc<double, std::int64_t, std::int64_t>(20, 10, wide.offsets, wide.at, wide.value),
      borrow_dense_rows<float>(20, 10, floats)};
  for (const std::string& solver : solvers()) {
    std::array<std::vector<double>, 2> found;
    for (const MatrixPtr& A : matrices) {
      const Problem problem = make_problem(A, b, {.radius = 2});
      const Result result = solve(problem, {.tol = fair(solver, 1e-7), .solver = solver});
      expect_certified(problem, result, solver);
      // The working set multiplies dense data in blocks, and then sums in another order.
      const bool is_in_blocks = A->is_dense() && result.solver.find("working_set") != std::string::npos;
      std::vector<double>& x = found[is_in_blocks ? 1 : 0];
      if (x.empty()) x = result.x;
      EXPECT_EQ(result.x, x) << solver;
    }
  }
}

TEST(EverySolver, StopsWhenTheCallbackSaysSo) {
  const Problem problem = random_problem(unit_rows(40, 30), {.radius = 3}, 6);
  for (const std::string& solver : solvers()) {
    Index calls = 0;
    const Result result = solve(problem, {.tol = 1e-12, .solver = solver}, [&](const Progress& progress) {
      EXPECT_GE(progress.now.iteration, 0);
      return ++calls < 2;
    });
    EXPECT_EQ(result.status, Status::interrupted) << solver;
    EXPECT_EQ(calls, 2) << solver;
    expect_honest(problem, result, solver);
  }
}

TEST(EverySolver, KeepsItsLimits) {
  const Problem problem = random_problem(unit_rows(40, 30), {.radius = 3}, 6);
  for (const std::string& solver : solvers()) {
    const Result none = solve(problem, {.solver = solver, .max_iterations = 0});
    EXPECT_EQ(none.status, Status::iteration_limit) << solver;
    EXPECT_EQ(none.work.iterations, 0) << solver;
    expect_honest(problem, none, solver);
    const Result one = solve(problem, {.tol = 1e-12, .solver = solver, .max_iterations = 1});
    EXPECT_EQ(one.work.iterations, 1) << solver;
    expect_honest(problem, one, solver);
    const Result no_time = solve(problem, {.tol = 1e-12, .solver = solver, .max_seconds = 0});
    EXPECT_EQ(no_time.status, Status::time_limit) << solver;
    expect_honest(problem, no_time, solver);
    const Result no_pass = solve(problem, {.tol = 1e-14, .solver = solver, .max_passes = 1});
    EXPECT_EQ(no_pass.status, Status::pass_limit) << solver;
    expect_honest(problem, no_pass, solver);
  }
}

TEST(EverySolver, StopsByItselfWhenRoundingAllowsNoMore) {
  const Problem problem = random_problem(unit_rows(20, 10), {.radius = 2}, 1);
  for (const std::string& solver : solvers()) {
    if (is_sublinear(solver)) continue;  // it would take ages to get there
    const Result result = solve(problem, {.tol = 1e-300, .solver = solver, .max_iterations = 200'000});
    EXPECT_TRUE(result.status == Status::stalled || result.status == Status::converged) << solver << result.message;
    EXPECT_LE(result.certificate.relative_gap, 1e-9) << solver;
  }
}

TEST(EverySolver, CountsItsWork) {
  const Problem problem = random_problem(unit_rows(40, 30), {.radius = 3}, 6);
  for (const std::string& solver : solvers()) {
    const Result result = solve(problem, {.tol = fair(solver, 1e-6), .solver = solver});
    EXPECT_GT(result.work.iterations, 0) << solver;
    EXPECT_GT(result.work.oracle_calls, 0) << solver;
    EXPECT_GE(result.work.data_passes, 2) << solver;  // a certificate at least
    EXPECT_DOUBLE_EQ(result.work.data_passes, result.work.multiply_adds / static_cast<double>(problem.A->nonzeros()));
    EXPECT_GT(result.seconds, 0) << solver;
    ASSERT_FALSE(result.trace.empty()) << solver;
    EXPECT_EQ(result.trace.front().iteration, 0) << solver;
    EXPECT_EQ(result.trace.back().iteration, result.work.iterations) << solver;
    EXPECT_TRUE(result.trace.back().is_certified) << solver;
    for (std::size_t t = 1; t < result.trace.size(); ++t)
      EXPECT_GE(result.trace[t].multiply_adds, result.trace[t - 1].multiply_adds) << solver;
  }
}

}  // namespace every_solver_test
}  // namespace pdbfw
