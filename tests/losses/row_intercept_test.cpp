// Intercepts and weights of losses of rows.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "losses/rows_with_intercept.hpp"
#include "support/matrices.hpp"
#include "support/row_losses.hpp"

namespace pdbfw {
namespace row_intercept_test {

using test::row;

constexpr Index kRows = 12, kOutputs = 3;

using test::random_matrix;

// Targets of which every output has some of each.
Matrix targets_for(const RowLoss& loss, Random& random) {
  Matrix B = random_matrix(kRows, loss.target_columns(kOutputs), random);
  for (Index i = 0; i < B.rows(); ++i)
    for (Index j = 0; j < B.cols(); ++j) {
      if (loss.target_kind() == RowTargetKind::signs)
        B(i, j) = i < 2 ? 1 - 2 * static_cast<double>(i) : B(i, j) > 0 ? 1 : -1;
      if (loss.target_kind() == RowTargetKind::classes) B(i, j) = static_cast<double>(i % kOutputs);
    }
  return B;
}

struct Case {
  test::RowLossCase loss;
  std::string name;
  std::shared_ptr<const RowLoss> each, with_intercept;
  Matrix W;
};

std::vector<Case> cases() {
  std::vector<Case> out;
  Random random(4);
  for (const test::RowLossCase& c : test::row_loss_cases()) {
    const auto loss = c.of(targets_for(*c.loss, random));
    out.push_back({c, c.name, loss, std::make_shared<RowsWithIntercept>(loss), random_matrix(kRows, kOutputs, random)});
  }
  return out;
}

TEST(RowsWithIntercept, NoOtherInterceptIsBetter) {
  Random random(5);
  for (const Case& c : cases()) {
    const double best = c.with_intercept->total_value(c.W);
    const Vector t = c.with_intercept->intercepts(c.W);
    const bool are_classes = c.each->target_kind() == RowTargetKind::classes;
    EXPECT_NEAR(are_classes ? t.sum() : 0, 0, 1e-12) << c.name;
    EXPECT_NEAR(c.each->total_value(c.W.rowwise() + t.transpose()), best, 1e-9 * (1 + best)) << c.name;
    for (int trial = 0; trial < 50; ++trial) {
      const Vector other =
          t + std::pow(10.0, -5 * random.uniform()) * Vector::NullaryExpr(kOutputs, [&] { return random.normal(); });
      EXPECT_GE(c.each->total_value(c.W.rowwise() + other.transpose()), best - 1e-9 * (1 + best)) << c.name;
    }
  }
}

TEST(RowsWithIntercept, GradientsAreBalancedAndMeetFenchelAndYoung) {
  for (const Case& c : cases()) {
    Matrix Y;
    c.with_intercept->gradients(c.W, Y);
    EXPECT_LE(Y.colwise().sum().cwiseAbs().maxCoeff(), 1e-10 * (1 + Y.lpNorm<1>())) << c.name;
    const double value = c.with_intercept->total_value(c.W), conjugate = c.with_intercept->total_conjugate(Y);
    EXPECT_NEAR(value + conjugate, Y.cwiseProduct(c.W).sum(), 1e-6 * (1 + value)) << c.name;
  }
}

TEST(RowsWithIntercept, HessianProductsAreTheSlopesOfTheGradients) {
  Random random(6);
  for (const Case& c : cases()) {
    if (c.name.find("softmax") != 0 && c.name.find("multilabel_logistic") != 0 && c.name.find("squared") != 0) continue;
    const Matrix V = random_matrix(kRows, kOutputs, random);
    Matrix up, down, product;
    const double h = 1e-5;
    c.with_intercept->gradients(c.W + h * V, up);
    c.with_intercept->gradients(c.W - h * V, down);
    c.with_intercept->hessian_products(c.W, V, product);
    EXPECT_LE(((up - down) / (2 * h) - product).norm(), 1e-5) << c.name;
  }
}

TEST(RowsWithIntercept, ConjugateIsInfiniteWhereColumnsDoNotSumToZero) {
  for (const Case& c : cases()) {
    Matrix Y;
    c.each->gradients(c.W, Y);
    EXPECT_TRUE(std::isinf(c.with_intercept->total_conjugate(Y))) << c.name;
    c.with_intercept->balance(Y);
    EXPECT_TRUE(std::isfinite(c.with_intercept->total_conjugate(Y))) << c.name;
  }
}

// Rows that sum to zero with one negative entry; classes that nothing flows to or from, and groups of them.
RC_GTEST_PROP(BalancedFlow, ColumnsSumToZeroAndRowsOnlyShrink, ()) {
  const Index k = *rc::gen::inRange<Index>(2, 7), n = *rc::gen::inRange<Index>(1, 30);
  Matrix Y = Matrix::Zero(n, k);
  for (Index i = 0; i < n; ++i) {
    const Index own = *rc::gen::inRange<Index>(0, k);
    for (Index j = 0; j < k; ++j)
      if (j != own) Y(i, j) = *rc::gen::element(0.0, 0.0, 1e-9, 0.25, 0.5);
    Y(i, own) = -Y.row(i).sum();
  }
  Matrix balanced = Y;
  balance_flow(balanced);
  RC_ASSERT(balanced.allFinite());
  RC_ASSERT(balanced.colwise().sum().cwiseAbs().maxCoeff() <= 1e-13 * (1 + Y.lpNorm<1>()));
  for (Index i = 0; i < n; ++i) {
    const double norm = Y.row(i).lpNorm<1>(), factor = norm > 0 ? balanced.row(i).lpNorm<1>() / norm : 1;
    RC_ASSERT(factor >= 0);
    RC_ASSERT(factor <= 1 + 1e-15);
    RC_ASSERT((balanced.row(i) - factor * Y.row(i)).norm() <= 1e-15);
  }
  Matrix again = balanced;
  balance_flow(again);
  RC_ASSERT((again - balanced).norm() <= 1e-6);
}

TEST(BalancedFlow, LeavesACirculationAsItIs) {
  const Matrix Y{{-0.5, 0.5, 0, 0}, {0.5, -0.5, 0, 0}, {0, 0, -1e-6, 1e-6}, {0, 0, 1e-6, -1e-6}};
  Matrix balanced = Y;
  balance_flow(balanced);
  EXPECT_EQ(balanced, Y);
}

TEST(WeightedRows, AreTheLossTimesTheWeight) {
  Random random(8);
  for (const Case& c : cases()) {
    std::vector<double> weight;
    for (Index i = 0; i < kRows; ++i) weight.push_back(i == 2 ? 0 : 0.5 + static_cast<double>(i));
    const std::shared_ptr<const RowLoss> made = c.loss.of(c.each->targets(), weight);
    const RowLoss& weighted = *made;
    Matrix Y, plain, H = Matrix::Zero(kOutputs, kOutputs), G = H;
    weighted.gradients(c.W, Y);
    c.each->gradients(c.W, plain);
    double value = 0;
    for (Index i = 0; i < kRows; ++i) {
      const double w = weight[static_cast<std::size_t>(i)];
      const Vector at = c.W.row(i);
      value += w * c.each->value(i, row(at));
      EXPECT_LE((Y.row(i) - w * plain.row(i)).norm(), 1e-12) << c.name;
    }
    EXPECT_NEAR(weighted.total_value(c.W), value, 1e-10 * (1 + value)) << c.name;
    EXPECT_NEAR(weighted.total_value(c.W) + weighted.total_conjugate(Y), Y.cwiseProduct(c.W).sum(), 1e-9 * (1 + value))
        << c.name;
    // The proximal point is better than what lies around it.
    const Matrix start = 0.5 * Y;
    Matrix best;
    weighted.dual_proxes(c.W, start, 0.7, best);
    for (Index i = 0; i < kRows; ++i) {
      const auto merit = [&](const Vector& y) {
        return c.W.row(i).dot(y) - weighted.conjugate(i, row(y)) - (y - start.row(i).transpose()).squaredNorm() / 1.4;
      };
      const Vector found = best.row(i), towards = Y.row(i);
      const double size = 1 + std::abs(merit(found));
      EXPECT_GE(merit(found), merit(0.999 * found + 0.001 * towards) - 1e-10 * size) << c.name;
      EXPECT_GE(merit(found), merit(towards) - 1e-10 * size) << c.name;
    }
    const Vector at = c.W.row(5);
    weighted.add_hessian(5, row(at), H);
    c.each->add_hessian(5, row(at), G);
    EXPECT_LE((H - 5.5 * G).norm(), 1e-10) << c.name;
  }
}

}  // namespace row_intercept_test
}  // namespace pdbfw
