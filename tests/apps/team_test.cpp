// What is made of several solves, with rows divided among the members of a team, is what all rows in one place give.
#include "base/team.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/chosen_rows.hpp"
#include "pdbfw/cross_validation.hpp"
#include "pdbfw/solve.hpp"
#include "support/problems.hpp"
#include "support/thread_team.hpp"

namespace pdbfw {
namespace team_test {

// The rows of a member; the last one has only one.
struct Part {
  Index first, last;
  Part(Index n, const TeamPtr& team)
      : first((n - 1) * team->rank() / (team->size() - 1)),
        last(team->rank() + 1 == team->size() ? n : (n - 1) * (team->rank() + 1) / (team->size() - 1)) {}

  [[nodiscard]] MatrixPtr of(const MatrixPtr& A) const { return row_range(*A, first, last); }
  template <class Value>
  [[nodiscard]] std::vector<Value> of(const std::vector<Value>& all) const {
    return {all.begin() + first, all.begin() + last};
  }
};

// Two certificates of one problem: each optimum lies between its dual and its primal value.
void expect_same_optimum(const Certificate& a, const Certificate& b, const std::string& what) {
  constexpr double kRounding = 1e-12;
  EXPECT_LE(a.dual, b.primal + kRounding) << what;
  EXPECT_LE(b.dual, a.primal + kRounding) << what;
}

struct ClassesData {
  MatrixPtr A;
  Classes classes;
};

// Sorted by class, so that no member sees all of them.
ClassesData sorted_classes(Index n) {
  const Problem p = test::random_problem({.n = n, .d = 12}, {.loss = "squared"}, 5);
  ClassesData data{p.A, {{}, {3, 7.5, 20}}};
  for (Index i = 0; i < n; ++i) data.classes.index.push_back(3 * i / n);
  return data;
}

TEST(TeamOfClasses, EachIsLearntAgainstTheRestOfAllRows) {
  const Index n = 60;
  const ClassesData data = sorted_classes(n);
  for (const bool has_intercept : {false, true}) {
    const Formulation f{.loss = "logistic", .radius = 3, .intercept = has_intercept};
    const std::vector<Result> alone = solve_one_vs_rest(data.A, data.classes, f, {.tol = 1e-6});
    test::run_team(3, [&](const TeamPtr& team) {
      const Part part(n, team);
      const Classes own{part.of(data.classes.index), data.classes.original};
      const std::vector<Result> results = solve_one_vs_rest(part.of(data.A), own, f, {.tol = 1e-6}, {}, {}, team);
      ASSERT_EQ(results.size(), 3U);
      for (std::size_t k = 0; k < results.size(); ++k) {
        EXPECT_EQ(results[k].status, Status::converged) << results[k].message;
        EXPECT_EQ(static_cast<Index>(results[k].y.size()), part.last - part.first);
        expect_same_optimum(results[k].certificate, alone[k].certificate, "class " + std::to_string(k));
      }
    });
  }
}

TEST(TeamOfClasses, MembersThatKnowOtherClassesAreTold) {
  const Index n = 60;
  const ClassesData data = sorted_classes(n);
  test::run_team(2, [&](const TeamPtr& team) {
    const Part part(n, team);
    Classes own{part.of(data.classes.index), data.classes.original};
    if (team->rank() == 1) own.original.push_back(21);
    EXPECT_THROW(static_cast<void>(solve_one_vs_rest(part.of(data.A), own, {.loss = "logistic"}, {}, {}, {}, team)),
                 InputError);
  });
}

TEST(TeamOfClasses, ALostTeamEndsTheList) {
  const Index n = 60;
  const ClassesData data = sorted_classes(n);
  test::run_team(
      2,
      [&](const TeamPtr& team) {
        const Part part(n, team);
        const Classes own{part.of(data.classes.index), data.classes.original};
        const std::vector<Result> results =
            solve_one_vs_rest(part.of(data.A), own, {.loss = "logistic"}, {.tol = 1e-14}, {}, {}, team);
        EXPECT_EQ(results.size(), 1U);
        EXPECT_EQ(results.back().status, Status::team_lost);
      },
      30);
}

TEST(TeamPenalty, IsProvenForTheRowsOfAll) {
  for (const std::string_view loss : loss_names())
    for (const double ridge : {0.0, 0.01})
      for (const bool has_intercept : {false, true}) {
        const Formulation f{.loss = std::string(loss), .ridge = {ridge, false}, .intercept = has_intercept};
        Formulation plain = f;
        plain.intercept = false;
        const Problem data = test::random_problem({.n = 60, .d = 25}, plain, 3);
        const Problem whole = make_problem(data.A, test::targets_of(data), f);
        const double alpha = 0.1 * largest_alpha(whole);
        const Penalised alone = solve_penalised(whole, alpha, {.tol = 1e-4});
        test::run_team(3, [&](const TeamPtr& team) {
          const Part part(60, team);
          const Problem own = make_problem(part.of(data.A), part.of(test::targets_of(data)), f, team);
          EXPECT_NEAR(largest_alpha(own), 10 * alpha, 1e-12 * alpha);
          const Penalised found = solve_penalised(own, alpha, {.tol = 1e-4});
          const std::string what = std::string(loss) + (has_intercept ? " with an intercept: " : ": ");
          EXPECT_EQ(found.result.status, Status::converged) << what << found.result.message;
          EXPECT_LE(found.certificate.relative_gap, 1e-4) << what;
          expect_same_optimum(found.certificate, alone.certificate, what);
          // One machine with all rows agrees.
          const std::vector<double> y = gathered_at_first(team, found.result.y);
          EXPECT_EQ(y.size(), team->rank() == 0 ? 60U : 0U);
          if (team->rank() != 0) return;
          EXPECT_LE(certify_penalised(whole, alpha, found.result.x, y).relative_gap, 1.01e-4) << what;
        });
      }
}

TEST(TeamPenalty, WhatIsWrongIsSaidAtAll) {
  const Problem whole = test::random_problem({.n = 20, .d = 5}, {.loss = "squared"}, 3);
  test::run_team(2, [&](const TeamPtr& team) {
    const Part part(20, team);
    const Problem own = make_problem(part.of(whole.A), part.of(test::targets_of(whole)), {.loss = "squared"}, team);
    EXPECT_THROW(static_cast<void>(solve_penalised(own, team->rank() == 1 ? -1 : 1)), InputError);
  });
}

TEST(TeamPenalty, ALostTeamIsThrown) {
  const Problem whole = test::random_problem({.n = 20, .d = 5}, {.loss = "squared"}, 3);
  EXPECT_THROW(test::run_team(
                   2,
                   [&](const TeamPtr& team) {
                     const Part part(20, team);
                     const Problem own =
                         make_problem(part.of(whole.A), part.of(test::targets_of(whole)), {.loss = "squared"}, team);
                     static_cast<void>(solve_penalised(own, 1e-3, {.tol = 1e-14}));
                   },
                   30),
               TeamLost);
}

TEST(TeamScores, OfRowsThatAreHeldOutAreThoseOfOneMachine) {
  const Problem whole = test::random_problem({.n = 60, .d = 10}, {.loss = "smooth_hinge"}, 9);
  const Formulation f{.loss = "smooth_hinge", .radius = 2, .ridge = {1, true}};
  const std::vector<double> alone = out_of_fold_scores(whole.A, test::targets_of(whole), f, {.tol = 1e-9});
  test::run_team(3, [&](const TeamPtr& team) {
    const Part part(60, team);
    const std::vector<double> scores =
        out_of_fold_scores(part.of(whole.A), part.of(test::targets_of(whole)), f, {.tol = 1e-9}, {}, 5, team);
    const std::vector<double> wanted = part.of(alone);
    ASSERT_EQ(scores.size(), wanted.size());
    for (std::size_t i = 0; i < scores.size(); ++i) EXPECT_NEAR(scores[i], wanted[i], 1e-3);
  });
}

TEST(TeamScores, EndEverywhereWhereOneIsToldToStop) {
  const Problem whole = test::random_problem({.n = 60, .d = 10}, {.loss = "smooth_hinge"}, 9);
  test::run_team(3, [&](const TeamPtr& team) {
    const Part part(60, team);
    const Callback stop = [&](const Progress&) { return team->rank() != 1; };
    EXPECT_TRUE(out_of_fold_scores(part.of(whole.A), part.of(test::targets_of(whole)), {.radius = 2}, {.tol = 1e-14},
                                   stop, 5, team)
                    .empty());
  });
}

}  // namespace team_test
}  // namespace pdbfw
