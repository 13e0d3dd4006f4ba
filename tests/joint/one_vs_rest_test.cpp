// One model per class against all others.
#include <gtest/gtest.h>

#include "pdbfw/solve.hpp"
#include "support/class_problems.hpp"

namespace pdbfw {
namespace one_vs_rest_test {

TEST(OneVsRest, IsOneProblemForEachClass) {
  const test::ClassData data = test::random_classes({.n = 60, .d = 10}, 3, 2);
  Formulation f;
  f.loss = "logistic";
  f.radius = 3;
  f.intercept = true;
  f.class_weight.is_balanced = true;
  const std::vector<Result> all = solve_one_vs_rest(data.A, data.classes, f, {.tol = 1e-6});
  ASSERT_EQ(all.size(), 3U);
  for (Index k = 0; k < 3; ++k) {
    const Problem p = make_problem(data.A, signs_of(data.classes, k), f);
    const Result one = solve(p, {.tol = 1e-6});
    const Result& found = all[static_cast<std::size_t>(k)];
    EXPECT_EQ(found.x, one.x);
    EXPECT_EQ(found.intercept, one.intercept);
    EXPECT_LE(certify(p, found.x, found.y).relative_gap, 1.01e-6);
  }
}

TEST(OneVsRest, AStopStopsAllAndLeavesACertificateForEach) {
  const test::ClassData data = test::random_classes({.n = 60, .d = 10}, 3, 2);
  Formulation f;
  const std::vector<Result> all =
      solve_one_vs_rest(data.A, data.classes, f, {.tol = 1e-12}, [](const Progress&) { return false; });
  ASSERT_EQ(all.size(), 3U);
  for (const Result& result : all) EXPECT_EQ(result.status, Status::interrupted);
}

TEST(OneVsRest, RefusesLossesOfNumbersAndAWrongCountOfStarts) {
  const test::ClassData data = test::random_classes({.n = 60, .d = 10}, 3, 2);
  Formulation f;
  EXPECT_THROW(static_cast<void>(solve_one_vs_rest(data.A, data.classes, f, {}, {}, {Start{}})), InputError);
  f.loss = "squared";
  EXPECT_THROW(static_cast<void>(solve_one_vs_rest(data.A, data.classes, f)), InputError);
}

}  // namespace one_vs_rest_test
}  // namespace pdbfw
