// The promise of the sweeps: the dual value never falls, whatever the data.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pdbfw/solve.hpp"
#include "support/cases.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace {

// The dual value in the trace is exact up to rounding of the sums it is made of, whose terms are of the size of the
// objective at zero.
void expect_monotone(const Problem& problem, const std::string& what) {
  const Result result = solve(problem, {.tol = 1e-10, .solver = "sequential", .max_iterations = 120});
  const double at_zero =
      problem.loss->total_value(problem.b, std::vector<double>(problem.b.size())) / static_cast<double>(problem.n());
  ASSERT_GT(result.trace.size(), 1U) << what;
  for (std::size_t t = 1; t < result.trace.size(); ++t)
    ASSERT_GE(result.trace[t].dual, result.trace[t - 1].dual - 1e-13 * (at_zero + std::abs(result.trace[t].dual)))
        << what << ", sweep " << t;
  EXPECT_GT(result.trace.back().dual, result.trace.front().dual) << what;
}

TEST(Sequential, DualNeverFalls) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names())
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const double ridge = std::vector{0.01, 1.0, 100.0}[seed];
        const Formulation formulation{
            .loss = std::string(loss), .set = std::string(set), .radius = 2, .ridge = {ridge, true}};
        expect_monotone(test::random_problem({.n = 15, .d = 8}, formulation, seed),
                        fmt::format("{} on {}, ridge {}/n", loss, set, ridge));
      }
}

TEST(Sequential, DualNeverFallsOnIllScaledData) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names())
      for (const double scale : {1e-3, 1e3}) {
        const Formulation formulation{.loss = std::string(loss), .set = std::string(set), .radius = 2};
        // Columns from scale down to scale / 1e6.
        expect_monotone(test::random_problem({.n = 15, .d = 7, .scale = scale, .column_decay = 0.1}, formulation, 3),
                        fmt::format("{} on {}, scale {}", loss, set, scale));
      }
}

TEST(Sequential, DualNeverFallsWithADiagonalRidge) {
  for (const std::string_view set : set_names()) {
    const Formulation formulation{
        .set = std::string(set), .radius = 2, .ridge = {1, true}, .ridge_scale = {1e-3, 1, 1e3, 10, 0.1, 1}};
    expect_monotone(test::random_problem({.n = 15, .d = 6}, formulation, 5), std::string(set));
  }
}

TEST(Sequential, ASweepCostsTwoPassesAtMost) {
  const Problem problem = test::random_problem({.n = 30, .d = 20}, {.radius = 2}, 1);
  const Result result = solve(problem, {.tol = 1e-12, .solver = "sequential", .max_iterations = 30});
  for (std::size_t t = 1; t < result.trace.size(); ++t) {
    if (result.trace[t - 1].is_certified) continue;
    EXPECT_LE(result.trace[t].data_passes - result.trace[t - 1].data_passes, 2 + 1e-12);
  }
}

}  // namespace
}  // namespace pdbfw
