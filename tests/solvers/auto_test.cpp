// Which engine auto takes.
#include <gtest/gtest.h>

#include <string>

#include "pdbfw/dataset.hpp"
#include "pdbfw/solve.hpp"

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

}  // namespace auto_test
}  // namespace pdbfw
