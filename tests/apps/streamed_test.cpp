// Problems whose rows are streamed: the same certificates, and the same answers from the solvers that take them.
#include "support/streamed.hpp"

#include <gtest/gtest.h>

#include "core/judge.hpp"
#include "pdbfw/pdbfw.hpp"
#include "support/problems.hpp"

namespace pdbfw::test {
namespace streamed_test {

const Formulation kFormulation{.loss = "logistic", .set = "l1", .radius = 3, .ridge = {0.1, false}};

TEST(Streamed, IsCertifiedAsInMemory) {
  for (const bool has_intercept : {false, true}) {
    Formulation formulation = kFormulation;
    formulation.intercept = has_intercept;
    const Problem inside = random_problem({.n = 60, .d = 20}, formulation, 3);
    Problem outside = inside;
    outside.A = streamed(inside.A, 7);
    validate(outside);
    const Result result = solve(inside, {.tol = 1e-3});
    const Certificate a = certify(inside, result.x, result.y), b = certify(outside, result.x, result.y);
    EXPECT_NEAR(a.primal, b.primal, 1e-14);
    EXPECT_NEAR(a.dual, b.dual, 1e-14);
    EXPECT_NEAR(a.gap, b.gap, 1e-13);
    EXPECT_EQ(dual_candidate(inside, result.x), dual_candidate(outside, result.x));
  }
}

TEST(Streamed, IsSolvedByEverySolverThatSaysSo) {
  const Problem inside = random_problem({.n = 60, .d = 20}, kFormulation, 4);
  const double best = solve(inside, {.tol = 1e-8}).certificate.primal;
  for (const double room : {0.0, 1e9})
    for (const SolverDescription& solver : solver_descriptions()) {
      Problem outside = inside;
      outside.A = streamed(inside.A, 7, room);
      const Settings settings{.tol = 1e-3, .solver = std::string(solver.name)};
      if (!solver.takes_streamed) {
        EXPECT_THROW(static_cast<void>(solve(outside, settings)), InputError) << solver.name;
        continue;
      }
      const Result result = solve(outside, settings);
      EXPECT_EQ(result.status, Status::converged) << solver.name;
      EXPECT_NEAR(result.certificate.primal, best, 1e-3 * best) << solver.name;
      EXPECT_LE(certify(inside, result.x, result.y).relative_gap, 1.001e-3) << solver.name;
    }
}

TEST(Streamed, AutoLearnsAnIntercept) {
  Formulation formulation = kFormulation;
  formulation.intercept = true;
  const Problem inside = random_problem({.n = 60, .d = 20}, formulation, 5);
  Problem outside = inside;
  outside.A = streamed(inside.A, 7);
  const Result a = solve(inside, {.tol = 1e-5}), b = solve(outside, {.tol = 1e-5});
  EXPECT_EQ(b.status, Status::converged);
  EXPECT_NEAR(a.certificate.primal, b.certificate.primal, 2e-5);
}

}  // namespace streamed_test
}  // namespace pdbfw::test
