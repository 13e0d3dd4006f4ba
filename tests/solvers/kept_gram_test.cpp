// The curvature that is kept from step to step against the one that is computed anew.
#include "solvers/kept_gram.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/cases.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace kept_gram_test {

// (1/n) A' diag(curvature) A
Eigen::MatrixXd gram(const Problem& problem, std::span<const double> curvature) {
  const reference::DenseMatrix A = reference::expand(*problem.A);
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(A.columns, A.columns);
  for (Index i = 0; i < A.rows; ++i)
    for (Index j = 0; j < A.columns; ++j)
      for (Index l = 0; l < A.columns; ++l)
        out(j, l) += curvature[static_cast<std::size_t>(i)] * A(i, j) * A(i, l) / static_cast<double>(A.rows);
  return out;
}

std::vector<double> curvatures(const Problem& problem, std::span<const double> w) {
  std::vector<double> out;
  for (std::size_t i = 0; i < w.size(); ++i) out.push_back(problem.loss->second_derivative(problem.b[i], w[i]));
  return out;
}

double distance(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) { return (a - b).cwiseAbs().maxCoeff(); }

Problem problem_of(const test::LossCase& c, bool is_dense, Random& random) {
  const reference::DenseMatrix A = test::random_matrix({.n = 30, .d = 6, .density = 0.6}, random);
  Problem problem = test::random_problem({.n = 30, .d = 6}, {.radius = 1}, 1);
  problem.A = is_dense ? reference::dense(A) : reference::sparse(A);
  problem.loss = c.loss;
  for (double& b_i : problem.b) b_i = test::random_target(*c.loss, random);
  return problem;
}

// Asked for no less than the most that the loss can have, it bounds every curvature from above.
TEST(KeptGram, HasTheLeastCurvatureThatIsAskedFor) {
  Random random(1);
  for (const test::LossCase& c : test::loss_cases())
    for (const bool is_dense : {false, true}) {
      const Problem problem = problem_of(c, is_dense, random);
      const std::vector<double> largest(30, c.loss->smoothness());
      KeptGram kept(problem);
      double multiply_adds = 5;
      const Eigen::MatrixXd& first = kept.at(test::random_vector(30, random), c.loss->smoothness(), multiply_adds);
      EXPECT_LE(distance(first, gram(problem, largest)), 1e-13 * (1 + c.loss->smoothness())) << c.name;
      double expected = 5;  // what was there is kept; a row of k entries has k (k + 1) / 2 pairs
      const reference::DenseMatrix A = reference::expand(*problem.A);
      for (Index i = 0; i < 30; ++i) {
        double k = 0;
        for (Index j = 0; j < 6; ++j) k += is_dense || A(i, j) != 0 ? 1 : 0;
        expected += k * (k + 1) / 2;
      }
      EXPECT_EQ(multiply_adds, expected) << c.name;
    }
}

// Some rows move far, some a little, some not at all. A row's curvature is at most 5 % off, so the same is true of the
// curvature along any direction; where curvatures only jump, nothing is off.
TEST(KeptGram, FollowsTheCurvature) {
  Random random(2);
  for (const test::LossCase& c : test::loss_cases())
    for (const bool is_dense : {false, true}) {
      const Problem problem = problem_of(c, is_dense, random);
      const bool only_jumps = c.loss->name() != "logistic";
      KeptGram kept(problem);
      double multiply_adds = 0;
      std::vector<double> w = test::random_vector(30, random);
      (void)kept.at(w, 0, multiply_adds);
      for (int step = 0; step < 40; ++step) {
        const Eigen::MatrixXd& now = kept.at(w, 0, multiply_adds);
        const Eigen::MatrixXd exact = gram(problem, curvatures(problem, w));
        ASSERT_EQ(now, now.transpose()) << c.name;
        const double rounding = 1e-12 * (1 + c.loss->smoothness());
        if (only_jumps) {
          ASSERT_LE(distance(now, exact), rounding) << c.name << ", step " << step;
        }
        for (int direction = 0; direction < 5; ++direction) {
          Eigen::VectorXd v(6);
          for (Index j = 0; j < 6; ++j) v(j) = random.normal();
          const double along = v.dot(exact * v);
          ASSERT_NEAR(v.dot(now * v), along, 0.05 * along + rounding * v.squaredNorm()) << c.name << ", step " << step;
        }
        for (double& w_i : w) w_i += random.uniform() < 0.3 ? random.normal() : (random.uniform() - 0.5) * 0.02;
      }
    }
}

TEST(KeptGram, CostsNothingWhereNothingChanges) {
  Random random(3);
  for (const test::LossCase& c : test::loss_cases()) {
    const Problem problem = problem_of(c, false, random);
    std::vector<double> w = test::random_vector(30, random);
    KeptGram kept(problem);
    double multiply_adds = 0;
    (void)kept.at(w, 0, multiply_adds);
    const Eigen::MatrixXd second = kept.at(w, 0, multiply_adds);
    const double before = multiply_adds;
    for (double& w_i : w) w_i += 1e-9;
    EXPECT_EQ(kept.at(w, 0, multiply_adds), second) << c.name;
    EXPECT_EQ(multiply_adds, before) << c.name;
  }
}

// A share of 5 % is left as it is, however it came about: many small steps are noticed in the end.
TEST(KeptGram, NoticesASlowDrift) {
  const test::LossCase logistic{"logistic", make_loss({.loss = "logistic"})};
  Random random(4);
  const Problem problem = problem_of(logistic, false, random);
  KeptGram kept(problem);
  double multiply_adds = 0;
  std::vector<double> w(30, 0.0);
  (void)kept.at(w, 0, multiply_adds);
  for (int step = 0; step < 300; ++step) {
    for (double& w_i : w) w_i += 0.01;
    (void)kept.at(w, 0, multiply_adds);
  }
  const Eigen::MatrixXd exact = gram(problem, curvatures(problem, w)), now = kept.at(w, 0, multiply_adds);
  for (Index j = 0; j < 6; ++j) EXPECT_NEAR(now(j, j), exact(j, j), 0.05 * exact(j, j));
}

// Few features, and rows of 32 entries or fewer: half of k^2 products per row against sixteen passes over k entries.
TEST(KeptGram, PaysForFewFeaturesAndShortRows) {
  const auto ones = [](Index n, Index d) {
    return own_dense_rows(n, d, std::vector<double>(static_cast<std::size_t>(n * d), 1.0));
  };
  EXPECT_TRUE(KeptGram::pays(*ones(40, 32)));
  EXPECT_FALSE(KeptGram::pays(*ones(40, 33)));
  reference::DenseMatrix thin(3, 513);
  thin(0, 0) = thin(1, 512) = 1;
  EXPECT_FALSE(KeptGram::pays(*reference::sparse(thin)));
  reference::DenseMatrix fits(3, 512);
  fits(0, 0) = fits(1, 511) = 1;
  EXPECT_TRUE(KeptGram::pays(*reference::sparse(fits)));
}

}  // namespace kept_gram_test
}  // namespace pdbfw
