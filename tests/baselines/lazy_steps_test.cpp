// The steps that look at few features only are those of the plain formulas.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "baselines/primal_point.hpp"
#include "baselines/projected_steps.hpp"
#include "baselines/sliding.hpp"
#include "core/judge.hpp"
#include "core/run.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace lazy_steps_test {

using test::random_problem;

PrimalPoint known(const Problem& p, std::vector<double> x) {
  p.set->project(x);
  PrimalPoint point = point_at(p, std::move(x));
  (void)evaluate(p, 1, point);
  (void)differentiate(p, 1, point);
  return point;
}

// x <- Proj_C( x - step v ), every feature looked at.
void plain_step(const Problem& p, const PrimalPoint& snapshot, double step, const std::vector<Index>& rows,
                std::vector<double>& x) {
  std::vector<double> w(p.loss->size()), weights(p.loss->size()), sum(x.size());
  multiply(*p.A, x, w);
  for (const Index i : rows) {
    const auto row = static_cast<std::size_t>(i);
    weights[row] += (p.loss->derivative(row, w[row]) - snapshot.y[row]) / static_cast<double>(rows.size());
  }
  multiply_transposed(*p.A, weights, sum);
  const Curvatures q = p.regulariser->curvatures();
  for (std::size_t j = 0; j < x.size(); ++j) x[j] -= step * (sum[j] - snapshot.u[j] + q[static_cast<Index>(j)] * x[j]);
  p.set->project(x);
}

TEST(ProjectedSteps, AreThePlainOnes) {
  for (const std::string set : {"l1", "simplex"})
    for (const double radius : {0.3, 3.0, 1e3})
      for (const double length : {0.05, 2.0}) {
        const Problem p = random_problem({.n = 60, .d = 200, .density = 0.05, .scale = 1},
                                         {.set = set, .radius = radius, .ridge = {1, true}}, 7);
        Random random(5);
        const PrimalPoint snapshot = known(p, std::vector<double>(200));
        ProjectedSteps steps(p);
        std::vector<double> x = snapshot.x;
        steps.begin(snapshot, length);
        for (int k = 0; k < 60; ++k) {
          std::vector<Index> rows(1 + random.below(4));
          for (Index& i : rows) i = static_cast<Index>(random.below(60));
          (void)steps.step(rows);
          plain_step(p, snapshot, length, rows, x);
          for (std::size_t j = 0; j < x.size(); ++j)
            ASSERT_NEAR(steps.x()[j], x[j], 1e-9 * (1 + radius)) << set << ", " << radius << ", step " << k;
        }
      }
}

// At a sparse point, with a radius that is met, few features are in play.
TEST(ProjectedSteps, LookAtFewFeatures) {
  const Problem p = random_problem({.n = 300, .d = 2'000, .density = 0.01, .scale = 1},
                                   {.loss = "squared", .radius = 0.5, .ridge = {1, true}}, 7);
  const PrimalPoint start = known(p, std::vector<double>(2'000));
  std::vector<double> x;
  gradient_step(p, start, 1, x);
  const PrimalPoint snapshot = known(p, x);
  ProjectedSteps steps(p);
  steps.begin(snapshot, 1);
  std::vector<Index> rows(20);
  std::iota(rows.begin(), rows.end(), Index{0});
  const double touched = steps.step(rows);
  EXPECT_LT(steps.features_in_play(), 400);
  EXPECT_LT(touched, 2.5 * 20 * 2'000 * 0.01);
  EXPECT_GT(touched, 0);
}

struct Inner {
  std::vector<double> g, x_0;
  double beta;
};

double inner_gap(const Problem& p, const Inner& inner, const std::vector<double>& x) {
  std::vector<double> gradient(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) gradient[j] = inner.g[j] + inner.beta * (x[j] - inner.x_0[j]);
  SparseAtom v;
  p.set->linear_oracle(gradient, v);
  double gap = -gradient[static_cast<std::size_t>(v.at[0])] * v.value[0];
  for (std::size_t j = 0; j < x.size(); ++j) gap += gradient[j] * x[j];
  return gap;
}

// Frank-Wolfe with exact steps on the inner problem, every feature looked at.
std::vector<double> plain_slide(const Problem& p, const Inner& inner, double tolerance) {
  std::vector<double> x = inner.x_0, gradient(x.size());
  for (double gap = inner_gap(p, inner, x); gap > tolerance; gap = inner_gap(p, inner, x)) {
    for (std::size_t j = 0; j < x.size(); ++j) gradient[j] = inner.g[j] + inner.beta * (x[j] - inner.x_0[j]);
    SparseAtom v;
    p.set->linear_oracle(gradient, v);
    std::vector<double> e(x.size());
    step_towards(v, 1, e);
    double length = 0;
    for (std::size_t j = 0; j < x.size(); ++j) length += (e[j] - x[j]) * (e[j] - x[j]);
    step_towards(v, std::min(1.0, gap / (inner.beta * length)), x);
  }
  return x;
}

TEST(Sliding, ClassicStepsAreThePlainOnesAndBothKindsReachTheTolerance) {
  for (const std::string set : {"l1", "simplex"})
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Problem p = random_problem({.n = 5, .d = 1'000}, {.set = set, .radius = 2}, 1);
      pdbfw::Run run({}, {}, 1);
      Random random(seed);
      Inner inner{test::random_vector(1'000, random), test::random_vector(1'000, random), 0.7};
      p.set->project(inner.x_0);
      for (const double tolerance : {1.0, 1e-2}) {
        std::vector<double> x = inner.x_0;
        Sliding(p, InnerSteps::classic).slide({inner.g, inner.beta, tolerance}, x, run);
        const std::vector<double> plain = plain_slide(p, inner, tolerance);
        for (std::size_t j = 0; j < x.size(); ++j) ASSERT_NEAR(x[j], plain[j], 1e-9) << set << ", seed " << seed;
      }
      // The exact answer is a projection.
      std::vector<double> exact = inner.x_0, x = inner.x_0;
      for (std::size_t j = 0; j < x.size(); ++j) exact[j] -= inner.g[j] / inner.beta;
      p.set->project(exact);
      Sliding(p, InnerSteps::pairwise).slide({inner.g, inner.beta, 1e-12}, x, run);
      EXPECT_LE(inner_gap(p, inner, x), 1.1e-12);
      EXPECT_LE(p.set->violation(x), 1e-12);
      for (std::size_t j = 0; j < x.size(); ++j) ASSERT_NEAR(x[j], exact[j], 1e-5) << set << ", seed " << seed;
    }
}

// More steps than extremes are kept, so that they are found anew.
TEST(Sliding, FindsMoreExtremesWhenTheyAreUsedUp) {
  const Problem p = random_problem({.n = 5, .d = 2'000}, {.set = "simplex", .radius = 50}, 1);
  pdbfw::Run run({}, {}, 1);
  Random random(3);
  const Inner inner{test::random_vector(2'000, random), start_point(p), 10};
  std::vector<double> x = inner.x_0, exact = inner.x_0;
  for (std::size_t j = 0; j < x.size(); ++j) exact[j] -= inner.g[j] / inner.beta;
  p.set->project(exact);
  ASSERT_GT(count_nonzeros(exact), 300);
  Sliding(p, InnerSteps::pairwise).slide({inner.g, inner.beta, 1e-6}, x, run);
  for (std::size_t j = 0; j < x.size(); ++j) ASSERT_NEAR(x[j], exact[j], 1e-3);
}

}  // namespace lazy_steps_test
}  // namespace pdbfw
