// Rows divided among the members of a team give what all rows in one place give.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <mutex>

#include "linalg/chosen_rows.hpp"
#include "pdbfw/dataset.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/solve.hpp"
#include "solvers/solvers.hpp"
#include "support/problems.hpp"
#include "support/thread_team.hpp"

namespace pdbfw {
namespace sharded_test {

// Members get about equally many rows, but the last one only one.
Index first_row(Index n, int rank, int size) {
  if (rank == size) return n;
  return size == 1 ? 0 : (n - 1) * rank / (size - 1);
}

struct Whole {
  MatrixPtr A;
  std::vector<double> b;
};

Whole random_whole(const test::Shape& shape, const Formulation& f, std::uint64_t seed) {
  const Problem p = test::random_problem(shape, f, seed);
  return {p.A, test::targets_of(p)};
}

Problem part_of(const Whole& whole, const Formulation& f, const TeamPtr& team) {
  const Index n = whole.A->rows();
  const Index first = first_row(n, team->rank(), team->size()), last = first_row(n, team->rank() + 1, team->size());
  return make_problem(row_range(*whole.A, first, last), {whole.b.begin() + first, whole.b.begin() + last}, f, team);
}

// What every member was given back.
std::vector<Result> solve_by(int members, const Whole& whole, const Formulation& f, const Settings& settings,
                             Index calls = std::numeric_limits<Index>::max()) {
  std::vector<Result> results(static_cast<std::size_t>(members));
  test::run_team(
      members,
      [&](const TeamPtr& team) {
        results[static_cast<std::size_t>(team->rank())] = solve(part_of(whole, f, team), settings);
      },
      calls);
  return results;
}

std::vector<double> joined_y(const std::vector<Result>& results) {
  std::vector<double> y;
  for (const Result& result : results) y.insert(y.end(), result.y.begin(), result.y.end());
  return y;
}

TEST(Sharded, ATeamJudgesAsOneDoes) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names())
      for (const int members : {1, 2, 3, 4}) {
        const Formulation f{.loss = std::string(loss), .set = std::string(set), .radius = 3, .ridge = {1, true}};
        const Whole whole = random_whole({.n = 23, .d = 11}, f, 5);
        const Problem all = make_problem(whole.A, whole.b, f);
        const Result at = solve(all, {.tol = 1e-2});
        const Certificate wanted = certify(all, at.x, at.y);
        test::run_team(members, [&](const TeamPtr& team) {
          const Problem part = part_of(whole, f, team);
          const Index first = first_row(23, team->rank(), team->size());
          const Certificate c =
              certify(part, at.x, std::span(at.y).subspan(static_cast<std::size_t>(first), part.loss->size()));
          EXPECT_EQ(part.samples(), 23);
          EXPECT_NEAR(c.primal, wanted.primal, 1e-12 * std::abs(wanted.primal));
          EXPECT_NEAR(c.dual, wanted.dual, 1e-12 * (1 + std::abs(wanted.dual)));
          EXPECT_NEAR(c.relative_gap, wanted.relative_gap, 1e-10);
        });
      }
}

TEST(Sharded, AnyNumberOfMembersReachesTheTolerance) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names())
      for (const double ridge : {0.0, 1.0, 100.0})
        for (const int members : {1, 3}) {
          const std::string what = fmt::format("{} on {}, ridge {}/n, {} members", loss, set, ridge, members);
          const Formulation f{.loss = std::string(loss), .set = std::string(set), .radius = 2, .ridge = {ridge, true}};
          const Whole whole = random_whole({.n = 60, .d = 25}, f, 7);
          const std::vector<Result> results = solve_by(members, whole, f, {.tol = 1e-5, .max_iterations = 20'000});
          EXPECT_EQ(results[0].status, Status::converged) << what << ": " << results[0].message;
          EXPECT_EQ(results[0].solver, "sharded");
          // The judge who sees all rows agrees.
          const Problem all = make_problem(whole.A, whole.b, f);
          EXPECT_LE(certify(all, results[0].x, joined_y(results)).relative_gap, 1.001e-5) << what;
          for (const Result& result : results) {
            EXPECT_EQ(result.x, results[0].x) << what;
            EXPECT_EQ(result.certificate.gap, results[0].certificate.gap) << what;
            EXPECT_EQ(result.work.multiply_adds, results[0].work.multiply_adds) << what;
          }
        }
}

TEST(Sharded, AloneItIsASolverLikeAnyOther) {
  const Formulation f{.loss = "logistic", .radius = 5, .ridge = {1, true}};
  const Problem p = test::random_problem({.n = 80, .d = 40}, f, 3);
  const Result result = solve(p, {.tol = 1e-8, .solver = "sharded"});
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_NEAR(result.certificate.primal, solve(p, {.tol = 1e-8}).certificate.primal, 1e-7);
}

// Rows at the end of the domain of a conjugate are not rounded out of it.
TEST(Sharded, StaysInTheDomainOfTheConjugate) {
  for (const char* const loss : {"huber", "smooth_hinge", "logistic"})
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const Problem problem =
          test::random_problem({.n = 15, .d = 2}, {.loss = loss, .set = "simplex", .radius = 2.2}, seed);
      EXPECT_EQ(solve(problem, {.tol = 1e-5, .solver = "sharded"}).status, Status::converged) << loss << ' ' << seed;
    }
}

TEST(Sharded, TheDualNeverFallsHoweverTheRowsAreDivided) {
  // All rows alike: what every member would do is too much by their number. The radius does not bind, so that all
  // features are in play: D of some of them may fall when another joins.
  for (const double likeness : {0.0, 1.0, 30.0})
    for (const int members : {2, 4, 8}) {
      const Formulation f{.loss = "squared", .radius = 1e3, .ridge = {0.1, true}};
      Random random(2);
      reference::DenseMatrix A(64, 6);
      std::vector<double> b(64);
      for (Index i = 0; i < 64; ++i) {
        for (Index j = 0; j < 6; ++j) A(i, j) = likeness + random.normal();
        b[static_cast<std::size_t>(i)] = A(i, 0) - A(i, 1) + 0.1 * random.normal();
      }
      const Whole whole{reference::sparse(A), b};
      const Result result = solve_by(members, whole, f, {.tol = 1e-9, .max_iterations = 300})[0];
      for (std::size_t t = 1; t < result.trace.size(); ++t)
        ASSERT_GE(result.trace[t].dual, result.trace[t - 1].dual - 1e-11 * std::abs(result.trace[t].primal))
            << likeness << ", " << members << " members, sweep " << t;
    }
}

TEST(Sharded, TheSameNumberOfMembersGivesTheSameBits) {
  const Synthetic recipe{.rows = 600, .features = 400, .row_nonzeros = 20, .seed = 4};
  const SyntheticDataset made = generate(recipe);
  const Formulation f{.loss = "smooth_hinge", .radius = 20, .ridge = {10, true}};
  const Whole whole{made.data.A, made.data.target};
  const Result once = solve_by(3, whole, f, {.tol = 1e-6})[0], again = solve_by(3, whole, f, {.tol = 1e-6})[0];
  EXPECT_EQ(once.x, again.x);
  EXPECT_EQ(once.certificate.dual, again.certificate.dual);
  EXPECT_EQ(once.status, Status::converged);
}

TEST(Sharded, WeightsAndClassWeightsAreThoseOfAllRows) {
  for (const bool is_balanced : {false, true}) {
    Formulation f{.loss = "logistic", .radius = 4, .ridge = {1, true}};
    f.class_weight.is_balanced = is_balanced;
    const Whole whole = random_whole({.n = 40, .d = 12}, {.loss = "logistic"}, 11);
    Random random(1);
    for (Index i = 0; i < 40; ++i) f.sample_weight.push_back(random.uniform());
    const Result alone = solve(make_problem(whole.A, whole.b, f), {.tol = 1e-9});
    test::run_team(3, [&](const TeamPtr& team) {
      Formulation own = f;
      const Index first = first_row(40, team->rank(), 3), last = first_row(40, team->rank() + 1, 3);
      own.sample_weight = {f.sample_weight.begin() + first, f.sample_weight.begin() + last};
      const Result result = solve(part_of(whole, own, team), {.tol = 1e-9});
      EXPECT_EQ(result.status, Status::converged);
      EXPECT_NEAR(result.certificate.primal, alone.certificate.primal, 1e-8);
    });
  }
}

TEST(Sharded, LearnsAnIntercept) {
  for (const std::string_view loss : loss_names())
    for (const double ridge : {0.0, 1.0})
      for (const int members : {1, 3}) {
        Formulation f{.loss = std::string(loss), .radius = 2, .ridge = {ridge, true}};
        Whole whole = random_whole({.n = 60, .d = 25}, f, 7);
        if (!test::takes_labels(f))
          for (double& b : whole.b) b += 5;
        f.intercept = true;
        const Result alone = solve(make_problem(whole.A, whole.b, f), {.tol = 1e-7, .solver = "working_set"});
        test::run_team(members, [&](const TeamPtr& team) {
          const Result result = solve(part_of(whole, f, team), {.tol = 1e-5, .max_iterations = 20'000});
          const std::string what = fmt::format("{}, ridge {}/n, {} members: {}", loss, ridge, members, result.message);
          EXPECT_EQ(result.status, Status::converged) << what;
          EXPECT_LE(std::abs(result.certificate.primal - alone.certificate.primal), 1.1e-5 * alone.certificate.primal)
              << what;
          EXPECT_NEAR(result.intercept, alone.intercept, 0.05 * (1 + std::abs(alone.intercept))) << what;
        });
      }
}

// More features than rows and no ridge: the hinges can be without any loss, and then 0 is the proof.
TEST(Sharded, FindsAPointWithoutLossWhereThereIsOne) {
  for (const std::string loss : {"smooth_hinge", "squared_hinge"})
    for (const bool intercept : {false, true})
      for (const int members : {1, 3}) {
        Formulation f{.loss = loss, .radius = 100, .ridge = {0, false}};
        const Whole whole = random_whole({.n = 20, .d = 300}, f, 3);
        f.intercept = intercept;
        const std::vector<Result> results = solve_by(members, whole, f, {.tol = 1e-6, .max_iterations = 2'000});
        const std::string what = fmt::format("{}, {} members: {}", loss, members, results[0].message);
        EXPECT_EQ(results[0].status, Status::converged) << what;
        EXPECT_EQ(results[0].certificate.primal, 0) << what;
        EXPECT_EQ(results[0].certificate.dual, 0) << what;
      }
}

TEST(Sharded, APathOfATeamIsThatOfOne) {
  const std::vector<double> radii{4, 3, 2.2, 1.6, 1.2, 0.9};
  for (const double ridge : {0.0, 1.0})
    for (const bool intercept : {false, true}) {
      Formulation f{.loss = "smooth_hinge", .radius = 4, .ridge = {ridge, true}};
      f.intercept = intercept;
      const Whole whole = random_whole({.n = 60, .d = 25}, f, 29);
      const Problem all = make_problem(whole.A, whole.b, f);
      const std::vector<PathPoint> wanted = solve_path(all, radii, {.tol = 1e-7, .solver = "working_set"});
      for (const int members : {1, 3})
        test::run_team(members, [&](const TeamPtr& team) {
          const std::vector<PathPoint> path = solve_path(part_of(whole, f, team), radii, {.tol = 1e-5});
          ASSERT_EQ(path.size(), radii.size());
          for (std::size_t k = 0; k < radii.size(); ++k) {
            const std::string what = fmt::format("ridge {}/n, {} members, radius {}", ridge, members, radii[k]);
            EXPECT_EQ(path[k].result.status, Status::converged) << what << ": " << path[k].result.message;
            const double best = wanted[k].result.certificate.primal;
            EXPECT_NEAR(path[k].result.certificate.primal, best, 1.1e-5 * best) << what;
          }
        });
    }
}

TEST(Sharded, GoesOnFromWhereAnotherTeamEnded) {
  const Formulation f{.loss = "smooth_hinge", .radius = 3, .ridge = {1, true}};
  const Whole whole = random_whole({.n = 50, .d = 30}, f, 13);
  const std::vector<Result> three = solve_by(3, whole, f, {.tol = 1e-9});
  const std::vector<double> y = joined_y(three);
  test::run_team(2, [&](const TeamPtr& team) {
    const Index first = first_row(50, team->rank(), 2), last = first_row(50, team->rank() + 1, 2);
    const Start start{three[0].x, {y.begin() + first, y.begin() + last}, three[0].multiplier};
    const Result result = solve(part_of(whole, f, team), {.tol = 1e-8}, {}, start);
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_LE(result.work.iterations, 3);
  });
}

TEST(Sharded, ALostTeamEndsWithTheBestPointSoFar) {
  const Formulation f{.loss = "squared", .radius = 3, .ridge = {0.01, true}};
  const Whole whole = random_whole({.n = 60, .d = 25}, f, 17);
  for (const Index calls : {5, 8, 12, 20, 60}) {
    const std::vector<Result> results = solve_by(2, whole, f, {.tol = 1e-15}, calls);
    for (const Result& result : results) {
      EXPECT_EQ(result.status, Status::team_lost) << calls;
      EXPECT_NE(result.message.find("team"), std::string::npos) << result.message;
      EXPECT_EQ(result.x.size(), 25U);
    }
  }
}

TEST(Sharded, OneMembersWishToStopIsEverybodysEnd) {
  const Formulation f{.loss = "squared", .radius = 3, .ridge = {0.01, true}};
  const Whole whole = random_whole({.n = 60, .d = 25}, f, 19);
  test::run_team(3, [&](const TeamPtr& team) {
    const Callback stop = [&](const Progress& progress) { return team->rank() != 1 || progress.now.iteration < 3; };
    const Result result = solve(part_of(whole, f, team), {.tol = 1e-15}, stop);
    EXPECT_EQ(result.status, Status::interrupted);
    EXPECT_EQ(result.work.iterations, 4);
    EXPECT_TRUE(std::isfinite(result.certificate.gap));
    EXPECT_EQ(result.message.starts_with(team->rank() == 1 ? "interrupted:" : "interrupted at another process:"), true)
        << result.message;
  });
}

std::string refusal(int members, const std::function<void(const TeamPtr&)>& work) {
  std::string message;
  std::mutex guard;
  test::run_team(members, [&](const TeamPtr& team) {
    try {
      work(team);
    } catch (const InputError& error) {
      const std::lock_guard lock(guard);
      EXPECT_TRUE(message.empty() || message == error.what()) << message;
      message = error.what();
    }
  });
  return message;
}

TEST(Sharded, WhatIsWrongAtOneMemberIsSaidAtAll) {
  const Formulation f{.loss = "squared", .radius = 3};
  const Whole whole = random_whole({.n = 12, .d = 5}, f, 23);
  EXPECT_EQ(refusal(2,
                    [&](const TeamPtr& team) {
                      std::vector<double> b(team->rank() == 1 ? 6 : 5, 1.0);
                      (void)make_problem(row_range(*whole.A, 0, 5), b, f, team);
                    }),
            "process 1: targets: 6 of them breaks the rule: one for each of 5 samples");
  EXPECT_EQ(refusal(2,
                    [&](const TeamPtr& team) {
                      Formulation other = f;
                      other.free_features = {2};
                      (void)part_of(whole, other, team);
                    }),
            "process 0: free_features: given breaks the rule: none for several processes");
  EXPECT_EQ(refusal(2, [&](const TeamPtr& team) { (void)solve(part_of(whole, f, team), {.solver = "sequential"}); }),
            "process 0: solver: sequential breaks the rule: one for several processes: auto, sharded");
  EXPECT_EQ(refusal(2,
                    [&](const TeamPtr& team) {
                      const Whole narrow = random_whole({.n = 12, .d = 4}, f, 23);
                      (void)part_of(team->rank() == 0 ? whole : narrow, f, team);
                    }),
            "process 0: A: 4 features at process 1 and 5 here breaks the rule: as many everywhere");
}

}  // namespace sharded_test
}  // namespace pdbfw
