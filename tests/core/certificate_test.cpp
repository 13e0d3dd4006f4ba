// The judge: against slow loops, never negative, zero at optima found by hand.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/judge.hpp"
#include "io/message.hpp"
#include "pdbfw/result.hpp"
#include "reference/judge.hpp"
#include "reference/tiny_problems.hpp"
#include "regularisers/ridge.hpp"
#include "support/cases.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace certificate_test {

constexpr double kInf = std::numeric_limits<double>::infinity();

std::shared_ptr<const Regulariser> random_regulariser(std::size_t d, Random& random) {
  const double mu = std::exp(2 * random.normal());
  switch (random.below(4)) {
    case 0:
      return std::make_shared<RidgeRegulariser>(0.0);
    case 1:
      return std::make_shared<RidgeRegulariser>(mu);
    default: {
      std::vector<double> q(d);
      for (double& q_j : q) q_j = random.uniform() < 0.2 ? 0.0 : mu * random.uniform();
      return std::make_shared<DiagonalRidgeRegulariser>(std::move(q));
    }
  }
}

struct Judged {
  Problem problem;
  std::vector<double> x, y;  // x in C, y in the domain
};

Judged random_judged(const test::LossCase& loss, const std::string& set, Random& random) {
  const auto n = static_cast<Index>(1 + random.below(8)), d = static_cast<Index>(1 + random.below(8));
  const reference::DenseMatrix A = test::random_matrix({.n = n, .d = d, .density = 0.6}, random);
  Judged out;
  out.problem = {.A = random.uniform() < 0.5 ? reference::sparse(A) : reference::dense(A),
                 .loss = {},
                 .regulariser = random_regulariser(static_cast<std::size_t>(d), random),
                 .set = make_set({.set = set, .radius = std::exp(2 * random.normal())})};
  std::vector<double> b;
  for (Index i = 0; i < n; ++i) {
    b.push_back(test::random_target(*loss.loss, random));
    out.y.push_back(loss.of({b.back()})->derivative(0, 2 * random.normal()));
  }
  out.problem.loss = loss.of(b);
  out.x = test::random_vector(static_cast<std::size_t>(d), random);
  out.problem.set->project(out.x);
  return out;
}

RC_GTEST_PROP(Certificate, IsThatOfTheSlowJudgeAndItsGapIsNeverNegative, (std::uint64_t seed)) {
  Random random(seed);
  for (const test::LossCase& c : test::loss_cases())
    for (const std::string_view set : set_names()) {
      const Judged at = random_judged(c, std::string(set), random);
      RC_LOG() << c.name << " on " << set;
      const Certificate fast = certify(at.problem, at.x, at.y);
      const Certificate slow = reference::certify(at.problem, at.x, at.y);
      const double size = 1 + std::abs(slow.primal) + std::abs(slow.dual);
      RC_ASSERT(std::abs(fast.primal - slow.primal) <= 1e-12 * size);
      RC_ASSERT(std::abs(fast.dual - slow.dual) <= 1e-11 * size);
      RC_ASSERT(std::abs(fast.violation - slow.violation) <= 1e-12 * at.problem.set->radius());
      RC_ASSERT(fast.violation <= 1e-12 * at.problem.set->radius());
      RC_ASSERT(fast.gap >= -1e-12 * size);
      RC_ASSERT(std::abs(fast.gap - (fast.primal - fast.dual)) <= 1e-13 * size);
      RC_ASSERT(std::abs(fast.relative_gap - slow.relative_gap) <= 1e-9 * (1 + slow.relative_gap));
    }
}

TEST(Certificate, OfAnOptimumFoundByHandHasNoGap) {
  for (const reference::TinyProblem& tiny : reference::tiny_problems()) {
    const Certificate c = certify(tiny.problem, tiny.x, tiny.y);
    EXPECT_NEAR(c.primal, tiny.optimum, 1e-14) << tiny.name;
    EXPECT_NEAR(c.dual, tiny.optimum, 1e-14) << tiny.name;
    EXPECT_NEAR(c.gap, 0, 1e-14) << tiny.name;
    EXPECT_LE(c.relative_gap, 1e-13) << tiny.name;
    EXPECT_LE(c.violation, 1e-15) << tiny.name;
  }
}

TEST(Certificate, OfTheDerivativesAtAnOptimumIsTheOptimum) {
  for (const reference::TinyProblem& tiny : reference::tiny_problems()) {
    const std::vector<double> y = dual_candidate(tiny.problem, tiny.x);
    ASSERT_EQ(y.size(), tiny.y.size());
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], tiny.y[i], 1e-14) << tiny.name;
  }
}

TEST(Certificate, BoundsTheDistanceToTheOptimum) {
  Random random(8);
  for (const reference::TinyProblem& tiny : reference::tiny_problems())
    for (int t = 0; t < 50; ++t) {
      std::vector<double> x = test::random_vector(tiny.x.size(), random);
      tiny.problem.set->project(x);
      const Certificate c = certify(tiny.problem, x, dual_candidate(tiny.problem, x));
      EXPECT_GE(c.primal, tiny.optimum - 1e-13) << tiny.name;
      EXPECT_LE(c.dual, tiny.optimum + 1e-13) << tiny.name;
      EXPECT_GE(c.gap, c.primal - tiny.optimum - 1e-13) << tiny.name;
    }
}

TEST(Certificate, OfADualPointOutsideTheDomainClaimsNothing) {
  for (const test::LossCase& c : test::loss_cases()) {
    const auto loss = c.of({1});
    const double outside = loss->conjugate(0, 1e3) == kInf ? 1e3 : -1e3;
    if (loss->conjugate(0, outside) != kInf) continue;  // squared: every point is inside
    const Problem problem{.A = reference::sparse(reference::DenseMatrix(1, 1, {1})),
                          .loss = loss,
                          .regulariser = std::make_shared<RidgeRegulariser>(1.0),
                          .set = make_set({.radius = 1})};
    const Certificate certificate = certify(problem, std::vector<double>{0}, std::vector<double>{outside});
    EXPECT_EQ(certificate.dual, -kInf) << c.name;
    EXPECT_EQ(certificate.gap, kInf) << c.name;
    EXPECT_EQ(certificate.relative_gap, kInf) << c.name;
    EXPECT_TRUE(std::isfinite(certificate.primal)) << c.name;
  }
}

TEST(Certificate, ReportsAPointOutsideTheSet) {
  const reference::TinyProblem tiny = reference::face_of_the_ball();  // radius 1/2
  EXPECT_DOUBLE_EQ(certify(tiny.problem, std::vector<double>{1, -1}, tiny.y).violation, 1.5);
}

// With P* = 0 the gap is measured against a tiny share of P(0) instead of P(x).
TEST(Certificate, RelativeGapOfAnOptimumOfZeroIsAgainstTheObjectiveAtZero) {
  // One sample, x = 1 separates it: squared hinge, no ridge, P(1) = 0, P(0) = 1/2.
  const Problem problem = reference::tiny(1, 1, {1}, {1}, {.loss = "squared_hinge", .radius = 5, .ridge = {0, false}});
  const Certificate at_optimum = certify(problem, std::vector<double>{1}, std::vector<double>{0});
  EXPECT_EQ(at_optimum.primal, 0);
  EXPECT_EQ(at_optimum.gap, 0);
  EXPECT_EQ(at_optimum.relative_gap, 0);
  // Just short of it: P = 1e-12 / 2 is below 1e-9 P(0), which takes its place.
  const Certificate near = certify(problem, std::vector<double>{1 - 1e-6}, std::vector<double>{0});
  EXPECT_NEAR(near.relative_gap, near.gap / (kTinyFraction * 0.5), 1e-9);
  // Nothing at all to explain: P is zero everywhere on the way.
  const reference::TinyProblem zero = reference::zero_optimum();
  EXPECT_EQ(certify(zero.problem, zero.x, zero.y).relative_gap, 0);
}

TEST(Certificate, WithoutARidgeIsTheFrankWolfeBound) {
  // D(y) = -radius max_j |z_j| / n - (1/n) sum f_i*(y_i)
  const reference::TinyProblem tiny = reference::vertex_of_the_ball();
  const std::vector<double> y{-0.5, 0.25};
  const double bound = -1 * 0.5 / 2 - ((0.125 - 1) + 0.03125) / 2;
  EXPECT_NEAR(certify(tiny.problem, tiny.x, y).dual, bound, 1e-15);
}

TEST(Certificate, IsTheSameForAnyNumberOfThreads) {
  Random random(3);
  const Problem problem = test::random_problem({.n = 500, .d = 450, .density = 0.95}, {.radius = 5}, 1);
  std::vector<double> x = test::random_vector(450, random);
  problem.set->project(x);
  const std::vector<double> y = dual_candidate(problem, x);
  const Certificate one = certify(problem, x, y, 1);
  for (const int threads : {2, 8}) {
    const Certificate many = certify(problem, x, y, threads);
    EXPECT_EQ(one.primal, many.primal);
    EXPECT_EQ(one.dual, many.dual);
    EXPECT_EQ(dual_candidate(problem, x, threads), y);
  }
}

TEST(Certificate, RefusesPointsOfTheWrongLength) {
  const Problem problem = reference::slack_ball().problem;
  const std::vector<double> two(2), three(3);
  EXPECT_EQ(test::message_of([&] { (void)certify(problem, three, two); }),
            "x: 3 entries breaks the rule: 2 entries, one per feature");
  EXPECT_EQ(test::message_of([&] { (void)certify(problem, two, three); }),
            "y: 3 entries breaks the rule: 2 entries, one per sample");
  EXPECT_EQ(test::message_of([&] { (void)dual_candidate(problem, three); }),
            "x: 3 entries breaks the rule: 2 entries, one per feature");
}

TEST(Certify, AnOverflowProvesNothing) {
  const Problem problem = test::random_problem({.n = 4, .d = 3}, {.loss = "squared", .radius = 2}, 1);
  const std::vector<double> x(3, 1e200), y(4, 1e200);
  const Certificate certificate = certify(problem, x, y);
  EXPECT_TRUE(std::isinf(certificate.gap) && certificate.gap > 0);
  EXPECT_TRUE(std::isinf(certificate.relative_gap) && certificate.relative_gap > 0);
}

}  // namespace certificate_test
}  // namespace pdbfw
