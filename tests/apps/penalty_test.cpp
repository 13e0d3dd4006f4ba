// A penalty instead of a radius: proven, and the same solution as the ball that it finds.
#include "pdbfw/penalty.hpp"

#include <gtest/gtest.h>

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

TEST(Penalty, IsJudged) {
  const Problem p = test::random_problem({}, {.loss = "squared"}, 1);
  EXPECT_EQ(message([&] { (void)solve_penalised(p, 0); }), "alpha: 0 breaks the rule: a finite number > 0");
  EXPECT_EQ(message([&] { (void)solve_penalised(p, std::nan("")); }),
            "alpha: nan breaks the rule: a finite number > 0");
  const Problem simplex = test::random_problem({}, {.loss = "squared", .set = "simplex"}, 1);
  EXPECT_EQ(message([&] { (void)solve_penalised(simplex, 1); }),
            "set: simplex breaks the rule: l1, for a penalty on the l1 norm");
}

TEST(Penalty, StopsWhenAsked) {
  const Problem p = test::random_problem({.n = 60, .d = 25}, {.loss = "logistic"}, 2);
  const Penalised found = solve_penalised(p, 0.01, {.tol = 1e-12}, [](const Progress&) { return false; });
  EXPECT_EQ(found.result.status, Status::interrupted);
}

}  // namespace
}  // namespace pdbfw
