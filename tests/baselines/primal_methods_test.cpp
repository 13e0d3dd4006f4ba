// The primal baselines: what their theorems promise, measured; agreement with `auto`; limits inside an epoch.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "baselines/primal_point.hpp"
#include "core/judge.hpp"
#include "core/run.hpp"
#include "io/message.hpp"
#include "linalg/products.hpp"
#include "pdbfw/solve.hpp"
#include "reference/spectrum.hpp"
#include "support/judge.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace primal_methods_test {

using test::random_problem;

// The constants of the theorems, from dense algebra that shares nothing with the library.
struct Constants {
  double L, L_max, mu, D;
  double optimum;
  double squared_distance;  // from the start to the optimum
};

double exact_smoothness(const Problem& p) {
  Eigen::MatrixXd A(p.n(), p.d());
  for (Index j = 0; j < p.d(); ++j) {
    std::vector<double> unit(static_cast<std::size_t>(p.d())), column(p.loss->size());
    unit[static_cast<std::size_t>(j)] = 1;
    multiply(*p.A, unit, column);
    A.col(j) = Eigen::Map<Eigen::VectorXd>(column.data(), p.n());
  }
  const Eigen::MatrixXd H = A.transpose() * A / static_cast<double>(p.n());
  return p.loss->smoothness() * reference::eigenvalues(H).maxCoeff() + p.regulariser->smoothness();
}

Constants constants_of(const Problem& p) {
  std::vector<double> norms(p.loss->size());
  squared_norms(p.A->by_row(), {}, norms);
  const Result best = solve(p, {.tol = 1e-12});
  double distance = 0;
  const std::vector<double> x = start_point(p);
  for (std::size_t j = 0; j < x.size(); ++j) distance += (best.x[j] - x[j]) * (best.x[j] - x[j]);
  return {1.03 * exact_smoothness(p),  // what the solvers take at most
          p.loss->smoothness() * *std::max_element(norms.begin(), norms.end()) + p.regulariser->smoothness(),
          p.regulariser->strong_convexity(),
          p.set->radius() * (p.set->name() == "l1" ? 2 : std::sqrt(2.0)),
          best.certificate.dual,
          distance};
}

// P(x_t) - P* after every iteration, the mean over the seeds.
std::vector<double> mean_errors(const Problem& p, const Settings& settings, double optimum, int seeds) {
  std::vector<double> mean;
  for (int seed = 0; seed < seeds; ++seed) {
    Settings own = settings;
    own.seed = static_cast<std::uint64_t>(seed);
    own.tol = 1e-14;
    const Result result = solve(p, own);
    mean.resize(static_cast<std::size_t>(settings.max_iterations) + 1);
    // A row that is missing is not known to be good: the run may have ended early, but then it was at the optimum.
    EXPECT_TRUE(result.status == Status::converged || result.trace.size() >= mean.size()) << result.message;
    for (const TracePoint& row : result.trace)
      mean[static_cast<std::size_t>(row.iteration)] += (row.primal - optimum) / seeds;
  }
  return mean;
}

// Every mean error is below the bound, and the last bound says something.
void expect_bound(const Problem& p, const Settings& settings, const Constants& c, int seeds,
                  const std::function<double(double t)>& bound) {
  const std::vector<double> errors = mean_errors(p, settings, c.optimum, seeds);
  for (std::size_t t = 1; t < errors.size(); ++t)
    EXPECT_LE(errors[t], bound(static_cast<double>(t)) + 1e-12) << settings.solver << ", iteration " << t;
  EXPECT_LT(bound(static_cast<double>(settings.max_iterations)), 0.5 * errors[0]) << settings.solver;
}

// Steps that are far too short break it.
void expect_short_steps_break(const Problem& p, Settings settings, const Constants& c,
                              const std::function<double(double t)>& bound) {
  settings.step_scale = 1e-6;
  EXPECT_GT(mean_errors(p, settings, c.optimum, 1).back(), bound(static_cast<double>(settings.max_iterations)))
      << settings.solver;
}

const Formulation kWell{.loss = "squared", .radius = 2, .ridge = {0.05, false}};

Problem well_conditioned(const std::string& set = "l1", double ridge = 0.05) {
  Formulation f = kWell;
  f.set = set;
  f.ridge = {ridge, false};
  return random_problem({.n = 80, .d = 20, .density = 0.8, .scale = 0.5}, f, 3);
}

TEST(PrimalConstants, SmoothnessIsThatOfDenseAlgebra) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Problem p = random_problem({.n = 50, .d = 30}, {.loss = "logistic"}, seed);
    const double exact = exact_smoothness(p);
    for (const double accuracy : {kExactly, kRoughly}) {
      pdbfw::Run run({}, {}, 1);
      const double L = primal_smoothness(p, {}, run, accuracy);
      EXPECT_GE(L, (1 - accuracy) * exact);
      EXPECT_LE(L, (1 + accuracy) * exact);
      EXPECT_GT(run.work().multiply_adds, 0);
    }
  }
}

TEST(PrimalConstants, DiameterIsThatOfTheSet) {
  for (const Index d : {2, 3, 10}) {
    EXPECT_DOUBLE_EQ(diameter(random_problem({.n = 4, .d = d}, {.set = "l1", .radius = 3}, 1)), 6);
    EXPECT_DOUBLE_EQ(diameter(random_problem({.n = 4, .d = d}, {.set = "simplex", .radius = 3}, 1)),
                     3 * std::sqrt(2.0));
  }
  EXPECT_DOUBLE_EQ(diameter(random_problem({.n = 4, .d = 1}, {.set = "l1", .radius = 3}, 1)), 6);
  EXPECT_DOUBLE_EQ(diameter(random_problem({.n = 4, .d = 1}, {.set = "simplex", .radius = 3}, 1)), 0);
}

TEST(Pg, ContractsAsTheTheoremSays) {
  for (const std::string set : {"l1", "simplex"}) {
    const Problem p = well_conditioned(set);
    const Constants c = constants_of(p);
    const std::vector<double> best = solve(p, {.tol = 1e-13}).x;
    for (const Index t : {1, 3, 10, 30}) {
      const Result result = solve(p, {.tol = 1e-14, .solver = "pg", .steps = "theory", .max_iterations = t});
      double distance = 0;
      for (std::size_t j = 0; j < best.size(); ++j) distance += std::pow(result.x[j] - best[j], 2);
      EXPECT_LE(distance, std::pow(1 - c.mu / c.L, static_cast<double>(t)) * c.squared_distance) << set << ", " << t;
    }
    const Settings settings{.solver = "pg", .steps = "theory", .max_iterations = 40};
    const auto bound = [&](double t) { return std::pow(1 - c.mu / c.L, t) * 0.5 * c.L * c.squared_distance; };
    expect_bound(p, settings, c, 1, bound);
    expect_short_steps_break(p, settings, c, bound);
  }
}

TEST(Apg, FallsAsTheTheoremSays) {
  for (const double ridge : {0.0, 0.01}) {
    const Problem p = well_conditioned("l1", ridge);
    const Constants c = constants_of(p);
    const double root = std::sqrt(c.mu / c.L);
    const Settings settings{.solver = "apg", .steps = "theory", .max_iterations = 60};
    const auto bound = [&](double t) {
      return std::min(4 / ((t + 1) * (t + 1)), (1 + root) * std::pow(1 - root, t)) * 0.5 * c.L * c.squared_distance;
    };
    expect_bound(p, settings, c, 1, bound);
    expect_short_steps_break(p, settings, c, bound);
  }
}

// The loss is linear on all of C, so that the curvature that backtracking meets is the ridge, to the last digit or two:
// one step from anywhere in C leads to the optimum, and momentum only away from it.
TEST(Apg, StepsToTheOptimumWhereAllCurvatureIsTheRidge) {
  const MatrixPtr A = own_dense_rows(2, 2, std::vector<double>{0.5, 0.25, -0.125, 0.5});
  for (int k = 0; k < 1'000; ++k) {
    const double ridge = 0.5 + 0.001 * k;
    const Problem p = make_problem(A, {1, 1}, {.radius = 1, .ridge = {ridge, false}, .smoothing = 0.1});
    const Result result = solve(p, {.tol = 1e-8, .solver = "apg", .max_iterations = 20});
    EXPECT_EQ(result.status, Status::converged) << ridge << ": " << result.message;
  }
}

TEST(Svrg, FallsLinearlyFromEpochToEpochInTheMean) {
  Problem p =
      random_problem({.n = 300, .d = 15, .scale = 0.3}, {.loss = "squared", .radius = 1, .ridge = {1, false}}, 4);
  const Constants c = constants_of(p);
  const double step = 0.1 / c.L_max, m = 2.0 * static_cast<double>(p.n()), slack = 1 - 4 * c.L_max * step;
  const double rho = 1 / (c.mu * step * slack * m) + 4 * c.L_max * step * (m + 1) / (slack * m);
  ASSERT_LT(rho, 0.9);
  const Settings settings{.solver = "svrg", .steps = "theory", .max_iterations = 6};
  const std::vector<double> errors = mean_errors(p, settings, c.optimum, 20);
  for (std::size_t t = 1; t < errors.size(); ++t)
    EXPECT_LE(errors[t], rho * errors[t - 1] + 1e-12 * c.optimum) << "epoch " << t;
  expect_short_steps_break(p, settings, c, [&](double t) { return std::pow(rho, t) * errors[0]; });
}

// An iteration is at least one step, and the bound falls. (With far too short steps it is a thousand steps, as the
// batches are then small: no use to try them.)
TEST(Scgs, FallsAsTheTheoremSays) {
  const Problem p = well_conditioned("l1", 0);
  const Constants c = constants_of(p);
  expect_bound(p, {.solver = "scgs", .steps = "theory", .max_iterations = 40}, c, 10,
               [&](double t) { return c.L * c.D * c.D * (6 / ((t + 2) * (t + 2)) + 9 / (2 * (t + 1) * (t + 2))); });
}

TEST(Storc, HalvesItsBoundInEveryEpoch) {
  for (const std::string set : {"l1", "simplex"}) {
    const Problem p = well_conditioned(set);
    const Constants c = constants_of(p);
    const Settings settings{.solver = "storc", .steps = "theory", .max_iterations = 9};
    const auto bound = [&](double t) { return c.L * c.D * c.D / std::exp2(t + 1); };
    expect_bound(p, settings, c, 3, bound);
    expect_short_steps_break(p, settings, c, bound);
  }
}

// More rows than the first batches have.
TEST(Svrf, HalvesItsBoundInEveryEpoch) {
  const Problem p = random_problem({.n = 1'500, .d = 20, .density = 0.8, .scale = 0.5}, kWell, 3);
  const Constants c = constants_of(p);
  const Settings settings{.solver = "svrf", .steps = "theory", .max_iterations = 6};
  const auto bound = [&](double t) { return c.L * c.D * c.D / std::exp2(t + 1); };
  expect_bound(p, settings, c, 4, bound);
  expect_short_steps_break(p, settings, c, bound);
}

TEST(PrimalMethods, TheorysStepsAgreeWithAuto) {
  const std::vector<std::pair<std::string, double>> methods{{"pg", 1e-5},   {"apg", 1e-6},   {"svrg", 1e-3},
                                                            {"scgs", 3e-2}, {"storc", 1e-2}, {"svrf", 3e-2}};
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names()) {
      const Problem p =
          random_problem({.n = 30, .d = 12, .scale = 0.3},
                         {.loss = std::string(loss), .set = std::string(set), .radius = 2, .ridge = {3, true}}, 5);
      const double optimum = solve(p, {.tol = 1e-9}).certificate.primal;
      for (const auto& [solver, tol] : methods) {
        const std::string what = fmt::format("{} on {}, {}", loss, set, solver);
        const Result result = solve(p, {.tol = tol, .solver = solver, .steps = "theory", .max_iterations = 20'000});
        test::expect_certified(p, result, what);
        EXPECT_NEAR(result.certificate.primal, optimum, 2 * tol * optimum) << what;
      }
    }
}

TEST(PrimalMethods, DrawOtherRowsForAnotherSeed) {
  const Problem p = random_problem({.n = 400, .d = 30, .scale = 0.2}, {.radius = 3}, 6);
  for (const std::string solver : {"svrg", "scgs", "storc", "svrf"}) {
    Settings settings{.tol = 1e-12, .solver = solver, .max_iterations = 12, .seed = 1};
    const Result one = solve(p, settings), again = solve(p, settings);
    settings.seed = 2;
    EXPECT_EQ(one.x, again.x) << solver;
    EXPECT_NE(one.x, solve(p, settings).x) << solver;
  }
}

TEST(PrimalMethods, KeepTheirLimitsInsideAnEpoch) {
  const Problem p = random_problem({.n = 3'000, .d = 40, .scale = 0.3}, {.radius = 3, .ridge = {1e-4, false}}, 6);
  for (const std::string solver : {"svrg", "scgs", "storc", "svrf"}) {
    const Result all = solve(p, {.tol = 1e-12, .solver = solver, .steps = "theory", .max_iterations = 2});
    if (solver != "scgs") {  // whose iterations are short
      EXPECT_GT(all.work.data_passes, 10) << solver;
    }
    const Result result = solve(p, {.tol = 1e-12, .solver = solver, .steps = "theory", .max_passes = 7});
    EXPECT_EQ(result.status, Status::pass_limit) << solver;
    EXPECT_LE(result.work.data_passes, 7 + 8) << solver;
    test::expect_honest(p, result, solver);
  }
}

TEST(Storc, NeedsARidge) {
  const Problem p = random_problem({.n = 5, .d = 3}, {.ridge = {0, false}}, 1);
  EXPECT_EQ(test::message_of([&] { (void)solve(p, {.solver = "storc"}); }),
            "ridge: 0 breaks the rule: > 0 for the solver storc");
}

}  // namespace primal_methods_test
}  // namespace pdbfw
