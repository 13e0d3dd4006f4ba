// Laws that the papers prove, measured.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "apps/low_rank_registry.hpp"
#include "baselines/low_rank/primal_point.hpp"
#include "reference/low_rank_judge.hpp"
#include "support/low_rank_problems.hpp"

namespace pdbfw::low_rank {
namespace theory_test {

using test::random_low_rank_problem;

Problem small_problem(double ridge = 20) {
  return random_low_rank_problem(rows_map(test::gaussian_rows(30, 8, 4), 6),
                                 {.loss = "squared", .set = "trace", .radius = 2, .ridge = {ridge, true}}, 9);
}

double optimum(const Problem& p) {
  const Result result = solve(p, {.tol = 1e-11, .solver = "apg"});
  EXPECT_EQ(result.status, Status::converged) << result.message;
  return (result.certificate.primal + result.certificate.dual) / 2;
}

// P(X_t) as the solver itself tells, t = 0, 1, ...
std::vector<double> objectives(const Problem& p, const Settings& settings) {
  std::vector<double> out;
  (void)solve(p, settings, [&](const Progress& now) {
    if (now.now.iteration == static_cast<Index>(out.size())) out.push_back(now.now.primal);
    return true;
  });
  return out;
}

TEST(LowRankTheory, ExactLineSearchNeverRises) {
  for (const std::string solver : {"fw", "sfw", "block_fw"}) {
    const std::vector<double> P = objectives(small_problem(0.1), {.tol = 1e-9, .solver = solver, .max_iterations = 60});
    ASSERT_GT(P.size(), 10U);
    for (std::size_t t = 1; t < P.size(); ++t) EXPECT_LE(P[t], P[t - 1] * (1 + 1e-12)) << solver << " at " << t;
  }
}

TEST(LowRankTheory, FrankWolfeKeepsItsBound) {
  const Problem p = small_problem(0.1);
  const double best = optimum(p), LD2 = primal_smoothness(p) * diameter(p) * diameter(p);
  const std::vector<double> P = objectives(p, {.tol = 1e-9, .solver = "fw", .steps = "theory", .max_iterations = 100});
  ASSERT_GE(P.size(), 100U);
  for (std::size_t t = 1; t < P.size(); ++t)
    EXPECT_LE(P[t] - best, 2 * LD2 / (static_cast<double>(t) + 2)) << "at " << t;
}

TEST(LowRankTheory, ProjectedGradientKeepsItsRate) {
  const Problem p = small_problem();
  const double best = optimum(p), q = p.ridge / primal_smoothness(p);
  const std::vector<double> P = objectives(p, {.tol = 1e-9, .solver = "pg", .steps = "theory"});
  ASSERT_GT(P.size(), 5U);
  // P - P* falls at least by 1 - q a step (Nesterov 2004, section 2.2.4), and never rises.
  for (std::size_t t = 1; t < P.size(); ++t)
    EXPECT_LE(P[t] - best, (1 - q) * (P[t - 1] - best) + 1e-8 * best) << "at " << t;
}

TEST(LowRankTheory, AcceleratedGradientKeepsItsBound) {
  const Problem p = small_problem(0.3);
  const Result solved = solve(p, {.tol = 1e-11, .solver = "apg"});
  const double best = solved.certificate.dual, L = primal_smoothness(p), q = std::sqrt(p.ridge / L);
  const std::vector<double> P = objectives(p, {.tol = 1e-9, .solver = "apg", .steps = "theory"});
  ASSERT_GT(P.size(), 10U);
  for (std::size_t t = 1; t < P.size(); ++t) {
    const auto k = static_cast<double>(t);
    const double shrink = std::min(4 / ((k + 1) * (k + 1)), (1 + q) * std::pow(1 - q, k));
    EXPECT_LE(P[t] - best, shrink * L / 2 * solved.X.s.squaredNorm() + 1e-8 * best) << "at " << t;
  }
}

// P - P* <= (1 - mu/(8 L)) of the last one + eps mu/(16 L)                              (Allen-Zhu et al. 2017)
TEST(LowRankTheory, BlockFrankWolfeKeepsItsRate) {
  const Problem p = small_problem(2);
  const double best = optimum(p), ratio = p.ridge / primal_smoothness(p);
  const std::vector<double> P = objectives(p, {.tol = 1e-8, .solver = "block_fw", .steps = "theory"});
  ASSERT_GT(P.size(), 10U);
  for (std::size_t t = 1; t < P.size(); ++t)
    EXPECT_LE(P[t] - best, (1 - ratio / 8) * (P[t - 1] - best) + 1e-8 * best) << "at " << t;
}

// Theorem 2:  with Delta_t = L(X_{t+1}, Y_t) - D(Y_t) + D* - D(Y_t)  (alpha = beta for the squared loss),
//     Delta_t <= (Delta_{t-1} + eps/16) / (1 + k delta / (8 beta n^2)),    with the right strong convexity of -D. [M28]
TEST(LowRankTheory, AlgorithmTwoKeepsItsRate) {
  const Problem p = small_problem();
  const auto n = static_cast<double>(p.n());
  const double best = optimum(p);
  for (const Index k : {Index{30}, Index{7}}) {
    const Settings settings{.tol = 1e-8, .solver = "pdbfw", .steps = "theory", .block_dual = k};
    std::vector<Matrix> X, Y;
    double delta = 0;
    const auto engine = find_solver("pdbfw").make_engine(p, settings, {});
    pdbfw::Run run(settings, {}, 1);
    for (Index t = 0; t <= 60; ++t) {
      const Point now = engine->point();
      X.push_back(now.X.dense());
      Y.push_back(now.Y);
      engine->iterate(run);
      delta = *run.settings().delta;
    }
    const double shrink = 1 / (1 + static_cast<double>(k) * delta / (8 * n * n));
    double last = std::numeric_limits<double>::infinity();
    for (std::size_t t = 0; t + 1 < X.size(); ++t) {
      Matrix W;
      p.map->apply(X[t + 1], W);
      const double saddle =
          0.5 * p.ridge * X[t + 1].squaredNorm() + Y[t].cwiseProduct(W).sum() / n - p.loss->total_conjugate(Y[t]) / n;
      const double D = reference::certify(p, X[t], Y[t]).dual;
      const double now = saddle - D + best - D;
      EXPECT_LE(now, shrink * (last + 1e-9)) << "at " << t << " with k = " << k;
      last = now;
    }
  }
}

}  // namespace theory_test
}  // namespace pdbfw::low_rank
