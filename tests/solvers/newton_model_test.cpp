// Newton's model: its matrix against a brute-force sum, its minimiser against the conditions that tell one.
#include "solvers/newton_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "pdbfw/solve.hpp"
#include "solvers/bracket.hpp"
#include "solvers/column_descent.hpp"
#include "solvers/working_gram.hpp"
#include "support/cases.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace newton_model_test {

constexpr Index kRows = 40, kColumns = 12;

Problem problem_of(bool is_dense, bool intercept, Random& random) {
  const reference::DenseMatrix A = test::random_matrix({.n = kRows, .d = kColumns, .density = 0.6}, random);
  const std::vector<double> b = test::random_targets(A, true, random);
  return make_problem(is_dense ? reference::dense(A) : reference::sparse(A), b,
                      {.loss = "logistic", .ridge = {0, false}, .intercept = intercept});
}

// (1/n) B' diag(curvature) B, of the features and, last, the column of ones.
Matrix brute_force(const Problem& p, const std::vector<Index>& features, std::span<const double> curvature) {
  const reference::DenseMatrix A = reference::expand(*p.A);
  const auto size = static_cast<Index>(features.size());
  Matrix out = Matrix::Zero(size + 1, size + 1);
  for (Index i = 0; i < kRows; ++i) {
    Vector row(size + 1);
    for (Index a = 0; a < size; ++a) row[a] = A(i, features[static_cast<std::size_t>(a)]);
    row[size] = 1;
    out += curvature[static_cast<std::size_t>(i)] / kRows * row * row.transpose();
  }
  return out;
}

// Features come and go, rows move far, a little or not at all. A curvature is at most 5 % off, so the same is true of
// the matrix along any direction.
TEST(WorkingGram, FollowsFeaturesAndCurvature) {
  Random random(1);
  for (const bool is_dense : {false, true})
    for (const bool intercept : {false, true}) {
      const Problem p = problem_of(is_dense, intercept, random);
      WorkingGram gram(p);
      std::vector<double> bend(kRows);
      for (double& b : bend) b = random.uniform();
      for (int step = 0; step < 60; ++step) {
        std::vector<Index> features;
        for (Index j = 0; j < kColumns; ++j)
          if (random.uniform() < 0.7) features.push_back(j);
        if (step % 3 != 0) features = gram.features();
        if (features.empty()) features = {0};
        for (double& b : bend)
          if (random.uniform() < 0.2) b = random.uniform() < 0.5 ? 0 : random.uniform();
        const double least = step % 4 == 0 ? 0.1 : 0;
        std::vector<double> wanted = bend;
        for (double& b : wanted) b = std::max(b, least);
        gram.choose(features);
        gram.refresh(bend, least);
        const Matrix exact = brute_force(p, features, wanted);
        const auto size = static_cast<Index>(features.size());
        for (int k = 0; k < 5; ++k) {
          Vector v(size + (intercept ? 1 : 0));
          for (double& v_a : v) v_a = random.normal();
          double found = v.head(size).dot(gram.H() * v.head(size));
          if (intercept) found += v[size] * (2 * v.head(size).dot(gram.C().col(0)) + v[size] * gram.M()(0, 0));
          const double expected = v.dot(exact.topLeftCorner(v.size(), v.size()) * v);
          EXPECT_NEAR(found, expected, 0.0501 * expected + 1e-12);
        }
        EXPECT_LE((gram.H() - gram.H().transpose()).cwiseAbs().maxCoeff(), 1e-14);
      }
      EXPECT_GT(gram.take_work(), 0);
      EXPECT_EQ(gram.take_work(), 0);
    }
}

// A symmetric matrix of rank at most `rank`, scaled so that its entries are of many sizes.
Matrix random_matrix(Index size, Index rank, Random& random) {
  Matrix B(size, rank);
  for (Index a = 0; a < size; ++a) {
    const double scale = std::exp(2 * random.normal());
    for (Index k = 0; k < rank; ++k) B(a, k) = scale * random.normal();
  }
  return B * B.transpose();
}

// At a minimiser the slope of an entry is minus the multiplier times its sign, and no larger where it is 0.
void expect_minimum(const Matrix& R, const Vector& g, const Vector& z, double price, bool is_one_sided, double share) {
  const Vector slope = g + R * z;
  for (Index a = 0; a < z.size(); ++a) {
    const double unit = share * (std::abs(g[a]) + price + R.row(a).cwiseAbs().dot(z.cwiseAbs()));
    if (z[a] != 0) {
      EXPECT_NEAR(slope[a], z[a] > 0 ? -price : price, unit);
    } else {
      EXPECT_LE(is_one_sided ? -slope[a] : std::abs(slope[a]), price + unit);
    }
    if (is_one_sided) {
      EXPECT_GE(z[a], 0);
    }
  }
}

class NewtonModelOf : public testing::TestWithParam<bool> {};

TEST_P(NewtonModelOf, APenaltyMeetsTheConditionsOfAMinimum) {
  Random random(5);
  pdbfw::Run run({}, {}, 1);
  for (int k = 0; k < 200; ++k) {
    const Index size = 1 + k % 25;
    const Matrix R = random_matrix(size, size + 3, random);
    Vector g(size);
    for (Index a = 0; a < size; ++a) g[a] = std::sqrt(R(a, a)) * random.normal();
    const double price = 0.3 * g.cwiseAbs().maxCoeff() * random.uniform() + 1e-3;
    NewtonModel model(R, g, Vector::Zero(size), {price, std::numeric_limits<double>::infinity(), GetParam()}, 0);
    model.minimise(run);
    EXPECT_TRUE(model.is_bounded());
    EXPECT_EQ(model.multiplier(), price);
    expect_minimum(R, g, model.x(), price, GetParam(), 1e-5);
  }
}

TEST_P(NewtonModelOf, ABallMeetsTheConditionsOfAMinimum) {
  Random random(6);
  pdbfw::Run run({}, {}, 1);
  for (int k = 0; k < 200; ++k) {
    const Index size = 2 + k % 25;
    const Matrix R = random_matrix(size, size + 3, random);
    Vector g(size);
    for (Index a = 0; a < size; ++a) g[a] = std::sqrt(R(a, a)) * random.normal();
    const double radius = std::exp(3 * random.normal());
    NewtonModel model(R, g, Vector::Zero(size), {0, radius, GetParam()}, std::numeric_limits<double>::quiet_NaN());
    model.minimise(run);
    EXPECT_LE(model.x().lpNorm<1>(), radius * (1 + 1e-6));
    if (model.multiplier() > 0) {
      EXPECT_NEAR(model.x().lpNorm<1>(), radius, 1e-6 * radius);
    }
    expect_minimum(R, g, model.x(), model.multiplier(), GetParam(), 1e-4);
  }
}

// At one multiplier |x|_1 takes many values then, and the radius's own has to be found.
TEST_P(NewtonModelOf, ABallOfEntriesThatDependOnEachOtherIsMet) {
  Random random(10);
  pdbfw::Run run({}, {}, 1);
  for (int k = 0; k < 200; ++k) {
    const Index size = 4 + k % 20;
    const Matrix R = random_matrix(size, size / 2, random);
    Vector target(size);
    for (Index a = 0; a < size; ++a) target[a] = random.normal();
    const Vector g = -(R * target);
    const double radius = target.lpNorm<1>() * random.uniform();
    NewtonModel model(R, g, Vector::Zero(size), {0, radius, GetParam()}, std::numeric_limits<double>::quiet_NaN());
    model.minimise(run);
    EXPECT_LE(model.x().lpNorm<1>(), radius * (1 + 1e-6));
    expect_minimum(R, g, model.x(), model.multiplier(), GetParam(), 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Signs, NewtonModelOf, testing::Bool());

// Functions that fall, in many shapes, from a guess that may be far off, with steps of Newton's method that may be
// wrong.
TEST(Bracket, FindsWhereAFallingFunctionCrossesZero) {
  Random random(9);
  for (int k = 0; k < 1000; ++k) {
    const bool is_positive = k % 2 == 0;
    const double power = std::exp(random.normal()),
                 root = (is_positive ? 1 : random.normal()) * std::exp(5 * random.normal());
    const double error = std::exp(2 * random.normal()), size = std::abs(root);
    const auto excess = [&](double at) {
      const double u = (root - at) / size;
      return std::copysign(std::pow(std::abs(u), power), u);
    };
    Bracket bracket(is_positive, 1e-3 * size);
    double at = root * 2 * random.uniform();
    int steps = 0;
    for (; std::abs(at - root) > 1e-6 * size && steps < 200; ++steps) {
      const double slope = power * std::pow(std::abs(root - at) / size, power - 1) / size;
      at = bracket.next(at, excess(at), error * excess(at) / slope);
      if (is_positive) {
        ASSERT_GE(at, 0);
      }
    }
    EXPECT_LT(steps, 200) << power << ' ' << root << ' ' << error;
  }
}

TEST(NewtonModel, SaysWhereThereIsNoMinimum) {
  pdbfw::Run run({}, {}, 1);
  const Hold hold{1, std::numeric_limits<double>::infinity()};
  NewtonModel flat(Matrix::Zero(1, 1), Vector::Constant(1, 2.0), Vector::Zero(1), hold, 0);
  flat.minimise(run);
  EXPECT_FALSE(flat.is_bounded());
  NewtonModel dear(Matrix::Zero(1, 1), Vector::Constant(1, 0.5), Vector::Constant(1, 3.0), hold, 0);
  dear.minimise(run);
  EXPECT_TRUE(dear.is_bounded());
  EXPECT_EQ(dear.x()[0], 0);  // not worth its price
}

// By columns and by the matrix: the same minimum, with an intercept and without.
TEST(ColumnDescent, FindsWhatTheMatrixTells) {
  Random random(7);
  pdbfw::Run run({}, {}, 1);
  for (const bool is_dense : {false, true})
    for (const bool intercept : {false, true})
      for (const bool is_ball : {false, true}) {
        Problem p = problem_of(is_dense, intercept, random);
        std::vector<Index> features(kColumns);
        for (Index j = 0; j < kColumns; ++j) features[static_cast<std::size_t>(j)] = j;
        std::vector<double> slope(kRows), bend(kRows), x(kColumns, 0.0);
        for (std::size_t i = 0; i < slope.size(); ++i) {
          slope[i] = random.normal();
          bend[i] = 0.1 + random.uniform();
        }
        const double infinity = std::numeric_limits<double>::infinity();
        const Hold hold = is_ball ? Hold{0, 0.5} : Hold{0.02, infinity};
        std::vector<double> products(kColumns);
        multiply_transposed(*p.A, slope, products);
        for (double& product : products) product /= kRows;
        double mean = 0;
        for (const double s : slope) mean += s / kRows;
        const std::vector<double> free_gradient(intercept ? 1 : 0, mean);
        const ColumnStep found = descend_by_columns(p,
                                                    {.features = features,
                                                     .x = x,
                                                     .slope = slope,
                                                     .bend = bend,
                                                     .gradient = products,
                                                     .free_gradient = free_gradient,
                                                     .hold = hold,
                                                     .multiplier = std::numeric_limits<double>::quiet_NaN(),
                                                     .accuracy = 1e-12,
                                                     .most_work = infinity},
                                                    run);
        const Matrix all = brute_force(p, features, bend);
        Matrix R = all.topLeftCorner(kColumns, kColumns);
        Vector g = Eigen::Map<const Vector>(products.data(), kColumns);
        if (intercept) {
          const Vector C = all.col(kColumns).head(kColumns);
          R -= C * C.transpose() / all(kColumns, kColumns);
          g -= mean / all(kColumns, kColumns) * C;
        }
        const Vector z = Eigen::Map<const Vector>(found.x.data(), kColumns);
        expect_minimum(R, g, z, found.multiplier, false, 1e-6);
        if (is_ball) {
          EXPECT_NEAR(z.lpNorm<1>(), 0.5, 1e-8);
        }
        EXPECT_EQ(found.free.size(), intercept ? 1U : 0U);
      }
}

// Columns times powers of two, and penalties that weigh accordingly: the same answer, to the last bit, in as many
// steps.
TEST(WorkingSet, IsFreeOfScales) {
  Random random(8);
  for (const std::string_view loss : loss_names())
    for (const bool intercept : {false, true}) {
      const reference::DenseMatrix A = test::random_matrix({.n = 60, .d = 20}, random);
      reference::DenseMatrix scaled = A;
      std::vector<double> weight(20);
      for (Index j = 0; j < 20; ++j) {
        weight[static_cast<std::size_t>(j)] = std::exp2(static_cast<double>(j % 7 - 3));
        for (Index i = 0; i < 60; ++i) scaled(i, j) *= weight[static_cast<std::size_t>(j)];
      }
      const Formulation plain{.loss = std::string(loss), .ridge = {0, false}, .intercept = intercept};
      Formulation weighted = plain;
      weighted.penalty_weight = weight;
      const std::vector<double> b = test::random_targets(A, test::takes_labels(plain), random);
      const Problem p = make_problem(reference::dense(A), b, plain);
      const Problem q = make_problem(reference::dense(scaled), b, weighted);
      const double alpha = 0.05 * largest_alpha(p);
      const Penalised one = solve_penalised(p, alpha, {.tol = 1e-8, .solver = "working_set"});
      const Penalised other = solve_penalised(q, alpha, {.tol = 1e-8, .solver = "working_set"});
      EXPECT_EQ(one.result.status, Status::converged) << loss;
      EXPECT_EQ(one.result.work.iterations, other.result.work.iterations) << loss;
      const std::vector<double> x = feature_weights(p, one.result), y = feature_weights(q, other.result);
      for (std::size_t j = 0; j < x.size(); ++j) EXPECT_EQ(x[j], y[j] * weight[j]) << loss << ' ' << j;
    }
}

}  // namespace newton_model_test
}  // namespace pdbfw
