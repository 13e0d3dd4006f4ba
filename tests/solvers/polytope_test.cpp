// Solves over general polytopes: by hand, against the sets whose hull they are, and against every point of the hull.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "io/message.hpp"
#include "pdbfw/set.hpp"
#include "pdbfw/solve.hpp"
#include "solvers/kept_atoms.hpp"
#include "steps/dual_blocks.hpp"
#include "support/judge.hpp"
#include "support/problems.hpp"
#include "support/solvers.hpp"

namespace pdbfw {
namespace polytope_test {

using reference::DenseMatrix;
using test::expect_honest;
using test::message_of;
using test::random_problem;

Problem on_polytope(Problem problem, const DenseMatrix& atoms, double radius = 1) {
  problem.set = make_polytope(reference::sparse(atoms), radius);
  return problem;
}

void expect_converged(const Problem& problem, const Result& result, const std::string& what) {
  EXPECT_EQ(to_string(result.status), "converged") << what << ": " << result.message;
  expect_honest(problem, result, what);
  EXPECT_GE(result.certificate.gap, 0) << what;
}

DenseMatrix ball_vertices(Index d) {
  DenseMatrix vertices(2 * d, d);
  for (Index j = 0; j < d; ++j) {
    vertices(2 * j, j) = 1;
    vertices(2 * j + 1, j) = -1;
  }
  return vertices;
}

DenseMatrix random_atoms(Index m, Index d, std::uint64_t seed) {
  Random random(seed);
  return test::random_matrix({.n = m, .d = d, .density = 0.7}, random);
}

std::vector<double> random_mixture(const DenseMatrix& atoms, Random& random) {
  std::vector<double> weight(static_cast<std::size_t>(atoms.rows));
  double sum = 0;
  for (double& w : weight) sum += w = random.uniform() < 0.3 ? 0 : -std::log(1 - random.uniform());
  if (sum == 0) sum = weight[0] = 1;
  for (double& w : weight) w /= sum;
  return reference::transposed_times(atoms, weight);
}

// P(x) = (1/4)(x_1 - b_1)^2 + (1/4)(x_2 - b_2)^2
Problem plane(double b1, double b2, const DenseMatrix& atoms, double radius = 1) {
  const Problem problem = make_problem(reference::dense({2, 2, {1, 0, 0, 1}}), {b1, b2},
                                       {.loss = "squared", .radius = 1, .ridge = {0, false}});
  return on_polytope(problem, atoms, radius);
}

struct ByHand {
  std::string name;
  Problem problem;
  std::vector<double> x;
  double optimum;
};

std::vector<ByHand> by_hand() {
  const DenseMatrix triangle(3, 2, {0, 0, 1, 0, 0, 1}), box(4, 2, {1, 1, 1, -1, -1, 1, -1, -1});
  Problem with_ridge = plane(1, 1, triangle);
  with_ridge.regulariser =
      make_problem(with_ridge.A, test::targets_of(with_ridge), {.loss = "squared", .ridge = {3, false}}).regulariser;
  return {
      {"triangle, an edge", plane(1, 1, triangle), {0.5, 0.5}, 0.125},
      {"triangle, a corner", plane(5, 0, triangle), {1, 0}, 4},
      {"triangle, inside", plane(0.25, 0.5, triangle), {0.25, 0.5}, 0},
      {"triangle of radius 4", plane(4, 4, triangle, 4), {2, 2}, 2},
      // (1/2)(t - 1)^2 + 3 t^2 along x = (t, t) is least at t = 1/7.
      {"triangle with a ridge", with_ridge, {1.0 / 7, 1.0 / 7}, 3.0 / 7},
      {"box, an edge", plane(3, -0.25, box), {1, -0.25}, 1},
      {"box, a corner", plane(3, 2, box), {1, 1}, 1.25},
      {"one atom", plane(1, 1, {1, 2, {0, 3}}), {0, 3}, 1.25},
  };
}

TEST(PolytopeSolve, ProblemsSolvedByHand) {
  for (const ByHand& c : by_hand())
    for (const SolverDescription& solver : solver_descriptions()) {
      if (!solver.takes_polytopes || (solver.needs_ridge && c.problem.regulariser->strong_convexity() == 0)) continue;
      const std::string what = fmt::format("{}, {}", c.name, solver.name);
      const double tol = test::fair(solver.name, c.optimum == 0 ? 1e-4 : 1e-9);
      const Result result =
          solve(c.problem, {.tol = tol, .solver = std::string(solver.name), .max_iterations = 20'000});
      if (c.optimum > 0) expect_converged(c.problem, result, what);
      EXPECT_NEAR(result.certificate.primal, c.optimum, tol * (1 + c.optimum)) << what;
      for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(result.x[j], c.x[j], 3 * std::sqrt(tol)) << what;
    }
}

TEST(PolytopeSolve, AutoTakesPdfw) {
  const Result result = solve(by_hand()[0].problem);
  EXPECT_EQ(result.solver, "pdfw");
  EXPECT_EQ(result.multiplier, 0);
}

// The vertices of the ball as atoms and the ball itself are one problem, solved and certified in two ways.
TEST(PolytopeSolve, AgreesWithTheBall) {
  for (const std::string_view loss : loss_names())
    for (const double ridge : {0.0, 0.05}) {
      const Formulation formulation{.loss = std::string(loss), .radius = 1.5, .ridge = {ridge, false}};
      const Problem ball = random_problem({.n = 30, .d = 12, .scale = 0.4}, formulation, 3);
      const Problem hull = on_polytope(ball, ball_vertices(12), 1.5);
      const std::string what = fmt::format("{}, ridge {}", loss, ridge);
      const Result one = solve(ball, {.tol = 1e-8}), two = solve(hull, {.tol = 1e-8});
      expect_converged(hull, two, what);
      EXPECT_NEAR(one.certificate.primal, two.certificate.primal, 2e-8 * one.certificate.primal) << what;
      EXPECT_LE(two.certificate.dual, one.certificate.primal * (1 + 1e-12)) << what;
      EXPECT_LE(ball.set->violation(two.x), 1e-12) << what;
      // The exact dual value is at least the one that is seen from x.
      EXPECT_GE(certify(ball, two.x, two.y).dual, two.certificate.dual - 1e-14) << what;
    }
}

RC_GTEST_PROP(PolytopeLaws, TheBoundLiesBelowEveryPointOfTheHull, (std::uint64_t seed)) {
  Random random(seed);
  const auto losses = loss_names();
  const auto m = *rc::gen::inRange<Index>(1, 12), d = *rc::gen::inRange<Index>(1, 6);
  const DenseMatrix atoms = random_atoms(m, d, seed);
  const Formulation formulation{.loss = std::string(losses[*rc::gen::inRange<std::size_t>(0, losses.size())]),
                                .ridge = {*rc::gen::element(0.0, 0.1, 3.0), false}};
  const Problem problem = on_polytope(random_problem({.n = 8, .d = d}, formulation, seed), atoms);
  // Any x of the hull, any y of the domain.
  const std::vector<double> x = random_mixture(atoms, random);
  std::vector<double> y = test::random_vector(8, random);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = problem.loss->dual_prox(i, 0, y[i], 0);
  const Certificate any = certify(problem, x, y);
  RC_ASSERT(any.violation <= 1e-10);
  const Result result = solve(problem, {.tol = 1e-7, .max_iterations = 2'000});
  RC_ASSERT(result.certificate.violation <= 1e-10);
  for (int t = 0; t < 200; ++t) {
    const double primal = certify(problem, random_mixture(atoms, random), y).primal;
    const double rounding = 1e-12 * (1 + std::abs(primal));
    RC_ASSERT(any.dual <= primal + rounding);
    RC_ASSERT(result.certificate.dual <= primal + rounding);
  }
  RC_ASSERT(any.dual <= result.certificate.primal + 1e-12 * (1 + std::abs(result.certificate.primal)));
  RC_ASSERT(result.certificate.gap >= 0);
}

TEST(PolytopeSolve, ReachesTheToleranceOnRandomHulls) {
  for (const std::string_view loss : loss_names())
    for (const double ridge : {0.0, 0.01})
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Formulation formulation{.loss = std::string(loss), .ridge = {ridge, false}};
        const Problem problem = on_polytope(random_problem({.n = 40, .d = 20, .scale = 0.3}, formulation, seed),
                                            random_atoms(60, 20, seed + 9), 3);
        expect_converged(problem, solve(problem, {.tol = 1e-7}), fmt::format("{}, ridge {}, {}", loss, ridge, seed));
      }
}

// P(x_t) - P* <= 2 C / (t + 2),  C = max over pairs of atoms of (beta/n) |A (v - v')|^2 + |Q^(1/2) (v - v')|^2.  [M20]
TEST(PolytopeSolve, TheoryStepsKeepTheBoundOfFrankWolfe) {
  for (const std::string_view loss : loss_names()) {
    const DenseMatrix atoms = random_atoms(15, 8, 2);
    const Problem problem =
        on_polytope(random_problem({.n = 20, .d = 8}, {.loss = std::string(loss), .ridge = {0.1, false}}, 5), atoms);
    double largest = 0;
    for (Index i = 0; i < atoms.rows; ++i)
      for (Index k = 0; k < i; ++k) {
        std::vector<double> difference(8);
        for (Index j = 0; j < 8; ++j) difference[static_cast<std::size_t>(j)] = atoms(i, j) - atoms(k, j);
        const std::vector<double> product = reference::times(reference::expand(*problem.A), difference);
        largest = std::max(largest, problem.loss->smoothness() / 20 * reference::inner(product, product) +
                                        2 * problem.regulariser->value(difference));
      }
    const double optimum = solve(problem, {.tol = 1e-9}).certificate.dual;
    for (const Index t : {1, 3, 10, 30, 100, 300}) {
      const Result result = solve(problem, {.tol = 1e-300, .solver = "pdfw", .steps = "theory", .max_iterations = t});
      expect_honest(problem, result, std::string(loss));
      EXPECT_LE(result.certificate.primal - optimum, 2 * largest / static_cast<double>(t + 2)) << loss << " " << t;
    }
  }
}

TEST(PolytopeSolve, TheoryStepsWithFewRowsAndAProximalTermAreHonest) {
  const Problem problem = on_polytope(random_problem({.n = 30, .d = 10}, {}, 1), random_atoms(20, 10, 4));
  for (const Index k : {1, 7, 30, 1000}) {
    const Result result = solve(
        problem,
        {.tol = 5e-2, .solver = "pdfw", .steps = "theory", .block_dual = k, .delta = 300, .max_iterations = 5'000});
    expect_converged(problem, result, fmt::format("k {}", k));
    EXPECT_EQ(result.settings.block_dual, std::min<Index>(k, 30));
  }
}

TEST(PolytopeSolve, AnOracleGivesTheSameBitsAsItsAtoms) {
  const DenseMatrix atoms = random_atoms(20, 10, 4);
  const Problem by_list = on_polytope(random_problem({.n = 30, .d = 10}, {}, 1), atoms);
  Problem by_oracle = by_list;
  by_oracle.set = make_polytope([&](std::span<const double> gradient) {
    SparseAtom best;
    by_list.set->linear_oracle(gradient, best);
    return best;
  });
  const Result one = solve(by_list, {.tol = 1e-8}), two = solve(by_oracle, {.tol = 1e-8});
  expect_converged(by_oracle, two, "oracle");
  EXPECT_EQ(one.x, two.x);
  EXPECT_EQ(one.y, two.y);
}

TEST(PolytopeSolve, AWarmStartEndsSoon) {
  const Problem problem = on_polytope(random_problem({.n = 40, .d = 20}, {}, 7), random_atoms(80, 20, 4));
  for (const std::string steps : {"adaptive", "theory"}) {
    const Result cold = solve(problem, {.tol = 1e-8});
    const Result warm =
        solve(problem, {.tol = 1e-6, .solver = "pdfw", .steps = steps}, {}, {cold.x, cold.y, cold.multiplier});
    expect_converged(problem, warm, steps);
    EXPECT_EQ(warm.work.iterations, 0) << steps;
  }
  const std::vector<double> far(20, 1e3);  // taken into the hull first
  expect_converged(problem, solve(problem, {.tol = 1e-7}, {}, {far, {}, 0}), "from far away");
}

TEST(PolytopeSolve, PathsScaleTheAtoms) {
  const Problem problem = on_polytope(random_problem({.n = 40, .d = 20, .scale = 0.3}, {}, 7), random_atoms(80, 20, 4));
  for (const std::string steps : {"adaptive", "theory"}) {
    const double tol = steps == "theory" ? 2e-2 : 1e-7;
    const Settings settings{.tol = tol, .solver = "pdfw", .steps = steps};
    for (const PathPoint& point : solve_path(problem, {0.1, 2, 0.7, 30}, settings)) {
      Problem alone = problem;
      alone.set = problem.set->with_radius(point.radius);
      expect_converged(alone, point.result, fmt::format("{}, radius {}", steps, point.radius));
      const double optimum = solve(alone, {.tol = 1e-8}).certificate.primal;
      EXPECT_NEAR(point.result.certificate.primal, optimum, 2 * tol * optimum) << steps << point.radius;
    }
  }
}

TEST(PolytopeSolve, SaysWhatIsWrong) {
  const Problem problem = by_hand()[0].problem;
  for (const SolverDescription& solver : solver_descriptions()) {
    if (solver.takes_polytopes) continue;
    const std::string start = fmt::format(
        "solver: {} breaks the rule: one that needs a linear oracle only, for the set polytope: auto", solver.name);
    const Settings settings{.solver = std::string(solver.name)};
    EXPECT_TRUE(message_of([&] { (void)solve(problem, settings); }).starts_with(start)) << solver.name;
    EXPECT_TRUE(message_of([&] { (void)solve_path(problem, {1}, settings); }).starts_with(start)) << solver.name;
  }
  const auto made = [&](const Formulation& f) { return message_of([&] { (void)make_problem(problem.A, {1, 1}, f); }); };
  const MatrixPtr wide = reference::sparse({1, 3, {1, 1, 1}});
  EXPECT_EQ(made({.loss = "squared", .set = "polytope"}),
            "atoms: none breaks the rule: a matrix of them for the set polytope");
  EXPECT_EQ(made({.loss = "squared", .set = "l1", .atoms = wide}),
            "atoms: a matrix breaks the rule: none for the set l1");
  EXPECT_EQ(made({.loss = "squared", .set = "polytope", .atoms = wide}),
            "atoms: 3 columns breaks the rule: at most the 2 features of the data");
}

TEST(PolytopeSolve, KeepsItsLimitsAndStopsWhenTheCallbackSaysSo) {
  const Problem problem = on_polytope(random_problem({.n = 40, .d = 20}, {}, 7), random_atoms(80, 20, 4));
  for (const std::string steps : {"adaptive", "theory"}) {
    const Settings endless{.tol = 1e-300, .solver = "pdfw", .steps = steps, .max_iterations = 2};
    EXPECT_EQ(solve(problem, endless).status, Status::iteration_limit);
    expect_honest(problem, solve(problem, endless), steps);
    const Result stopped = solve(problem, endless, [](const Progress&) { return false; });
    EXPECT_EQ(stopped.status, Status::interrupted);
    expect_honest(problem, stopped, steps);
  }
}

// A v is computed once: an atom that comes back costs nothing.
TEST(KeptAtoms, ProductsAreKept) {
  const Problem problem = plane(1, 1, {3, 2, {0, 0, 1, 0, 0, 1}});
  KeptAtoms atoms(problem);
  const SparseAtom first{{0}, {2}}, second{{0, 1}, {1, -3}};
  EXPECT_FALSE(atoms.find(first));
  EXPECT_EQ(atoms.add(first), 2);  // a column of a dense matrix with two rows
  EXPECT_EQ(atoms.add(second), 4);
  EXPECT_EQ(atoms.find(first), 0);
  EXPECT_EQ(atoms.find(second), 1);
  EXPECT_EQ(atoms.products(), (Eigen::MatrixXd(2, 2) << 2, 1, 0, -3).finished());
  atoms.scale(0.1);
  EXPECT_EQ(atoms.find({{0, 1}, {0.1, -0.3}}), 1) << "up to rounding";
  EXPECT_FALSE(atoms.find(second));
  atoms.keep_only({1});
  EXPECT_EQ(atoms.size(), 1);
  EXPECT_EQ(atoms.find({{0, 1}, {0.1, -0.3}}), 0);
}

std::vector<Index> next(DualBlocks& blocks, Index k) {
  return blocks.next(k, [](Index i) { return static_cast<double>(i % 3); });
}

TEST(DualBlocks, EveryRuleTakesItsRows) {
  DualBlocks greedy(6, {.block_rule = "gs_r"}), cyclic(6, {.block_rule = "cyclic"}), full(6, {.block_rule = "full"});
  EXPECT_EQ(next(greedy, 2), (std::vector<Index>{2, 5}));
  EXPECT_EQ(next(greedy, 3), (std::vector<Index>{1, 2, 5}));
  EXPECT_EQ(next(cyclic, 4), (std::vector<Index>{0, 1, 2, 3}));
  EXPECT_EQ(next(cyclic, 4), (std::vector<Index>{0, 1, 4, 5}));
  EXPECT_EQ(next(cyclic, 4), (std::vector<Index>{2, 3, 4, 5}));
  EXPECT_EQ(next(full, 1), (std::vector<Index>{0, 1, 2, 3, 4, 5}));
  DualBlocks random(6, {.block_rule = "random"});
  std::vector<int> times(6, 0);
  for (int t = 0; t < 3'000; ++t) {
    const std::vector<Index> block = next(random, 2);
    ASSERT_EQ(block.size(), 2U);
    ASSERT_LT(block[0], block[1]);
    for (const Index i : block) ++times[static_cast<std::size_t>(i)];
  }
  for (const int count : times) EXPECT_NEAR(count, 1'000, 150);
}

TEST(DualBlocks, PdbfwConvergesWithEveryRule) {
  const Problem problem = random_problem({.n = 40, .d = 20, .scale = 0.3}, {.radius = 2}, 4);
  for (const std::string rule : {"gs_r", "random", "cyclic", "full"}) {
    const Result result = solve(problem, {.tol = 1e-4, .solver = "pdbfw", .block_dual = 20, .block_rule = rule});
    expect_converged(problem, result, rule);
  }
  EXPECT_EQ(message_of([&] { (void)solve(problem, {.solver = "pdbfw", .block_rule = "randon"}); }),
            "block_rule: 'randon' breaks the rule: one of gs_r, random, cyclic, full (did you mean 'random'?)");
}

}  // namespace polytope_test
}  // namespace pdbfw
