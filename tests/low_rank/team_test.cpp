// Low-rank problems whose rows are spread over a team: the same certificates as of all rows in one place, the same bits
// at every member, and an end for all where one has to end.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>
#include <string>
#include <vector>

#include "apps/low_rank_registry.hpp"
#include "core/low_rank_judge.hpp"
#include "io/message.hpp"
#include "linalg/chosen_rows.hpp"
#include "losses/rows_with_intercept.hpp"
#include "reference/low_rank_judge.hpp"
#include "support/low_rank_problems.hpp"
#include "support/thread_team.hpp"

namespace pdbfw::low_rank {
namespace team_test {

using test::run_team;

// A problem with all its rows, which are dealt out to members unevenly: the first has half of them, the second one, the
// others share the rest.
struct Spread {
  Problem whole;
  Formulation formulation;

  [[nodiscard]] std::vector<Index> rows_of(int rank, int size) const {
    const Index n = whole.n(), half = size > 1 ? n / 2 : n;
    const auto border = [&](int r) -> Index {
      if (r == 0) return 0;
      if (r == 1) return half;
      if (r == size) return n;
      return half + 1 + (n - half - 1) * (r - 2) / (size - 2);
    };
    std::vector<Index> rows(static_cast<std::size_t>(border(rank + 1) - border(rank)));
    std::iota(rows.begin(), rows.end(), border(rank));
    return rows;
  }
  [[nodiscard]] MapPtr map_of(const std::vector<Index>& rows) const {
    return rows_map(chosen_rows(*whole.map->design(), rows), whole.c());
  }
  [[nodiscard]] Problem part(const TeamPtr& team) const {
    const std::vector<Index> rows = rows_of(team->rank(), team->size());
    return make_problem(map_of(rows), whole.loss->targets()(rows, Eigen::all), formulation, team);
  }
};

Spread spread(Index n, Index d, Index c, const Formulation& f) {
  return {test::random_low_rank_problem(rows_map(test::gaussian_rows(n, d, 1), c), f, 2), f};
}

// What all members found, one below the other.
struct Gathered {
  std::vector<Result> results;
  Matrix Y;
};

Gathered solve_over_team(const Spread& s, int members, const Settings& settings, const Callback& callback = {},
                         Index calls = std::numeric_limits<Index>::max()) {
  Gathered all{std::vector<Result>(static_cast<std::size_t>(members)), Matrix(s.whole.n(), s.whole.k())};
  std::mutex mutex;
  run_team(
      members,
      [&](const TeamPtr& team) {
        Result result = solve(s.part(team), settings, team->rank() == members - 1 ? callback : Callback{});
        const std::lock_guard lock(mutex);
        all.Y(s.rows_of(team->rank(), members), Eigen::all) = result.Y;
        all.results[static_cast<std::size_t>(team->rank())] = std::move(result);
      },
      calls);
  return all;
}

void expect_same(const Result& a, const Result& b, const std::string& what) {
  EXPECT_EQ(a.status, b.status) << what;
  ASSERT_EQ(a.X.rank(), b.X.rank()) << what;
  EXPECT_TRUE(a.X.U == b.X.U && a.X.s == b.X.s && a.X.V == b.X.V) << what;
  EXPECT_EQ(a.certificate.primal, b.certificate.primal) << what;
  EXPECT_EQ(a.certificate.dual, b.certificate.dual) << what;
  EXPECT_EQ(a.work.iterations, b.work.iterations) << what;
  EXPECT_EQ(a.work.multiply_adds, b.work.multiply_adds) << what;
}

std::vector<std::string> solvers(bool that_take_a_team) {
  std::vector<std::string> names;
  for (const SolverDescription& solver : solver_descriptions())
    if (solver.takes_team == that_take_a_team) names.emplace_back(solver.name);
  return names;
}

Factors random_point(Index d, Index c, Index rank, std::uint64_t seed) {
  Random random(seed);
  Factors X{Matrix(d, rank), Vector::Constant(rank, 0.1), Matrix(c, rank)};
  for (double& u : X.U.reshaped()) u = random.normal();
  for (double& v : X.V.reshaped()) v = random.normal();
  return X;
}

void expect_same_certificates(const Spread& s, const std::string& name) {
  const Factors X = random_point(s.whole.d(), s.whole.c(), 2, 3);
  const Matrix Y = dual_candidate(s.whole, X);
  const Certificate plain = certify(s.whole, X, Y);
  for (int members = 1; members <= 4; ++members)
    run_team(members, [&](const TeamPtr& team) {
      const std::string what = fmt::format("{}, rank {} of {}", name, team->rank(), members);
      const Problem part = s.part(team);
      const Matrix own = Y(s.rows_of(team->rank(), members), Eigen::all);
      EXPECT_EQ(part.samples(), s.whole.n()) << what;
      EXPECT_DOUBLE_EQ(part.ridge, s.whole.ridge) << what;
      EXPECT_TRUE(dual_candidate(part, X).isApprox(own, 1e-14)) << what;
      const Certificate found = certify(part, X, own);
      EXPECT_NEAR(found.primal, plain.primal, 1e-12 * std::abs(plain.primal)) << what;
      EXPECT_NEAR(found.dual, plain.dual, 1e-8 * std::abs(plain.primal)) << what;
      EXPECT_EQ(found.violation, plain.violation) << what;
    });
}

TEST(LowRankTeam, CertificatesAreThoseOfAllRows) {
  for (const std::string_view loss : loss_names())
    expect_same_certificates(
        spread(23, 7, 5, {.loss = std::string(loss), .set = "trace", .radius = 2, .ridge = {10, true}}),
        std::string(loss));
  expect_same_certificates(spread(23, 6, 6, {.loss = "squared", .set = "psd_trace", .radius = 2}), "psd_trace");
}

TEST(LowRankTeam, CertificatesByProductsAreThoseOfAllRows) {
  const Index side = TopSpectrum::kExactSide + 1;
  expect_same_certificates(
      spread(9, side, side, {.loss = "squared", .set = "trace", .radius = 2, .ridge = {0.5, false}}), "trace");
}

TEST(LowRankTeam, NormsAndConstantsAreThoseOfAllRows) {
  const Spread s = spread(40, 12, 3, {.loss = "squared", .set = "trace"});
  run_team(3, [&](const TeamPtr& team) {
    const Problem shared = over_team(s.part(team));
    EXPECT_NEAR(shared.map->squared_norm(), s.whole.map->squared_norm(), 0.02 * s.whole.map->squared_norm());
    EXPECT_EQ(shared.map->largest_squared_sample_norm(), s.whole.map->largest_squared_sample_norm());
    EXPECT_DOUBLE_EQ(3 * shared.map->pass_cost(), s.whole.map->pass_cost());
    EXPECT_DOUBLE_EQ(3 * shared.map->apply_cost(4), s.whole.map->apply_cost(4));
  });
}

TEST(LowRankTeam, TheLargestWeightOfAllMembersIsTheSmoothness) {
  run_team(3, [](const TeamPtr& team) {
    const std::vector<double> weights{1.0 + team->rank(), 3.0 - team->rank()};
    Problem part{rows_map(test::gaussian_rows(2, 3, 1), 2),
                 make_row_loss({.loss = "squared"}, Matrix::Ones(2, 2), weights),
                 0.1,
                 make_spectral_set("trace", 1),
                 team,
                 6};
    validate(part);
    EXPECT_EQ(over_team(part).loss->smoothness(), 3);
    EXPECT_EQ(over_team(part).loss->curvature(), 1);
  });
}

TEST(LowRankTeam, EverySolverReachesTheToleranceAndAllMembersHaveTheSameBits) {
  const Spread s =
      spread(40, 9, 6, {.loss = "multilabel_smooth_hinge", .set = "trace", .radius = 2, .ridge = {2, true}});
  for (const std::string& solver : solvers(true))
    for (int members = 1; members <= 4; ++members) {
      const std::string what = fmt::format("{}, {} members", solver, members);
      const double tol = solver == "fw" ? 3e-2 : 1e-6;
      const Settings settings{.tol = tol, .solver = solver};
      const Gathered found = solve_over_team(s, members, settings);
      const Result& first = found.results[0];
      EXPECT_EQ(first.status, Status::converged) << what << ": " << first.message;
      for (const Result& other : found.results) expect_same(first, other, what);
      const Certificate judged = reference::certify(s.whole, first.X.dense(), found.Y);
      EXPECT_NEAR(judged.primal, first.certificate.primal, 1e-10 * judged.primal) << what;
      EXPECT_NEAR(judged.dual, first.certificate.dual, 1e-9 * judged.primal) << what;
      EXPECT_LE(judged.gap, 1.01 * tol * judged.primal) << what;
      if (members == 3) {
        const Gathered again = solve_over_team(s, members, settings);
        expect_same(first, again.results[0], what + ", again");
        EXPECT_TRUE(found.Y == again.Y) << what;
      }
    }
}

TEST(LowRankTeam, EveryLossAndSetIsSolved) {
  for (const std::string_view loss : loss_names()) {
    const Spread s = spread(30, 8, 5, {.loss = std::string(loss), .set = "trace", .radius = 3, .ridge = {1, true}});
    const Gathered found = solve_over_team(s, 3, {.tol = 1e-7});
    EXPECT_EQ(found.results[0].status, Status::converged) << loss << ": " << found.results[0].message;
    EXPECT_LE(certify(s.whole, found.results[0].X, found.Y).relative_gap, 1.01e-7) << loss;
  }
  const Spread s = spread(30, 6, 6, {.loss = "squared", .set = "psd_trace", .radius = 1, .ridge = {0.2, false}});
  for (const std::string solver : {"factored", "apg", "pdbfw"}) {
    const Gathered found = solve_over_team(s, 3, {.tol = 1e-6, .solver = solver});
    EXPECT_EQ(found.results[0].status, Status::converged) << solver << ": " << found.results[0].message;
    EXPECT_LE(certify(s.whole, found.results[0].X, found.Y).relative_gap, 1.01e-6) << solver;
  }
}

// The blocks of k rows, and theory's numbers, are shares of all rows.
TEST(LowRankTeam, BlocksOfTheDualAreSharedOut) {
  const Spread s = spread(40, 9, 6, {.loss = "squared", .set = "trace", .radius = 2, .ridge = {1, false}});
  for (const std::string rule : {"gs_r", "random", "cyclic", "full"}) {
    Settings settings{.tol = 1e-5, .solver = "pdbfw"};
    settings.block_rule = rule;
    settings.block_dual = 11;
    const Gathered found = solve_over_team(s, 4, settings);
    EXPECT_EQ(found.results[0].status, Status::converged) << rule << ": " << found.results[0].message;
    for (const Result& other : found.results) expect_same(found.results[0], other, rule);
  }
  Settings theory{.tol = 1e-3, .solver = "pdbfw"};
  theory.steps = "theory";
  const Gathered found = solve_over_team(s, 3, theory);
  EXPECT_EQ(found.results[0].status, Status::converged) << found.results[0].message;
  const Result alone = solve(s.whole, theory);
  EXPECT_NEAR(*found.results[0].settings.delta, *alone.settings.delta, 1e-9 * *alone.settings.delta);
}

TEST(LowRankTeam, AMatrixTooLargeToBeFormedIsSolvedInFactors) {
  // Features and outputs beyond the first ones are never met: the optimum is that of a small problem.
  const Index n = 20, d = 11'000, c = 10'000, met = 5;
  Random random(4);
  std::vector<double> small_values;
  std::vector<Index> offsets{0};
  std::vector<std::int32_t> at;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < met; ++j) {
      small_values.push_back(random.normal());
      at.push_back(static_cast<std::int32_t>(2'000 * j));
    }
    offsets.push_back(static_cast<Index>(at.size()));
  }
  Matrix B(n, met), large_B = Matrix::Zero(n, c);
  for (double& b : B.reshaped()) b = random.normal();
  for (Index k = 0; k < met; ++k) large_B.col(1'900 * k) = B.col(k);
  const Formulation f{.loss = "squared", .set = "trace", .radius = 1, .ridge = {0.2, false}};
  const Problem small = make_problem(rows_map(own_dense_rows(n, met, small_values), met), B, f);
  const Spread large{make_problem(rows_map(own_csr(n, d, offsets, at, small_values), c), large_B, f), f};
  const Result reference = solve(small, {.tol = 1e-9});
  ASSERT_EQ(reference.status, Status::converged);
  const Result found = solve_over_team(large, 2, {.tol = 1e-2, .solver = "pdbfw"}).results[1];
  EXPECT_EQ(found.status, Status::converged) << found.message;
  EXPECT_NEAR(found.certificate.primal, reference.certificate.primal, 1e-2 * reference.certificate.primal);
}

TEST(LowRankTeam, AStartIsSpreadLikeTheRows) {
  const Spread s = spread(40, 9, 6, {.loss = "squared", .set = "trace", .radius = 2, .ridge = {0.1, false}});
  const Settings settings{.tol = 1e-8};
  const Gathered cold = solve_over_team(s, 3, settings);
  run_team(3, [&](const TeamPtr& team) {
    const Result& last = cold.results[static_cast<std::size_t>(team->rank())];
    const Result warm = solve(s.part(team), settings, {}, {last.X, last.Y});
    EXPECT_EQ(warm.status, Status::converged) << warm.message;
    EXPECT_LT(warm.work.iterations, cold.results[0].work.iterations);
  });
}

TEST(LowRankTeam, WhatOneStopsForAllStopFor) {
  const Spread s = spread(40, 9, 6, {.loss = "squared", .set = "trace", .radius = 2, .ridge = {0.1, false}});
  const Gathered found =
      solve_over_team(s, 3, {.tol = 1e-12, .solver = "apg"}, [](const Progress& p) { return p.now.iteration < 4; });
  for (const Result& result : found.results) {
    EXPECT_EQ(result.status, Status::interrupted);
    EXPECT_EQ(result.work.iterations, found.results[0].work.iterations);
  }
  for (const Result& result : solve_over_team(s, 3, {.tol = 1e-12, .max_iterations = 3}).results)
    EXPECT_EQ(result.status, Status::iteration_limit);
  for (const Result& result : solve_over_team(s, 3, {.tol = 1e-12, .solver = "fw", .max_seconds = 0}).results)
    EXPECT_EQ(result.status, Status::time_limit);
}

TEST(LowRankTeam, ALostTeamLeavesTheBestPointSoFar) {
  const Spread s = spread(40, 9, 6, {.loss = "squared", .set = "trace", .radius = 2, .ridge = {0.1, false}});
  const Index to_state_it = 6;
  for (const std::string solver : {"apg", "factored", "pdbfw", "auto"})
    for (const Index calls : {7, 9, 12, 14, 15, 30, 50}) {
      const std::string what = fmt::format("{}, lost after {} calls", solver, calls);
      const Gathered found = solve_over_team(s, 3, {.tol = 1e-14, .solver = solver}, {}, to_state_it + calls);
      for (const Result& result : found.results) {
        EXPECT_EQ(result.status, Status::team_lost) << what;
        EXPECT_NE(result.message.find("team"), std::string::npos) << result.message;
        EXPECT_LE(result.X.trace_norm(), 2 * (1 + 1e-9)) << what;
        expect_same(found.results[0], result, what);
      }
      const Certificate judged = certify(s.whole, found.results[0].X, found.Y);
      if (!std::isfinite(found.results[0].certificate.primal)) continue;
      EXPECT_NEAR(judged.gap, found.results[0].certificate.gap, 1e-9 * judged.primal) << what;
    }
}

TEST(LowRankTeam, SolversThatLookAtSamplesRefuseIt) {
  const Spread s = spread(10, 4, 3, {.loss = "squared", .set = "trace"});
  for (const std::string& solver : solvers(false))
    run_team(2, [&](const TeamPtr& team) {
      const Problem part = s.part(team);
      EXPECT_EQ(
          test::message_of([&] { (void)solve(part, {.solver = solver}); }),
          fmt::format("process 0: solver: {} breaks the rule: one for several processes: auto, factored, pdbfw, fw, "
                      "block_fw, pg, apg",
                      solver));
    });
}

TEST(LowRankTeam, EveryErrorIsAnErrorAtAllMembers) {
  const Spread s = spread(10, 4, 3, {.loss = "multilabel_logistic", .set = "trace"});
  const auto expect_for_all = [&](const auto& attempt, const std::string& message) {
    run_team(2, [&](const TeamPtr& team) { EXPECT_EQ(test::message_of([&] { attempt(team); }), message); });
  };
  expect_for_all(
      [&](const TeamPtr& team) {
        Problem part = s.part(team);
        Matrix B = part.loss->targets();
        if (team->rank() == 1) B(0, 2) = 7;
        part.loss = make_row_loss({.loss = "multilabel_logistic"}, B);
        validate(part);
      },
      "process 1: B[0, 2]: 7 breaks the rule: -1 or 1 for the loss multilabel_logistic");
  expect_for_all(
      [&](const TeamPtr& team) { (void)solve(s.part(team), {.solver = team->rank() == 0 ? "apgg" : "apg"}); },
      "process 0: solver: 'apgg' breaks the rule: one of auto, factored, splitting, pdbfw, fw, sfw, block_fw, pg, apg, "
      "svrg, scgs, storc, svrf (did you mean 'apg'?)");
  expect_for_all(
      [&](const TeamPtr& team) {
        Problem part = s.part(team);
        part.samples_of_team = 11;
        validate(part);
      },
      "process 0: samples_of_team: 11 breaks the rule: the rows of all processes, 10");
  expect_for_all(
      [&](const TeamPtr& team) {
        Problem part = s.part(team);
        if (team->rank() == 1) part.ridge = 0.25;
        validate(part);
      },
      "ridge: 0.25 at process 1 breaks the rule: as everywhere; process 0 has 0.1");
  expect_for_all(
      [&](const TeamPtr& team) {
        (void)solve(s.part(team), {.tol = team->rank() == 0 ? 1e-4 : 1e-5, .threads = 1 + team->rank()});
      },
      "tol: 1e-05 at process 1 breaks the rule: as everywhere; process 0 has 0.0001");
  expect_for_all(
      [&](const TeamPtr& team) {
        (void)make_problem(entries_map(3, 3, {0, 1}, {1, 2}), Matrix::Ones(2, 1), {.loss = "squared", .set = "trace"},
                           team);
      },
      "process 0: map: entries breaks the rule: rows, the products with A, for several processes");
  expect_for_all(
      [&](const TeamPtr& team) {
        Problem part = s.part(team);
        part.loss = std::make_shared<RowsWithIntercept>(part.loss);
        validate(part);
      },
      "process 0: loss: multilabel_logistic breaks the rule: one without an intercept for several processes");
  expect_for_all(
      [&](const TeamPtr& team) {
        const Problem part = s.part(team);
        const Matrix Y = Matrix::Zero(part.n() + (team->rank() == 0 ? 1 : 0), part.k());
        (void)certify(part, Factors::zero(4, 3), Y);
      },
      "process 0: Y: 6 x 3 breaks the rule: 5 x 3");
}

}  // namespace team_test
}  // namespace pdbfw::low_rank
