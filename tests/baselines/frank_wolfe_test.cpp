// The Frank-Wolfe family: every method keeps what its own theorem promises, and its line search never lets P rise.
#include "baselines/frank_wolfe.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "baselines/active_set.hpp"
#include "baselines/baselines.hpp"
#include "baselines/step_rules.hpp"
#include "io/message.hpp"
#include "pdbfw/solve.hpp"
#include "support/cases.hpp"
#include "support/judge.hpp"
#include "support/problems.hpp"
#include "support/rates.hpp"

namespace pdbfw {
namespace frank_wolfe_test {

using test::expect_certified;
using test::expect_honest;
using test::random_problem;

const std::vector<std::string> kFamily{"fw", "fw_away", "fw_pairwise", "block_fw"};

Problem small_problem(std::string_view loss, std::string_view set, double radius, std::uint64_t seed,
                      double ridge = 3) {
  return random_problem({.n = 30, .d = 12, .scale = 0.4},
                        {.loss = std::string(loss), .set = std::string(set), .radius = radius, .ridge = {ridge, true}},
                        seed);
}

double optimum_of(const Problem& problem) { return solve(problem, {.tol = 1e-11}).certificate.dual; }

double smoothness_of(const Problem& problem) {
  pdbfw::Run run({}, {}, 1);
  return primal_smoothness(problem, {}, run);
}

// The largest eigenvalue of A'A, by many power iterations on the matrix in full.
double largest_eigenvalue(const Problem& problem) {
  std::vector<double> v(static_cast<std::size_t>(problem.d()), 1.0), w(problem.loss->size());
  v[0] = 1.5;
  double length = 0;
  for (int k = 0; k < 5'000; ++k) {
    multiply(*problem.A, v, w);
    multiply_transposed(*problem.A, w, v);
    length = std::sqrt(dot(v, v));
    for (double& v_j : v) v_j /= length;
  }
  return length;
}

TEST(PrimalSmoothness, IsThatOfTheHessianWithinAPerCent) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Problem problem = small_problem("logistic", "l1", 2, seed);
    const double exact = 0.25 * largest_eigenvalue(problem) / 30 + problem.regulariser->smoothness();
    const double found = smoothness_of(problem);
    EXPECT_GE(found, exact * (1 - 1e-9)) << seed;
    EXPECT_LE(found, exact * 1.03) << seed;
  }
}

TEST(PrimalSmoothness, OfAZeroMatrixIsTheRidge) {
  const Problem problem =
      make_problem(reference::sparse(reference::DenseMatrix(2, 2, {0, 0, 0, 0})), {1, -1}, {.ridge = {0.5, false}});
  EXPECT_DOUBLE_EQ(smoothness_of(problem), 0.5);
}

// The slopes of t -> (t - 2)^2 / 2, of a piecewise linear one, of one that is flat from 3 on, of one that overflows.
TEST(LineMinimum, FindsTheLowestPointInsideTheBounds) {
  int calls = 0;
  const auto parabola = [&](double t) {
    ++calls;
    return t - 2;
  };
  EXPECT_DOUBLE_EQ(line_minimum(parabola, -2, 1, 10), 2);
  EXPECT_EQ(calls, 1) << "Newton's step is exact";
  EXPECT_EQ(line_minimum(parabola, -2, 1, 1), 1) << "beyond the bound";
  EXPECT_EQ(line_minimum(parabola, 0, 1, 1), 0) << "no way down";
  EXPECT_EQ(line_minimum(parabola, 3, 1, 1), 0);
  EXPECT_EQ(line_minimum(parabola, std::nan(""), 1, 1), 0);
  EXPECT_EQ(line_minimum(parabola, -2, 1, 0), 0);
  EXPECT_NEAR(line_minimum(parabola, -2, 1e-9, 1e6), 2, 1e-3) << "too long a first step";
  EXPECT_NEAR(line_minimum(parabola, -2, 1e6, 1e6), 2, 1e-3) << "too short a first step";
  EXPECT_NEAR(line_minimum(parabola, -2, 0, 1e6), 2, 1e-3) << "no first step";
  const auto hinge = [](double t) { return -1.0 + (t > 1e-3 ? std::min(1.5, 1e4 * (t - 1e-3)) : 0.0); };
  EXPECT_NEAR(line_minimum(hinge, -1, 0, 1), 1.1e-3, 1e-7);
  const auto logistic = [](double t) { return 1 / (1 + std::exp(-(t - 5))) - 0.3; };
  EXPECT_NEAR(line_minimum(logistic, logistic(0), 1e-3, 100), 5 + std::log(0.3 / 0.7), 1e-2);
  const auto overflows = [](double t) { return t > 1e-3 ? std::nan("") : t - 5e-4; };
  EXPECT_NEAR(line_minimum(overflows, -5e-4, 0, 1), 5e-4, 1e-6);
}

// Whatever slopes a convex function may have: P does not rise.
TEST(LineMinimum, EndsWhereTheFunctionIsNoHigher) {
  Random random(3);
  for (int repetition = 0; repetition < 500; ++repetition) {
    std::vector<double> kink(6), size(6);
    for (std::size_t k = 0; k < 6; ++k) {
      kink[k] = std::exp(4 * random.normal());
      size[k] = std::exp(3 * random.normal());
    }
    const auto slope = [&](double t) {
      double sum = -1;
      for (std::size_t k = 0; k < 6; ++k) sum += size[k] * std::max(0.0, t - kink[k]);
      return sum;
    };
    const auto value = [&](double t) {
      double sum = -t;
      for (std::size_t k = 0; k < 6; ++k) sum += 0.5 * size[k] * std::pow(std::max(0.0, t - kink[k]), 2);
      return sum;
    };
    const double t = line_minimum(slope, -1, 0, 1e9);
    EXPECT_LT(value(t), 0) << repetition;
    EXPECT_LE(std::abs(slope(t)), 2e-4) << repetition;
  }
}

TEST(ActiveSet, IsXAndItsWeightsAddUpToOne) {
  for (const std::string_view set : set_names())
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Problem problem = small_problem("squared", set, 2, seed);
      Random random(seed);
      std::vector<double> x = test::random_vector(12, random);
      for (double& x_j : x) x_j *= seed % 2 == 0 ? 0.05 : 5;  // inside the ball, or taken to its boundary
      problem.set->project(x);
      const ActiveSet active(problem, x);
      std::vector<double> again(12, 99.0);
      active.write(again);
      double sum = active.weight({});
      for (std::size_t j = 0; j < x.size(); ++j) {
        EXPECT_NEAR(again[j], x[j], 1e-14) << set;
        for (const double sign : {1.0, -1.0}) sum += active.weight({static_cast<Index>(j), 2 * sign});
      }
      EXPECT_NEAR(sum, 1, 1e-14) << set;
      EXPECT_EQ(active.weight({}) > 1e-14, set != "simplex" && seed % 2 == 0) << set << seed;
    }
}

TEST(ActiveSet, AtomsComeAndGo) {
  const Problem problem = small_problem("squared", "l1", 2, 1);
  const Vertex plus{3, 2}, minus{3, -2}, other{5, 2};
  ActiveSet active(problem, std::vector<double>(12));
  EXPECT_EQ(active.size(), 1U);
  EXPECT_EQ(active.weight({}), 1);
  active.scale(0.25);
  active.add(plus, 0.5);
  active.add(minus, 0.25);
  EXPECT_EQ(active.size(), 3U);
  std::vector<double> x(12);
  active.write(x);
  EXPECT_DOUBLE_EQ(x[3], 0.5);
  active.add({}, -0.25);
  EXPECT_EQ(active.size(), 2U);
  EXPECT_EQ(active.weight({}), 0);
  EXPECT_EQ(active.weight(minus), 0.25) << "still found after another one has left";
  active.add(other, 0.25);
  std::vector<double> gradient(12);
  gradient[3] = 1;
  gradient[5] = 3;
  EXPECT_EQ(active.worst(gradient).at, 5);
  EXPECT_EQ(slope(gradient, active.worst(gradient)), 6);
  gradient[5] = 0;
  EXPECT_EQ(active.worst(gradient).value, 2);
  gradient[3] = -1;
  EXPECT_EQ(active.worst(gradient).value, -2);
}

// A ball of |x|_2, whose vertices have all coordinates.
class RoundBall final : public Set {
 public:
  [[nodiscard]] std::string_view name() const override { return "round"; }
  [[nodiscard]] double radius() const override { return 1; }
  [[nodiscard]] std::shared_ptr<const Set> with_radius(double) const override { return nullptr; }
  void linear_oracle(std::span<const double> gradient, SparseAtom& out) const override {
    out.at.clear();
    out.value.clear();
    double length = 0;
    for (const double g_j : gradient) length += g_j * g_j;
    for (std::size_t j = 0; j < gradient.size(); ++j) {
      out.at.push_back(static_cast<Index>(j));
      out.value.push_back(-gradient[j] / std::sqrt(length));
    }
  }
  void block_oracle(std::span<const double>, Index, SparseAtom&) const override {}
  void project(std::span<double>) const override {}
  [[nodiscard]] double violation(std::span<const double>) const override { return 0; }
  void start(Index, SparseAtom& out) const override { out = {}; }
  [[nodiscard]] DeadZone dead_zone(std::span<const double>, const Curvatures&, const DeadZone*) const override {
    return {};
  }
};

TEST(FrankWolfe, VerticesOfOneCoordinateAreAskedForWhereTheyAreNeeded) {
  Problem problem = small_problem("squared", "l1", 1, 1);
  problem.set = std::make_shared<RoundBall>();
  for (const std::string solver : {"fw_away", "fw_pairwise"})
    EXPECT_EQ(test::message_of([&] { find_solver(solver).check(problem, {}); }),
              "set: 'round' breaks the rule: one whose vertices are +-radius e_j, such as l1, simplex or nonnegative, "
              "for the solver " +
                  solver);
  EXPECT_NO_THROW(find_solver("fw").check(problem, {}));
}

// Jaggi 2013, Theorem 1: with gamma = 2/(t + 2), P(x_t) - P* <= 2 L diameter^2 / (t + 2) for t >= 1.
TEST(Fw, TheoryKeepsTheBoundOfItsTheorem) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names())
      for (const double ridge : {3.0, 0.0}) {
        const double radius = 1.5, diameter = set == "l1" ? 2 * radius : std::sqrt(2) * radius;
        const Problem problem = small_problem(loss, set, radius, 4, ridge);
        const double L = smoothness_of(problem), optimum = optimum_of(problem);
        const Result result =
            solve(problem, {.tol = 1e-12, .solver = "fw", .steps = "theory", .max_iterations = 1'000});
        ASSERT_EQ(result.trace.size(), 1'001U);
        for (const TracePoint& row : result.trace) {
          if (row.iteration == 0 || row.is_certified) continue;  // a certified row shows the best so far
          EXPECT_LE(row.primal - optimum,
                    2 * L * diameter * diameter / (static_cast<double>(row.iteration) + 2) + 1e-12)
              << loss << " on " << set << ", iteration " << row.iteration;
        }
        // The first step goes all the way to a vertex.
        const Result one = solve(problem, {.tol = 1e-12, .solver = "fw", .steps = "theory", .max_iterations = 1});
        EXPECT_EQ(std::count(one.x.begin(), one.x.end(), 0.0), 11) << loss << " on " << set;
      }
}

TEST(FrankWolfe, UnderALineSearchThePrimalValueNeverRises) {
  for (const std::string& solver : kFamily)
    for (const std::string_view loss : loss_names())
      for (const std::string_view set : set_names())
        for (const double ridge : {3.0, 0.0}) {
          const Problem problem = small_problem(loss, set, 1.5, 5, ridge);
          const Result result = solve(problem, {.tol = 1e-9, .solver = solver, .max_iterations = 300});
          for (std::size_t t = 1; t < result.trace.size(); ++t) {
            if (result.trace[t].is_certified || result.trace[t - 1].is_certified) continue;
            EXPECT_LE(result.trace[t].primal, result.trace[t - 1].primal * (1 + 1e-12))
                << solver << ", " << loss << " on " << set << ", iteration " << t;
          }
        }
}

TEST(FrankWolfe, ScaledStepsAreScaled) {
  const Problem problem = small_problem("squared", "l1", 1.5, 5);
  for (const std::string& solver : kFamily)
    for (const std::string steps : {"adaptive", "theory"}) {
      const auto after_one = [&](double scale) {
        return solve(problem,
                     {.tol = 1e-12, .solver = solver, .steps = steps, .step_scale = scale, .max_iterations = 1});
      };
      const std::vector<double> full = after_one(1).x, half = after_one(0.5).x;
      if (solver == "block_fw" && steps == "theory") continue;  // the scale is in M, too
      for (std::size_t j = 0; j < full.size(); ++j) EXPECT_NEAR(half[j], full[j] / 2, 1e-12) << solver << steps;
      // Steps are at most as long as the set allows, whatever the scale.
      for (const double absurd : {1e-300, 1e300}) {
        const Result result =
            solve(problem, {.solver = solver, .steps = steps, .step_scale = absurd, .max_iterations = 50});
        expect_honest(problem, result, solver);
      }
    }
}

using test::measured_rate;

// P is strongly convex and the optimum lies on the boundary, in the inside of a face: the case where plain Frank-Wolfe
// zigzags. Linear means that log(gap) falls as fast late as early.
TEST(FrankWolfe, AwayAndPairwiseStepsAreLinearWherePlainOnesAreNot) {
  for (const std::string_view set : set_names()) {
    const Problem problem = small_problem("squared", set, 1, 2);
    const Result best = solve(problem, {.tol = 1e-10});
    const Index support = 12 - std::count(best.x.begin(), best.x.end(), 0.0);
    ASSERT_GE(support, 3);
    ASSERT_GT(std::abs(best.multiplier), 1e-3) << "the radius binds";
    for (const std::string solver : {"fw_away", "fw_pairwise"})
      for (const std::string steps : {"adaptive", "theory"}) {
        const std::string what = fmt::format("{} with {} steps on {}", solver, steps, set);
        const Result result =
            solve(problem, {.tol = 1e-10, .solver = solver, .steps = steps, .max_iterations = 20'000});
        expect_certified(problem, result, what);
        const double early = measured_rate(result, 1e-4, 1e-7), late = measured_rate(result, 1e-7, 1e-10);
        EXPECT_GT(early, 0) << what;
        EXPECT_GE(late, 0.3 * early) << what;
        // Theorem 1 of the paper, for away steps: at least half of the steps contract by 1 - (mu/4L)
        // (width/diameter)^2, and the simplex in 12 dimensions has the pyramidal width 2/sqrt(12) and the diameter
        // sqrt(2).
        if (solver == "fw_away" && set == "simplex") {
          const double mu = problem.regulariser->strong_convexity(), L = smoothness_of(problem);
          EXPECT_GE(late, mu / (4 * L) / 6 / 2) << what;
        }
      }
    const Result plain = solve(problem, {.tol = 1e-10, .solver = "fw", .max_iterations = 5'000});
    const double late = measured_rate(plain, 1e-3, plain.certificate.relative_gap * 1.01);
    EXPECT_GT(late, 0) << set;
    EXPECT_LT(late, 0.1 * measured_rate(plain, 1e-1, 1e-2)) << set;
  }
}

// A vertex that left is gone from x exactly: the support is that of the optimum.
TEST(FrankWolfe, AwayAndPairwiseStepsFindTheSupport) {
  for (const std::string solver : {"fw_away", "fw_pairwise"})
    for (const std::string_view set : set_names()) {
      const Problem problem = small_problem("smooth_hinge", set, 1, 2);
      const Result best = solve(problem, {.tol = 1e-10}), result = solve(problem, {.tol = 1e-9, .solver = solver});
      for (std::size_t j = 0; j < best.x.size(); ++j)
        EXPECT_EQ(result.x[j] != 0, best.x[j] != 0) << solver << " on " << set << ", feature " << j;
    }
}

// Section 3.2 of the paper: with eta = mu/(2L), and s no less than the non-zeros of the optimum, P - P* falls by the
// factor 1 - mu/(4L) at least, in every step.
TEST(BlockFw, TheoryContractsAsTheLemmaSays) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names()) {
      const Problem problem = small_problem(loss, set, 1, 6, 10);
      const double mu = problem.regulariser->strong_convexity(), L = smoothness_of(problem);
      const Result best = solve(problem, {.tol = 1e-12});
      const Index support = 12 - std::count(best.x.begin(), best.x.end(), 0.0);
      for (const Index s : {support, Index{12}}) {
        const Result result =
            solve(problem,
                  {.tol = 1e-7, .solver = "block_fw", .steps = "theory", .block_primal = s, .max_iterations = 20'000});
        const std::string what = fmt::format("{} on {}, s = {}", loss, set, s);
        expect_certified(problem, result, what);
        EXPECT_EQ(result.settings.block_primal, s) << what;
        double before = 0;
        for (const TracePoint& row : result.trace) {
          const double above = row.primal - best.certificate.dual;
          if (row.iteration > 0 && !row.is_certified && before > 0) {
            EXPECT_LE(above, before * (1 - mu / (4 * L)) + 1e-12) << what << ", iteration " << row.iteration;
          }
          before = row.is_certified ? 0 : above;
        }
      }
    }
}

// Too small a block stalls for ever, unless it may grow.
TEST(BlockFw, ABlockBelowTheSupportGrowsWhereItMay) {
  const Problem problem = random_problem({.n = 400, .d = 300, .scale = 0.1}, {.loss = "squared", .radius = 100}, 3);
  const Result free = solve(problem, {.tol = 1e-6, .solver = "block_fw"});
  expect_certified(problem, free, "free");
  const Index support = 300 - std::count(free.x.begin(), free.x.end(), 0.0);
  ASSERT_GT(support, 100);  // where blocks begin
  EXPECT_GT(*free.settings.block_primal, 100);
  const Result fixed = solve(problem, {.tol = 1e-6, .solver = "block_fw", .block_primal = 10, .max_iterations = 5'000});
  expect_honest(problem, fixed, "fixed");
  EXPECT_EQ(fixed.settings.block_primal, 10);
  EXPECT_GT(fixed.certificate.relative_gap, 1e-6);
}

Result block_fw(const Problem& problem, const Settings& settings, GradientFrom from) {
  return run<Judge>(problem, settings, {}, *make_block_fw(problem, settings, {}, from));
}

// The gradient that is carried along by columns of A'A is that of the data: the same iterates, but for rounding.
TEST(BlockFw, GradientFromTheGramMatrixGivesTheSameIterates) {
  for (const std::string_view set : set_names())
    for (const std::string steps : {"adaptive", "theory"})
      for (const double ridge : {3.0, 0.0}) {
        if (steps == "theory" && ridge == 0) continue;
        const Problem problem = small_problem("squared", set, 1.5, 7, ridge);
        for (const Index iterations : {0, 1, 2, 5, 20}) {
          const Settings settings{.tol = 1e-13, .solver = "block_fw", .steps = steps, .max_iterations = iterations};
          const Result data = block_fw(problem, settings, GradientFrom::data);
          const Result gram = block_fw(problem, settings, GradientFrom::gram);
          const std::string what = fmt::format("{}, {}, ridge {}, {} iterations", set, steps, ridge, iterations);
          expect_honest(problem, gram, what);
          for (std::size_t j = 0; j < data.x.size(); ++j) EXPECT_NEAR(gram.x[j], data.x[j], 1e-8) << what;
          EXPECT_NEAR(gram.trace.back().primal, data.trace.back().primal, 1e-12) << what;
        }
      }
}

TEST(BlockFw, GradientFromTheGramMatrixIsTakenWhereItIsCheaperAndCostsLess) {
  const Problem tall = random_problem({.n = 500, .d = 20, .density = 1}, {.loss = "squared", .radius = 2}, 1);
  const Settings settings{.tol = 1e-9, .solver = "block_fw", .steps = "theory", .max_iterations = 500};
  const auto passes = [&](GradientFrom from) { return block_fw(tall, settings, from).work.data_passes; };
  EXPECT_EQ(passes(GradientFrom::whichever_is_cheaper), passes(GradientFrom::gram));
  EXPECT_LT(2 * passes(GradientFrom::gram), passes(GradientFrom::data));
  const Problem wide = random_problem({.n = 20, .d = 50, .density = 1}, {.loss = "squared", .radius = 2}, 1);
  const Problem hinge = random_problem({.n = 500, .d = 20, .density = 1}, {.loss = "squared_hinge", .radius = 2}, 1);
  for (const Problem& problem : {wide, hinge})
    EXPECT_EQ(block_fw(problem, settings, GradientFrom::whichever_is_cheaper).work.multiply_adds,
              block_fw(problem, settings, GradientFrom::data).work.multiply_adds);
}

TEST(BlockFw, TheoryNeedsARidge) {
  const Problem problem = small_problem("squared", "l1", 1, 1, 0);
  EXPECT_EQ(test::message_of([&] { (void)solve(problem, {.solver = "block_fw", .steps = "theory"}); }),
            "ridge: 0 breaks the rule: > 0 for the solver block_fw with theory's steps; use adaptive");
  expect_certified(problem, solve(problem, {.tol = 1e-6, .solver = "block_fw"}), "adaptive");
}

// An iteration is one A'y and the columns of the atom; a certificate costs two passes on top, w anew one. The first one
// also pays for the start, A'y alone as it begins at zero, and for the norms of the columns that block_fw begins with.
TEST(FrankWolfe, AnIterationCostsAPassAndItsColumns) {
  const Problem problem = random_problem({.n = 60, .d = 80, .density = 0.2}, {.radius = 2}, 1);
  const auto all = static_cast<double>(problem.A->nonzeros());
  Index fullest = 0;
  std::visit(
      [&](const auto& columns) {
        for (Index j = 0; j < columns.count; ++j) fullest = std::max(fullest, columns[j].size);
      },
      problem.A->by_column());
  for (const auto& [solver, columns] : {std::pair{"fw", 1}, {"fw_away", 1}, {"fw_pairwise", 2}, {"block_fw", 7}}) {
    Settings settings{.tol = 1e-12, .solver = solver, .max_iterations = 200};
    if (settings.solver == "block_fw") settings.block_primal = columns;
    const Result result = solve(problem, settings);
    for (std::size_t t = 1; t < result.trace.size(); ++t) {
      const TracePoint &before = result.trace[t - 1], &now = result.trace[t];
      const double start = t > 1 ? 0 : settings.solver == "block_fw" ? 2 * all : all;
      const double cost = now.multiply_adds - before.multiply_adds - (before.is_certified ? 2 * all : 0) - start;
      EXPECT_LE(cost, all + static_cast<double>(columns * fullest)) << solver << ", iteration " << t;
      EXPECT_GE(cost, all) << solver << ", iteration " << t;
    }
  }
}

TEST(FrankWolfe, DriftIsWipedOut) {
  const Problem problem = small_problem("squared", "l1", 1, 2);
  const Result result = solve(problem, {.tol = 1e-12, .solver = "fw", .max_iterations = 2'500});
  const std::vector<TracePoint>& trace = result.trace;
  const double cost = trace[1'000].multiply_adds - trace[999].multiply_adds;
  const double usual = trace[998].multiply_adds - trace[997].multiply_adds;
  EXPECT_NEAR(cost - usual, static_cast<double>(problem.A->nonzeros()), 60) << "w anew, once in a thousand iterations";
  expect_honest(problem, result, "fw");
}

TEST(FrankWolfe, TheorysStepsGiveTheSameBitsForAnyNumberOfThreads) {
  const Problem problem =
      random_problem({.n = 500, .d = 430, .density = 0.97, .scale = 0.05}, {.loss = "squared", .radius = 5}, 4);
  ASSERT_GT(problem.A->nonzeros(), 200'000);  // from which on products use threads
  for (const std::string& solver : kFamily) {
    const auto with = [&](int threads) {
      return solve(problem,
                   {.tol = 1e-9, .solver = solver, .steps = "theory", .max_iterations = 5, .threads = threads});
    };
    const Result one = with(1);
    for (const int threads : {2, 8}) {
      const Result more = with(threads);
      EXPECT_EQ(more.x, one.x) << solver << ", " << threads << " threads";
      EXPECT_EQ(more.y, one.y) << solver << ", " << threads << " threads";
      EXPECT_EQ(more.work.multiply_adds, one.work.multiply_adds) << solver;
    }
  }
}

// The statuses that the tests of every solver do not reach: a block that is too small leads nowhere, and a first step
// of length 1 may end where the objective is no number.
TEST(FrankWolfe, StallsAndDivergencesAreSaidToBeThat) {
  const Problem problem = small_problem("squared", "l1", 1.5, 5);
  const Result stalled = solve(problem, {.tol = 1e-9, .solver = "block_fw", .block_primal = 1});
  EXPECT_EQ(stalled.status, Status::stalled);
  EXPECT_GT(stalled.certificate.relative_gap, 1e-6);
  expect_honest(problem, stalled, "block_fw");
  const Problem huge = random_problem({.n = 8, .d = 5, .scale = 1e160}, {.loss = "squared_hinge", .radius = 2}, 7);
  const Result diverged = solve(huge, {.solver = "fw", .steps = "theory"});
  EXPECT_EQ(diverged.status, Status::diverged);
  expect_honest(huge, diverged, "fw");
}

// The limits hold inside the power iteration that theory's steps begin with, too.
TEST(FrankWolfe, TheorysPreparationKeepsTheLimits) {
  const Problem problem = small_problem("squared", "l1", 1, 2);
  for (const std::string solver : {"fw_away", "fw_pairwise", "block_fw"}) {
    const Result result = solve(problem, {.tol = 1e-12, .solver = solver, .steps = "theory", .max_passes = 3});
    EXPECT_EQ(result.status, Status::pass_limit) << solver;
    EXPECT_LE(result.work.data_passes, 10) << solver;
    expect_honest(problem, result, solver);
  }
}

}  // namespace frank_wolfe_test
}  // namespace pdbfw
