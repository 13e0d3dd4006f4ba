// The promise of the sweeps: the dual value never falls, whatever the data.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pdbfw/dataset.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/solve.hpp"
#include "support/cases.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace sequential_test {

// The dual value in the trace is exact up to rounding of the sums it is made of, whose terms are of the size of the
// objective at zero.
void expect_monotone(const Problem& problem, const std::string& what) {
  const Result result = solve(problem, {.tol = 1e-10, .solver = "sequential", .max_iterations = 120});
  const double at_zero =
      problem.loss->total_value(std::vector<double>(problem.loss->size())) / static_cast<double>(problem.n());
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

// More features than rows: the hinges can be without any loss, and then 0 is the proof. A radius that is just too small
// for that leaves some, and is solved as well.
TEST(Sequential, FindsAPointWithoutLossWhereThereIsOne) {
  for (const std::string loss : {"smooth_hinge", "squared_hinge"})
    for (const std::string_view set : set_names())
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        Problem p = test::random_problem({.n = 20, .d = 300},
                                         {.loss = loss, .set = std::string(set), .ridge = {0, false}}, seed);
        const auto solved = [&](double radius) {
          p.set = p.set->with_radius(radius);
          Result result = solve(p, {.tol = 1e-6, .solver = "sequential"});
          EXPECT_EQ(result.status, Status::converged) << loss << ' ' << set << ' ' << radius << ' ' << result.message;
          EXPECT_LE(result.certificate.violation, 1e-12 * radius) << loss << ' ' << set;
          return result;
        };
        // The largest margin of radius 1 is found by halving; beyond its inverse nothing is left.
        double low = 1e-3, high = 100;
        for (int halving = 0; halving < 8; ++halving) {
          const double middle = std::sqrt(low * high);
          (solved(middle).certificate.primal < 1e-12 ? high : low) = middle;
        }
        EXPECT_EQ(solved(1.5 * high).certificate.primal, 0) << loss << ' ' << set;
        EXPECT_GT(solved(0.98 * low).certificate.primal, 1e-7) << loss << ' ' << set;
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

// With more rows than Newton's method is tried on, an iteration is a sweep, two passes, and near the end a third that
// computes the gap. The first one also looks at all columns and packs: two more.
TEST(Sequential, ASweepCostsTwoPassesAtMost) {
  const Problem problem = test::random_problem({.n = 2'500, .d = 20}, {.radius = 2}, 1);
  const Result result = solve(problem, {.tol = 1e-12, .solver = "sequential", .max_iterations = 30});
  ASSERT_GT(result.trace.size(), 5U);
  for (std::size_t t = 1; t < result.trace.size(); ++t) {
    if (result.trace[t - 1].is_certified || result.trace[t].is_certified) continue;
    EXPECT_LE(result.trace[t].data_passes - result.trace[t - 1].data_passes, (t == 1 ? 5 : 3) + 1e-12);
  }
}

// Few rows, many features, a ridge that is weak against the rows: sweeps alone take tens of thousands of passes.
TEST(Sequential, NewtonsMethodHelpsOnFewRows) {
  for (const std::string_view loss : loss_names()) {
    if (loss == "logistic") continue;  // its dual has no pieces to land on; the sweeps do the work
    const Problem problem = test::random_problem({.n = 40, .d = 400, .scale = 5},
                                                 {.loss = std::string(loss), .radius = 2, .ridge = {0.1, true}}, 7);
    const Result result = solve(problem, {.tol = 1e-8, .solver = "sequential", .max_passes = 3'000});
    EXPECT_EQ(result.status, Status::converged) << loss << ": " << result.message;
  }
}

// Large enough that the features that matter are packed after the first sweep.
Problem large_problem(Formulation formulation) {
  const bool is_regression = !test::takes_labels(formulation);
  const SyntheticDataset made =
      generate({.rows = 4'000, .features = 20'000, .is_regression = is_regression, .seed = 3});
  return make_problem(made.data.A, made.data.target, formulation);
}

TEST(Sequential, PackedSweepsFindTheSameOptimum) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names())
      for (const double tol : {1e-6, 1e-9}) {  // packed as float32, packed as float64
        const Problem problem =
            large_problem({.loss = std::string(loss), .set = std::string(set), .radius = 40, .ridge = {3, true}});
        const std::string what = fmt::format("{} on {} to {}", loss, set, tol);
        const Result packed = solve(problem, {.tol = tol, .solver = "sequential"});
        EXPECT_EQ(packed.status, Status::converged) << what << ": " << packed.message;
        EXPECT_LE(certify(problem, packed.x, packed.y).relative_gap, tol) << what;
        const Result other = solve(problem, {.tol = 1e-8, .solver = "working_set"});
        EXPECT_NEAR(packed.certificate.primal, other.certificate.primal, 2e-6 * other.certificate.primal) << what;
      }
}

// float32 ends at 3e38.
TEST(Sequential, PacksNumbersTooLargeForFloat32) {
  const SyntheticDataset made = generate({.rows = 4'000, .features = 20'000, .seed = 3});
  const auto& rows = std::get<SparseLines<double, std::int32_t>>(made.data.A->by_row());
  std::vector<double> value(rows.value.begin(), rows.value.end());
  for (double& v : value) v *= 1e50;
  const MatrixPtr A = borrow_csr<double, std::int32_t, Index>(4'000, 20'000, rows.offsets, rows.at, value);
  // The same problem in other units: radius / 1e50, ridge * 1e100.
  const Problem problem = make_problem(A, made.data.target, {.radius = 40e-50, .ridge = {3e100, true}});
  const Result result = solve(problem, {.tol = 1e-6, .solver = "sequential"});
  EXPECT_EQ(result.status, Status::converged) << result.message;
}

TEST(Sequential, PacksADiagonalRidgeToo) {
  Formulation formulation{.loss = "squared_hinge", .radius = 40, .ridge = {3, true}};
  for (Index j = 0; j < 20'000; ++j) formulation.ridge_scale.push_back(j % 3 == 0 ? 2.0 : 0.5);
  const Problem problem = large_problem(formulation);
  const Result result = solve(problem, {.tol = 1e-7, .solver = "sequential"});
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_LE(certify(problem, result.x, result.y).relative_gap, 1e-7);
}

TEST(Sequential, PackedSweepsGiveTheSameBitsForAnyThreads) {
  const Problem problem = large_problem({.radius = 40});
  const Result one = solve(problem, {.tol = 1e-6, .threads = 1}), many = solve(problem, {.tol = 1e-6, .threads = 8});
  EXPECT_EQ(one.x, many.x);
  EXPECT_EQ(one.y, many.y);
}

// Large enough for sweeps in two shards: more rows than Newton's method is tried on, and a diagonal ridge, beside which
// all entries (some 300,000) are packed at first.
Problem problem_in_shards(const std::string& loss, const std::string& set) {
  Formulation formulation{.loss = loss, .set = set, .radius = 20, .ridge = {3, true}};
  for (Index j = 0; j < 2'000; ++j) formulation.ridge_scale.push_back(j % 3 == 0 ? 2.0 : 1.0);
  const bool is_regression = !test::takes_labels(formulation);
  const SyntheticDataset made =
      generate({.rows = 3'000, .features = 2'000, .row_nonzeros = 130, .is_regression = is_regression, .seed = 5});
  Problem problem = make_problem(made.data.A, made.data.target, formulation);
  EXPECT_GT(problem.A->nonzeros(), 270'000);
  return problem;
}

TEST(Sequential, SweepsInShardsGiveTheSameBitsForAnyThreads) {
  for (const std::string_view set : set_names()) {
    const Problem problem = problem_in_shards("smooth_hinge", std::string(set));
    const auto run = [&](int threads) {
      return solve(problem, {.tol = 1e-7, .solver = "sequential", .max_iterations = 200, .threads = threads});
    };
    const Result one = run(1);
    EXPECT_EQ(one.status, Status::converged) << set << ": " << one.message;
    for (const int threads : {2, 8}) {
      const Result many = run(threads);
      EXPECT_EQ(many.x, one.x) << set << ", " << threads << " threads";
      EXPECT_EQ(many.y, one.y) << set << ", " << threads << " threads";
      ASSERT_EQ(many.trace.size(), one.trace.size()) << set << ", " << threads << " threads";
      for (std::size_t t = 0; t < one.trace.size(); ++t) {
        EXPECT_EQ(many.trace[t].dual, one.trace[t].dual) << set << ", sweep " << t;
        EXPECT_EQ(many.trace[t].multiply_adds, one.trace[t].multiply_adds) << set << ", sweep " << t;
      }
    }
  }
}

// On one W. After a certificate W may grow, and D of more features is lower.
void expect_dual_never_falls(const Result& result, const std::string& what) {
  int compared = 0;
  for (std::size_t t = 1; t < result.trace.size(); ++t) {
    const TracePoint &last = result.trace[t - 1], &now = result.trace[t];
    if (last.is_certified || now.is_certified) continue;
    EXPECT_GE(now.dual, last.dual - 2e-12 * std::abs(last.dual)) << what << ", sweep " << t;
    ++compared;
  }
  EXPECT_GT(compared, 2) << what;
}

TEST(Sequential, DualNeverFallsInShards) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names()) {
      const Problem problem = problem_in_shards(std::string(loss), std::string(set));
      expect_dual_never_falls(solve(problem, {.tol = 1e-9, .solver = "sequential", .max_iterations = 40, .threads = 2}),
                              fmt::format("{} on {}", loss, set));
    }
}

// Rows that are nearly the same: what one shard does the other does too, and the two together go twice as far as is
// best. Such sweeps lower D and are taken back.
TEST(Sequential, SweepsInShardsThatLowerTheDualAreTakenBack) {
  Random random(6);
  constexpr Index kRows = 2'600, kFeatures = 100;
  std::vector<double> value(static_cast<std::size_t>(kRows * kFeatures)), b(static_cast<std::size_t>(kRows));
  const std::vector<double> row = test::random_vector(static_cast<std::size_t>(kFeatures), random);
  for (std::size_t k = 0; k < value.size(); ++k) value[k] = row[k % row.size()] + 0.05 * random.normal();
  for (double& b_i : b) b_i = 1 + 0.1 * random.normal();
  const MatrixPtr A = own_dense_rows(kRows, kFeatures, std::move(value));
  for (const std::string_view set : set_names()) {
    Formulation formulation{.loss = "squared", .set = std::string(set), .radius = 5, .ridge = {100, true}};
    for (Index j = 0; j < kFeatures; ++j) formulation.ridge_scale.push_back(j % 2 == 0 ? 1 : 2);
    const Result result = solve(make_problem(A, b, formulation),
                                {.tol = 1e-5, .solver = "sequential", .max_iterations = 200, .threads = 2});
    EXPECT_EQ(result.status, Status::converged) << set << ": " << result.message;
    expect_dual_never_falls(result, std::string(set));
    // One pass to pack and two to sweep; two more say that the sweep was made again.
    EXPECT_GE(result.trace[1].data_passes - result.trace[0].data_passes, 5 - 1e-12) << set;
  }
}

}  // namespace sequential_test
}  // namespace pdbfw
