// A penalty instead of a radius: proven, and the same solution as the ball that it finds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "io/message.hpp"
#include "pdbfw/solve.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace penalty_test {

using test::message_of;

double l1_norm(const std::vector<double>& x) {
  double norm = 0;
  for (const double x_j : x) norm += std::abs(x_j);
  return norm;
}

TEST(Penalty, IsProvenForEveryLossWithRidgeAndWithout) {
  for (const std::string_view loss : loss_names())
    for (const double ridge : {0.0, 0.01})
      for (const bool intercept : {false, true})
        for (const double alpha : {0.3, 0.03, 0.003}) {
          const Problem p = test::random_problem(
              {.n = 60, .d = 25}, {.loss = std::string(loss), .ridge = {ridge, false}, .intercept = intercept}, 3);
          const Penalised found = solve_penalised(p, alpha, {.tol = 1e-5});
          EXPECT_EQ(found.result.status, Status::converged)
              << loss << ' ' << ridge << ' ' << alpha << ' ' << intercept << ' ' << found.result.message;
          const Certificate again = certify_penalised(p, alpha, found.result.x, found.result.y);
          EXPECT_LE(again.relative_gap, 1e-5);
          EXPECT_GE(again.gap, 0);
          EXPECT_LE(l1_norm(found.result.x), found.radius * (1 + 1e-9));
        }
}

// A column times 2^k whose weight in the penalty is times 2^k has the weight times 2^-k, to the last bit and by the
// same steps. So has a column of any scale where features are standardised.
TEST(Penalty, DoesNotSeeTheScaleOfAColumn) {
  for (const std::string_view loss : loss_names())
    for (const bool intercept : {false, true})
      for (const bool standardise : {false, true}) {
        Random random(5);
        reference::DenseMatrix A = test::random_matrix({.n = 40, .d = 12}, random);
        const std::vector<double> b = test::random_targets(A, test::takes_labels({.loss = std::string(loss)}), random);
        Formulation f{.loss = std::string(loss), .radius = 2, .ridge = {0.1, true}, .intercept = intercept};
        f.standardise = standardise;
        if (!standardise) f.penalty_weight.assign(12, 1.0);
        const Problem plain = make_problem(reference::sparse(A), b, f);
        std::vector<double> factor;
        for (Index j = 0; j < 12; ++j) {
          factor.push_back(std::ldexp(1.0, static_cast<int>(random.below(41)) - 20));
          for (Index i = 0; i < 40; ++i) A(i, j) *= factor.back();
        }
        if (!standardise) f.penalty_weight = factor;
        const Problem scaled = make_problem(reference::sparse(A), b, f);
        const auto expect_same = [&](const Result& result, const Result& other) {
          EXPECT_EQ(result.work.iterations, other.work.iterations) << loss;
          EXPECT_EQ(result.intercept, other.intercept) << loss;
          const std::vector<double> x = feature_weights(plain, result), y = feature_weights(scaled, other);
          for (std::size_t j = 0; j < x.size(); ++j) EXPECT_EQ(x[j], y[j] * factor[j]) << loss << ' ' << j;
        };
        expect_same(solve_penalised(plain, 0.05).result, solve_penalised(scaled, 0.05).result);
        expect_same(solve(plain), solve(scaled));
      }
}

// The loss hardly falls for these features: a ball of any radius is solved to three digits at x = 0, and its multiplier
// says nothing.
TEST(Penalty, IsProvenWhereFeaturesExplainLittle) {
  for (const std::string_view loss : loss_names())
    for (const double ridge : {1.0, 30.0})
      for (const std::string set : {"l1", "nonnegative"}) {
        const Problem p =
            test::random_problem({.n = 19, .d = 12, .scale = 0.03},
                                 {.loss = std::string(loss), .set = set, .ridge = {ridge, true}, .intercept = true}, 7);
        const Penalised found = solve_penalised(p, 0.1 * largest_alpha(p), {.tol = 1e-9, .max_passes = 10'000});
        EXPECT_EQ(found.result.status, Status::converged) << loss << ' ' << ridge << ' ' << found.result.message;
      }
}

// All that a formulation can ask for, drawn at random: few rows, scales of features that differ by powers of ten.
Problem anything_tiny(std::uint64_t seed) {
  Random random(seed);
  const std::vector<std::string_view> losses = loss_names();
  Formulation f{.loss = std::string(losses[seed % losses.size()]),
                .set = random.uniform() < 0.3 ? "nonnegative" : "l1"};
  f.ridge = {random.uniform() < 0.5 ? 0 : std::pow(10, 2 - 6 * random.uniform()), true};
  f.standardise = random.uniform() < 0.5;
  f.intercept = random.uniform() < 0.5;
  test::Shape shape{.n = 10 + static_cast<Index>(11 * random.uniform()),
                    .d = 1 + static_cast<Index>(30 * random.uniform() * random.uniform()),
                    .density = 0.2 + 0.8 * random.uniform(),
                    .scale = std::pow(10, 2 - 4 * random.uniform()),
                    .column_decay = random.uniform() < 0.5 ? 1 : 0.3 + random.uniform()};
  if (random.uniform() < 0.5)
    for (Index i = 0; i < shape.n; ++i)
      f.sample_weight.push_back(random.uniform() < 0.1 ? 0 : 3 * random.uniform() + 0.01);
  return test::random_problem(shape, f, seed);
}

TEST(Penalty, OfAnythingTinyIsProven) {
  int to_nine_digits = 0, all = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const Problem p = anything_tiny(seed);
    const double largest = largest_alpha(p);
    if (!(largest > 0)) continue;
    const double share = std::pow(10, -4 * Random(seed).uniform());
    const Penalised found = solve_penalised(p, share * largest, {.tol = 1e-9});
    EXPECT_LE(found.certificate.relative_gap, 1e-6) << seed << ' ' << p.loss->name() << ' ' << found.result.message;
    to_nine_digits += found.result.status == Status::converged ? 1 : 0;
    ++all;
  }
  EXPECT_GE(all, 500);
  EXPECT_GE(to_nine_digits, 0.99 * all);
}

// Zeros and ones, column j with a probability of 1 / (j + 1), and seven labels of ten positive: no intercept, so that
// the most frequent columns stand for it.
TEST(Penalty, IsProvenForColumnsOfAnyFrequency) {
  Random random(4);
  constexpr Index kSize = 1'000;
  reference::DenseMatrix A(kSize, kSize);
  std::vector<double> b(static_cast<std::size_t>(kSize));
  for (Index i = 0; i < kSize; ++i) {
    for (Index j = 0; j < kSize; ++j) A(i, j) = random.uniform() * static_cast<double>(j + 1) < 1 ? 1 : 0;
    b[static_cast<std::size_t>(i)] = random.uniform() < 0.6 + 0.3 * A(i, 2) ? 1 : -1;
  }
  for (const std::string_view loss : loss_names())
    for (const bool intercept : {false, true}) {
      const Problem p = make_problem(reference::sparse(A), b,
                                     {.loss = std::string(loss), .ridge = {0, true}, .intercept = intercept});
      for (const double share : {0.3, 0.03}) {
        const Penalised found = solve_penalised(p, share * largest_alpha(p), {.tol = 1e-6, .max_passes = 1'000});
        EXPECT_EQ(found.result.status, Status::converged) << loss << ' ' << share << ' ' << found.result.message;
      }
    }
}

// What is solved is the penalised problem; the ball that is reported has the same solution and its multiplier.
TEST(Penalty, HasTheSolutionOfItsBall) {
  for (const std::string_view loss : loss_names())
    for (const double ridge : {0.0, 0.01}) {
      Problem p = test::random_problem({.n = 60, .d = 25}, {.loss = std::string(loss), .ridge = {ridge, false}}, 8);
      const double alpha = 0.1 * largest_alpha(p);
      const Penalised found = solve_penalised(p, alpha, {.tol = 1e-10});
      p.set = p.set->with_radius(found.radius);
      const Result ball = solve(p, {.tol = 1e-10});
      EXPECT_NEAR(ball.certificate.primal + alpha * found.radius, found.certificate.primal,
                  1e-8 * found.certificate.primal)
          << loss << ' ' << ridge;
      EXPECT_NEAR(ball.multiplier, alpha, 1e-3 * alpha) << loss << ' ' << ridge;
      EXPECT_LE(certify(p, found.result.x, found.result.y).relative_gap, 1e-7) << loss << ' ' << ridge;
    }
}

// Solvers that know balls only find the same by a search.
TEST(Penalty, IsTheSameForASolverOfBalls) {
  const Problem p = test::random_problem({.n = 60, .d = 25}, {.loss = "logistic", .ridge = {0.01, false}}, 9);
  const double alpha = 0.1 * largest_alpha(p);
  const double direct = solve_penalised(p, alpha, {.tol = 1e-7}).certificate.primal;
  for (const std::string solver : {"working_set", "sequential", "apg"})
    EXPECT_NEAR(solve_penalised(p, alpha, {.tol = 1e-7, .solver = solver}).certificate.primal, direct, 2e-7 * direct)
        << solver;
}

// One feature, one sample of target 3 and entry 2: (2 x - 3)^2 / 2 + x^2 / 2 + alpha |x| has x = (6 - alpha) / 5.
TEST(Penalty, OfATinyProblemIsAsByHand) {
  const Problem p = make_problem(own_csr<double, std::int32_t>(1, 1, {0, 1}, {0}, {2.0}), {3.0},
                                 {.loss = "squared", .ridge = {1, false}});
  for (const double alpha : {0.5, 2.0, 5.9}) {
    const Penalised found = solve_penalised(p, alpha, {.tol = 1e-12});
    EXPECT_NEAR(found.result.x[0], (6 - alpha) / 5, 1e-5) << alpha;
    EXPECT_NEAR(found.radius, (6 - alpha) / 5, 1e-5) << alpha;
  }
  EXPECT_NEAR(solve_penalised(p, 7.0, {.tol = 1e-9}).result.x[0], 0, 1e-8) << "the penalty is too large for any weight";
}

TEST(Penalty, OfTargetsThatAreAllZeroIsZero) {
  const Problem p =
      make_problem(own_csr<double, std::int32_t>(2, 1, {0, 1, 2}, {0, 0}, {2.0, 1.0}), {0.0, 0.0}, {.loss = "squared"});
  const Penalised found = solve_penalised(p, 0.1);
  EXPECT_EQ(found.result.status, Status::converged);
  EXPECT_EQ(found.result.x[0], 0);
}

// Just above it no feature is worth its penalty, just below some is.
// Free features explain everything, and nothing is left to measure a gap by but the loss without them.
TEST(Penalty, LeavesABallThatIsProvenWhereFreeFeaturesExplainAll) {
  const Problem p = make_problem(reference::sparse({4, 3, {1, 0, 2, 0, 1, 1, 1, 1, 0, 1, -1, 3}}), {1, 2, 3, -1},
                                 {.loss = "squared", .free_features = {0, 1}});
  for (const double alpha : {0.5, 0.1}) {
    const Penalised found = solve_penalised(p, alpha, {.tol = 1e-6});
    EXPECT_EQ(found.result.status, Status::converged) << found.result.message;
    EXPECT_LE(found.certificate.relative_gap, 1e-6);
    EXPECT_LE(found.result.certificate.relative_gap, 1e-6);
  }
}

TEST(Penalties, TheLargestAllowsNoFeature) {
  for (const std::string_view loss : loss_names())
    for (const std::string set : {"l1", "nonnegative"})
      for (const bool intercept : {false, true}) {
        const Problem p = test::random_problem(
            {.n = 40, .d = 15}, {.loss = std::string(loss), .set = set, .ridge = {0, false}, .intercept = intercept},
            4);
        const double alpha = largest_alpha(p);
        const Penalised none = solve_penalised(p, 1.001 * alpha, {.tol = 1e-8});
        EXPECT_LE(none.certificate.relative_gap, 1e-8) << loss;
        const auto is_nothing = [](double x_j) { return x_j == 0; };
        EXPECT_TRUE(std::all_of(none.result.x.begin(), none.result.x.end(), is_nothing)) << loss;
        const Penalised some = solve_penalised(p, 0.9 * alpha, {.tol = 1e-8});
        EXPECT_FALSE(std::all_of(some.result.x.begin(), some.result.x.end(), is_nothing)) << loss;
      }
}

TEST(Penalties, OfAPathAreAsIfSolvedAlone) {
  for (const std::string_view loss : loss_names()) {
    const Problem p = test::random_problem({.n = 60, .d = 25}, {.loss = std::string(loss), .ridge = {0.01, false}}, 5);
    const std::vector<Penalised> path =
        solve_penalties(p, path_alphas(p, {.points = 6, .smallest = 0.05}), {.tol = 1e-7}, false);
    ASSERT_EQ(path.size(), 6U);
    for (const Penalised& point : path) {
      EXPECT_EQ(point.result.status, Status::converged) << loss << point.result.message;
      const Penalised alone = solve_penalised(p, point.alpha, {.tol = 1e-7});
      EXPECT_NEAR(point.certificate.primal, alone.certificate.primal, 2e-7 * alone.certificate.primal) << loss;
    }
  }
}

TEST(Penalties, EndWhereNothingIsGained) {
  const Problem p = test::random_problem({.n = 60, .d = 25}, {.loss = "logistic", .ridge = {0.01, false}}, 6);
  const std::vector<double> alphas = path_alphas(p, {.points = 15, .smallest = 1e-7});
  EXPECT_EQ(alphas.size(), 15U);
  EXPECT_DOUBLE_EQ(alphas.front(), largest_alpha(p));
  EXPECT_NEAR(alphas.back(), 1e-7 * largest_alpha(p), 1e-20);
  EXPECT_LT(solve_penalties(p, alphas).size(), 15U);
  EXPECT_EQ(solve_penalties(p, alphas, {}, false).size(), 15U);
  // The largest penalty needs no iteration, so nothing asks before its end.
  const std::vector<double> smaller(alphas.begin() + 1, alphas.end());
  const auto stopped = solve_penalties(p, smaller, {}, true, [](const Progress&) { return false; });
  EXPECT_EQ(stopped.size(), 1U);
}

TEST(Penalty, IsJudged) {
  const Problem p = test::random_problem({}, {.loss = "squared"}, 1);
  EXPECT_EQ(message_of([&] { (void)solve_penalised(p, 0); }), "alpha: 0 breaks the rule: a finite number > 0");
  EXPECT_EQ(message_of([&] { (void)solve_penalised(p, std::nan("")); }),
            "alpha: nan breaks the rule: a finite number > 0");
  const Problem simplex = test::random_problem({}, {.loss = "squared", .set = "simplex"}, 1);
  EXPECT_EQ(message_of([&] { (void)solve_penalised(simplex, 1); }),
            "set: simplex breaks the rule: l1 or nonnegative, for a penalty on the l1 norm");
}

TEST(Penalty, StopsWhenAsked) {
  const Problem p = test::random_problem({.n = 60, .d = 25}, {.loss = "logistic"}, 2);
  const Penalised found = solve_penalised(p, 0.01, {.tol = 1e-12}, [](const Progress&) { return false; });
  EXPECT_EQ(found.result.status, Status::interrupted);
}

}  // namespace penalty_test
}  // namespace pdbfw
