// A penalty instead of a radius: proven, and the same solution as the ball that it finds.
#include "pdbfw/penalty.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/problems.hpp"

namespace pdbfw {
namespace {

template <class Call>
std::string message(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

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
    const std::vector<PenaltyPoint> path =
        solve_penalties(p, path_alphas(p, {.points = 6, .smallest = 0.05}), {.tol = 1e-7}, false);
    ASSERT_EQ(path.size(), 6U);
    for (const PenaltyPoint& point : path) {
      EXPECT_EQ(point.found.result.status, Status::converged) << loss << point.found.result.message;
      const Penalised alone = solve_penalised(p, point.alpha, {.tol = 1e-7});
      EXPECT_NEAR(point.found.certificate.primal, alone.certificate.primal, 2e-7 * alone.certificate.primal) << loss;
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
  const auto stopped = solve_penalties(p, alphas, {}, true, [](const Progress&) { return false; });
  EXPECT_EQ(stopped.size(), 1U);
}

TEST(Penalty, IsJudged) {
  const Problem p = test::random_problem({}, {.loss = "squared"}, 1);
  EXPECT_EQ(message([&] { (void)solve_penalised(p, 0); }), "alpha: 0 breaks the rule: a finite number > 0");
  EXPECT_EQ(message([&] { (void)solve_penalised(p, std::nan("")); }),
            "alpha: nan breaks the rule: a finite number > 0");
  const Problem simplex = test::random_problem({}, {.loss = "squared", .set = "simplex"}, 1);
  EXPECT_EQ(message([&] { (void)solve_penalised(simplex, 1); }),
            "set: simplex breaks the rule: l1 or nonnegative, for a penalty on the l1 norm");
}

TEST(Penalty, StopsWhenAsked) {
  const Problem p = test::random_problem({.n = 60, .d = 25}, {.loss = "logistic"}, 2);
  const Penalised found = solve_penalised(p, 0.01, {.tol = 1e-12}, [](const Progress&) { return false; });
  EXPECT_EQ(found.result.status, Status::interrupted);
}

}  // namespace
}  // namespace pdbfw
