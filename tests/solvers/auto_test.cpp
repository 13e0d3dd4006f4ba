// Which engine auto takes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pdbfw/dataset.hpp"
#include "pdbfw/solve.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace auto_test {

Result solved(double radius, const std::string& ridge, const std::string& loss) {
  const Dataset data = generate({.rows = 3'000, .features = 3'000, .row_nonzeros = 30, .support = 200}).data;
  return solve(make_problem(data.A, data.target, {.loss = loss, .radius = radius, .ridge = Ridge::parse(ridge)}),
               {.tol = 1e-4});
}

TEST(Auto, TakesTheWorkingSetWhereFewFeaturesMatterAndNothingElseHoldsThemBack) {
  for (const std::string loss : {"smooth_hinge", "logistic", "squared"}) {
    const Result few = solved(1, "0", loss);
    EXPECT_EQ(few.solver, "working_set") << loss;
    EXPECT_EQ(few.status, Status::converged) << loss;
    EXPECT_EQ(solved(1, "10/n", loss).solver, "sequential") << loss;
  }
}

TEST(Auto, SolvesLargeBallsWithoutARidge) {
  for (const std::string loss : {"smooth_hinge", "squared_hinge"}) {
    const Result many = solved(300, "0", loss);
    EXPECT_EQ(many.status, Status::converged) << loss << ": " << many.message;
  }
}

// A slack ball, next to no ridge and more features than rows: nearly all of them are in the support, and Newton's model
// of them is nearly singular.
TEST(Auto, LeavesAWorkingSetThatWorksInVain) {
  Random random(1);
  const reference::DenseMatrix A = test::random_matrix({.n = 80, .d = 800, .density = 1}, random);
  std::vector<double> b;
  for (int i = 0; i < 80; ++i) b.push_back(i % 3 == 0 ? 1 : -1);
  const Problem p = make_problem(reference::dense(A), b, {.loss = "squared_hinge", .radius = 20, .ridge = {1e-5}});
  const Result result = solve(p, {.tol = 1e-6});
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_EQ(result.solver, "working_set, sequential");
}

}  // namespace auto_test
}  // namespace pdbfw
