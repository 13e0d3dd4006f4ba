// Matrices too large to be formed, and who refuses them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "apps/low_rank_registry.hpp"
#include "io/message.hpp"
#include "support/low_rank_problems.hpp"

namespace pdbfw::low_rank {
namespace large_test {

// A small problem of matrix completion, and the same entries spread over a matrix of 1e8. Rows and columns without an
// entry stay zero, so the two have the same optimum.
Problem completion(Index spread) {
  const Index rows = 12, columns = 9;
  Random random(3);
  std::vector<Index> row, column;
  for (Index i = 0; i < 60; ++i) {
    row.push_back(spread * static_cast<Index>(random.below(static_cast<std::uint64_t>(rows))));
    column.push_back(spread * static_cast<Index>(random.below(static_cast<std::uint64_t>(columns))));
  }
  const MapPtr map = entries_map(spread * rows, spread * columns, row, column);
  return test::random_low_rank_problem(map, {.loss = "squared", .set = "trace", .radius = 4, .ridge = {0.05, false}},
                                       1);
}

TEST(LargeLowRank, IsSolvedInFactorsAsIfItWereSmall) {
  const Problem small = completion(1), large = completion(300);
  const Result reference = solve(small, {.tol = 1e-9, .solver = "apg"});
  ASSERT_EQ(reference.status, Status::converged) << reference.message;
  for (const std::string solver : {"pdbfw", "fw", "sfw", "block_fw", "svrf"}) {
    const double tol = solver == "pdbfw" || solver == "block_fw" ? 1e-3 : 3e-2;
    const Result result = solve(large, {.tol = tol, .solver = solver, .max_iterations = 100'000});
    EXPECT_EQ(result.status, Status::converged) << solver << ": " << result.message;
    EXPECT_NEAR(result.certificate.primal, reference.certificate.primal, tol * reference.certificate.primal) << solver;
  }
}

TEST(LargeLowRank, IsRefusedByThoseWhoHaveToFormIt) {
  const Problem large = completion(1'000);
  for (const std::string solver : {"pg", "apg", "svrg", "scgs", "storc"})
    EXPECT_EQ(test::message_of([&] { (void)solve(large, {.solver = solver}); }),
              fmt::format("solver: {} breaks the rule: X of at most 1e+08 entries, here 12000 x 9000; pdbfw, fw and "
                          "block_fw keep it in factors",
                          solver));
}

}  // namespace large_test
}  // namespace pdbfw::low_rank
