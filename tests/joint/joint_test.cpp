// Classes learnt jointly: hand-solved cases, agreement with other problems, and laws.
#include "pdbfw/joint.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "core/joint_judge.hpp"
#include "pdbfw/solve.hpp"
#include "support/class_problems.hpp"

namespace pdbfw::joint {
namespace joint_test {

using test::ClassData;
using test::random_classes;

Matrix dense(const SparseRows& X) {
  Matrix out = Matrix::Zero(X.rows, X.columns());
  for (std::size_t k = 0; k < X.at.size(); ++k) out.row(X.at[k]) = X.value.row(static_cast<Index>(k));
  return out;
}

Formulation joint_formulation(const std::string& loss, const std::string& set, double radius, Ridge ridge,
                              bool intercept = false) {
  Formulation f;
  f.loss = loss;
  f.set = set;
  f.radius = radius;
  f.ridge = ridge;
  f.intercept = intercept;
  return f;
}

double l1(const Matrix& X) { return X.lpNorm<1>(); }

// P(X) with the intercepts t, written down once more.
double objective(const Problem& p, const Matrix& X, const Vector& t, double ridge) {
  const Matrix A = [&] {
    Matrix rows = Matrix::Zero(p.n(), p.d());
    std::vector<double> unit(static_cast<std::size_t>(p.d())), column(static_cast<std::size_t>(p.n()));
    for (Index j = 0; j < p.d(); ++j) {
      unit.assign(unit.size(), 0.0);
      unit[static_cast<std::size_t>(j)] = 1;
      multiply(*p.A, unit, column);
      for (Index i = 0; i < p.n(); ++i) rows(i, j) = column[static_cast<std::size_t>(i)];
    }
    return rows;
  }();
  const Matrix W = (A * X).rowwise() + t.transpose();
  double sum = 0;
  for (Index i = 0; i < p.n(); ++i) sum += p.loss->value(i, {W.row(i).data(), static_cast<std::size_t>(W.cols())});
  return sum / static_cast<double>(p.n()) + 0.5 * ridge * X.squaredNorm();
}

TEST(Joint, ReachesTheToleranceForEveryLossSetAndRidge) {
  const ClassData data = random_classes({.n = 40, .d = 10}, 3, 3);
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names())
      for (const Ridge ridge : {Ridge{1, true}, Ridge{0.001, true}, Ridge{0, false}})
        for (const bool intercept : {false, true})
          for (const double radius : {0.3, 5.0}) {
            const std::string what =
                fmt::format("{} on {} of {}, ridge {}, intercept {}", loss, set, radius, ridge.value, intercept);
            const Problem p = make_problem(
                data.A, data.classes, joint_formulation(std::string(loss), std::string(set), radius, ridge, intercept));
            const Result result = solve(p, {.tol = 1e-5});
            EXPECT_EQ(result.status, Status::converged) << what << ": " << result.message;
            const Certificate judged = certify(p, result.X, result.Y);
            EXPECT_LE(judged.relative_gap, 1.01e-5) << what;
            EXPECT_NEAR(judged.primal, objective(p, dense(result.X), result.intercepts, p.ridge), 1e-9 * judged.primal)
                << what;
            const Matrix X = dense(result.X);
            const double norm = set == "l1" ? l1(X) : X.cwiseAbs().colwise().sum().maxCoeff();
            EXPECT_LE(norm, radius * (1 + 1e-9)) << what;
            EXPECT_EQ(intercept, result.intercepts.norm() > 0) << what;
          }
}

// No point of the set is better than the certified gap allows: random directions from the solution, taken into C.
TEST(Joint, NoPointOfTheSetIsBetterThanTheCertificateSays) {
  const ClassData data = random_classes({.n = 30, .d = 5}, 3, 8);
  Random random(1);
  for (const std::string_view set : set_names()) {
    const Formulation f = joint_formulation("softmax", std::string(set), 2, {0.01, false}, true);
    const Problem p = make_problem(data.A, data.classes, f);
    const Result result = solve(p, {.tol = 1e-9});
    const Matrix X = dense(result.X);
    for (int t = 0; t < 300; ++t) {
      Matrix Z = X;
      Vector shift = result.intercepts;
      const double size = std::pow(10.0, -4 * random.uniform());
      for (double& entry : Z.reshaped()) entry += size * random.normal();
      for (double& entry : shift) entry += size * random.normal();
      if (set == "l1")
        Z *= std::min(1.0, 2 / l1(Z));
      else
        for (Index k = 0; k < 3; ++k) Z.col(k) *= std::min(1.0, 2 / Z.col(k).lpNorm<1>());
      EXPECT_GE(objective(p, Z, shift, p.ridge), result.certificate.dual);
    }
    EXPECT_GE(result.certificate.gap, 0);
  }
}

// One feature, two classes, one row of each, x = 1 and -1: X = (a, -a) by symmetry. P = log(1 + exp(-2 a)) + ridge a^2,
// and over |X|_1 <= 1 the ball binds: a = 1/2, P = log(1 + 1/e).
TEST(Joint, SolvesAProblemSolvedByHand) {
  const MatrixPtr A = own_csr<double, std::int32_t>(2, 1, {0, 1, 2}, {0, 0}, {1.0, -1.0});
  const Classes classes{{0, 1}, {3, 7}};
  const Result whole =
      solve(make_problem(A, classes, joint_formulation("softmax", "l1", 1, {0, false})), {.tol = 1e-9});
  EXPECT_NEAR(whole.certificate.primal, std::log1p(std::exp(-1.0)), 1e-8);
  EXPECT_NEAR(whole.X.value(0, 0), 0.5, 1e-4);
  EXPECT_NEAR(whole.X.value(0, 1), -0.5, 1e-4);
  const Result each =
      solve(make_problem(A, classes, joint_formulation("softmax", "l1_per_class", 1, {0, false})), {.tol = 1e-9});
  EXPECT_NEAR(each.certificate.primal, std::log1p(std::exp(-2.0)), 1e-8);
  EXPECT_NEAR(each.X.value(0, 0), 1, 1e-4);
}

// With two classes softmax sees v = X_1 - X_0 only. The best split is X = (-v, v) / 2, of norm |v|_1 and of squared
// length |v|^2 / 2: the logistic problem of the same radius and half the ridge.
TEST(Joint, TwoClassesAreTheLogisticProblem) {
  const ClassData data = random_classes({.n = 80, .d = 15}, 2, 5);
  std::vector<double> sign;
  for (const Index place : data.classes.index) sign.push_back(place == 1 ? 1 : -1);
  for (const bool intercept : {false, true}) {
    Formulation f = joint_formulation("logistic", "l1", 1.5, {0.01, false}, intercept);
    const pdbfw::Result single = pdbfw::solve(pdbfw::make_problem(data.A, sign, f), {.tol = 1e-9});
    f.loss = "softmax";
    f.ridge.value = 0.02;
    const Result both = solve(make_problem(data.A, data.classes, f), {.tol = 1e-9});
    EXPECT_NEAR(both.certificate.primal, single.certificate.primal, 1e-8);
    const Matrix X = dense(both.X);
    for (Index j = 0; j < 15; ++j) EXPECT_NEAR(X(j, 1) - X(j, 0), single.x[static_cast<std::size_t>(j)], 1e-3);
    EXPECT_NEAR(both.intercepts[1] - both.intercepts[0], single.intercept, 1e-3);
  }
}

// Outputs that do not know each other, each in a ball of its own: as many problems of one.
TEST(Joint, OneBallPerOutputOfASeparableLossIsOneProblemEach) {
  const ClassData data = random_classes({.n = 40, .d = 10}, 3, 6);
  Formulation f = joint_formulation("multilabel_logistic", "l1_per_class", 1, {0.01, false}, true);
  const Result all = solve(make_problem(data.A, data.classes, f), {.tol = 1e-9});
  f.loss = "logistic";
  f.set = "l1";
  double sum = 0;
  for (Index k = 0; k < 3; ++k) {
    std::vector<double> sign;
    for (const Index place : data.classes.index) sign.push_back(place == k ? 1 : -1);
    const pdbfw::Result one = pdbfw::solve(pdbfw::make_problem(data.A, sign, f), {.tol = 1e-9});
    sum += one.certificate.primal;
    EXPECT_NEAR(one.intercept, all.intercepts[k], 1e-3);
  }
  EXPECT_NEAR(all.certificate.primal, sum, 1e-7);
}

TEST(Joint, PermutedClassesPermuteTheWeights) {
  const ClassData data = random_classes({.n = 50, .d = 8}, 3, 7);
  const std::vector<Index> to{2, 0, 1};
  Classes permuted = data.classes;
  for (Index& place : permuted.index) place = to[static_cast<std::size_t>(place)];
  const Formulation f = joint_formulation("multiclass_hinge", "l1", 2, {0.05, false}, true);
  const Result first = solve(make_problem(data.A, data.classes, f), {.tol = 1e-10});
  const Result second = solve(make_problem(data.A, permuted, f), {.tol = 1e-10});
  const Matrix X = dense(first.X), Z = dense(second.X);
  for (Index k = 0; k < 3; ++k) EXPECT_LE((X.col(k) - Z.col(to[static_cast<std::size_t>(k)])).norm(), 1e-3);
}

TEST(Joint, AnyNumberOfThreadsGivesTheSameBits) {
  const ClassData data = random_classes({.n = 1000, .d = 60}, 5, 2);
  const Problem p = make_problem(data.A, data.classes, joint_formulation("softmax", "l1", 10, {1, true}, true));
  const Result one = solve(p, {.tol = 1e-5, .threads = 1}), three = solve(p, {.tol = 1e-5, .threads = 3});
  EXPECT_EQ(one.X.at, three.X.at);
  EXPECT_EQ(one.X.value, three.X.value);
  EXPECT_EQ(one.Y, three.Y);
  EXPECT_EQ(one.certificate.primal, three.certificate.primal);
}

TEST(Joint, InterceptsAreTheBestOnes) {
  const ClassData data = random_classes({.n = 50, .d = 6}, 3, 9);
  for (const std::string loss : {"softmax", "multiclass_hinge", "multilabel_smooth_hinge", "squared"}) {
    const Problem p = make_problem(data.A, data.classes, joint_formulation(loss, "l1", 1, {0.1, false}, true));
    const Result result = solve(p);
    const Matrix X = dense(result.X);
    const double best = objective(p, X, result.intercepts, p.ridge);
    for (Index k = 0; k < 3; ++k)
      for (const double step : {-1e-3, 1e-3}) {
        Vector t = result.intercepts;
        t[k] += step;
        EXPECT_GE(objective(p, X, t, p.ridge), best - 1e-12) << loss;
      }
    EXPECT_LE(result.Y.colwise().sum().cwiseAbs().maxCoeff(), 1e-9) << loss;
  }
}

// With intercepts a number added to a feature of all rows changes nothing but them.
TEST(Joint, FeaturesMayHaveLargeMeans) {
  Random random(3);
  std::vector<double> plain, moved;
  Classes classes{{}, {0, 1, 2}};
  for (Index i = 0; i < 60; ++i) {
    classes.index.push_back(i % 3);
    for (Index j = 0; j < 4; ++j) {
      plain.push_back(random.normal() + (j == i % 3 ? 1 : 0));
      moved.push_back(plain.back() + 100);
    }
  }
  const Formulation f = joint_formulation("softmax", "l1", 3, {1, true}, true);
  const Result first = solve(make_problem(own_dense_rows(60, 4, plain), classes, f), {.tol = 1e-8});
  const Result second =
      solve(make_problem(own_dense_rows(60, 4, moved), classes, f), {.tol = 1e-8, .max_iterations = 200});
  EXPECT_EQ(second.status, Status::converged) << second.message;
  EXPECT_NEAR(first.certificate.primal, second.certificate.primal, 1e-7);
}

// Weight 2 is the row twice, weight 0 is without it.
TEST(Joint, SampleWeightsAreRepeatedRows) {
  const ClassData data = random_classes({.n = 30, .d = 6}, 3, 4);
  Formulation f = joint_formulation("softmax", "l1", 2, {1, true}, true);
  const std::vector<double> rows = [&] {
    std::vector<double> all;
    for (Index i = 0; i < 30; ++i) all.push_back(i % 5 == 4 ? 0 : i % 3 == 0 ? 2 : 1);
    return all;
  }();
  f.sample_weight = rows;
  const Result weighted = solve(make_problem(data.A, data.classes, f), {.tol = 1e-9});
  f.sample_weight.clear();
  std::vector<Index> offsets{0};
  std::vector<std::int32_t> at;
  std::vector<double> value;
  Classes repeated{{}, data.classes.original};
  std::visit(
      [&](const auto& lines) {
        for (Index i = 0; i < 30; ++i)
          for (int copy = 0; copy < rows[static_cast<std::size_t>(i)]; ++copy) {
            const auto line = lines[i];
            for (Index k = 0; k < line.size; ++k) {
              at.push_back(static_cast<std::int32_t>(line.index(k)));
              value.push_back(static_cast<double>(line.value[k]));
            }
            offsets.push_back(static_cast<Index>(at.size()));
            repeated.index.push_back(data.classes.index[static_cast<std::size_t>(i)]);
          }
      },
      data.A->by_row());
  const auto n = static_cast<Index>(repeated.index.size());
  const Result copies =
      solve(make_problem(own_csr<double, std::int32_t>(n, 6, offsets, at, value), repeated, f), {.tol = 1e-9});
  EXPECT_NEAR(weighted.certificate.primal, copies.certificate.primal, 1e-8);
  EXPECT_LE((dense(weighted.X) - dense(copies.X)).norm(), 1e-3);
}

TEST(Joint, BalancedClassesWeighTheSame) {
  const ClassData data = random_classes({.n = 40, .d = 6}, 3, 4);
  Formulation f = joint_formulation("softmax", "l1", 2, {0.1, false});
  f.class_weight.is_balanced = true;
  const Result balanced = solve(make_problem(data.A, data.classes, f), {.tol = 1e-9});
  std::vector<double> count(3, 0.0);
  for (const Index place : data.classes.index) ++count[static_cast<std::size_t>(place)];
  f.class_weight = {};
  for (const Index place : data.classes.index) f.sample_weight.push_back(1 / count[static_cast<std::size_t>(place)]);
  const Result by_hand = solve(make_problem(data.A, data.classes, f), {.tol = 1e-9});
  EXPECT_NEAR(balanced.certificate.primal, by_hand.certificate.primal, 1e-8);
}

TEST(Joint, AStartAtTheSolutionIsEnough) {
  const ClassData data = random_classes({.n = 60, .d = 12}, 4, 3);
  for (const Ridge ridge : {Ridge{1, true}, Ridge{0, false}}) {
    const Problem p = make_problem(data.A, data.classes, joint_formulation("softmax", "l1", 3, ridge, true));
    const Result first = solve(p, {.tol = 1e-7});
    const Result again = solve(p, {.tol = 1e-6}, {}, {first.X, first.Y});
    EXPECT_EQ(again.status, Status::converged);
    EXPECT_EQ(again.work.iterations, 0);
    const Result nothing = solve(p, {.tol = 1e-6}, {}, {first.X, {}});
    EXPECT_EQ(nothing.status, Status::converged);
  }
}

// A point handed over on the way is one to begin at; the solve is the same as without.
TEST(Joint, HandsItsPointsOver) {
  const ClassData data = random_classes({.n = 60, .d = 12}, 4, 3);
  const Problem p = make_problem(data.A, data.classes, joint_formulation("softmax", "l1", 5, {1, true}));
  Start last;
  Index count = 0;
  Settings settings{.tol = 1e-7};
  const Result without = solve(p, settings);
  settings.checkpoints = {.every_seconds = 0, .save_joint = [&](const Start& point, const TracePoint&) {
                            last = point;
                            ++count;
                          }};
  const Result with = solve(p, settings);
  EXPECT_EQ(count, with.work.iterations);
  EXPECT_EQ(with.Y, without.Y);
  const Certificate c = certify(p, last.X, last.Y);
  EXPECT_LE(c.violation, 1e-9 * p.set->radius());
  EXPECT_LT(solve(p, {.tol = 1e-7}, {}, last).work.iterations, with.work.iterations);
}

TEST(Joint, StopsAtItsLimits) {
  const ClassData data = random_classes({.n = 60, .d = 12}, 4, 3);
  const Problem p = make_problem(data.A, data.classes, joint_formulation("softmax", "l1", 3, {0, false}));
  EXPECT_EQ(solve(p, {.tol = 1e-14, .max_iterations = 2}).status, Status::iteration_limit);
  EXPECT_EQ(solve(p, {.tol = 1e-14, .max_seconds = 0}).status, Status::time_limit);
  EXPECT_EQ(solve(p, {.tol = 1e-14, .max_passes = 5}).status, Status::pass_limit);
  const Result stopped = solve(p, {.tol = 1e-14}, [](const Progress&) { return false; });
  EXPECT_EQ(stopped.status, Status::interrupted);
  EXPECT_LE(certify(p, stopped.X, stopped.Y).violation, 1e-9);
}

// y = 0 for every row: the loss of squares is met by X = 0.
TEST(Joint, StaysAtZeroWhereThatIsTheOptimum) {
  const ClassData data = random_classes({.n = 10, .d = 4}, 2, 1);
  const Problem p = make_problem(data.A, Matrix::Zero(10, 3), 3, joint_formulation("squared", "l1", 1, {1, true}));
  const Result result = solve(p, {.max_iterations = 100});
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_EQ(result.X.nonzeros(), 0);
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// A model without any feature has no rows, and a solve that may not begin ends with it.
TEST(Joint, AModelWithoutFeaturesIsCertified) {
  const ClassData data = random_classes({.n = 20, .d = 6}, 3, 5);
  for (const std::string_view set : set_names()) {
    const Problem p =
        make_problem(data.A, data.classes, joint_formulation("softmax", std::string(set), 2, {0.1, false}, true));
    const SparseRows zero{p.d(), {}, Matrix(0, p.c())};
    const Certificate judged = certify(p, zero, Matrix::Zero(p.n(), p.c()));
    EXPECT_NEAR(judged.primal, objective(p, dense(zero), intercepts(p, zero), p.ridge), 1e-12) << set;
    EXPECT_EQ(judged.violation, 0) << set;
    const Result stopped = solve(p, {.max_seconds = 0});
    EXPECT_EQ(stopped.status, Status::time_limit) << set;
    EXPECT_LE(stopped.certificate.primal, judged.primal) << set;
  }
}

TEST(Joint, RefusesWhatCannotBe) {
  const ClassData data = random_classes({.n = 10, .d = 4}, 3, 1);
  const auto made = [&](const std::function<void(Formulation&)>& change) {
    Formulation f = joint_formulation("softmax", "l1", 1, {1, true});
    change(f);
    return refusal([&] { static_cast<void>(make_problem(data.A, data.classes, f)); });
  };
  EXPECT_EQ(made([](Formulation& f) { f.set = "l1_per_clas"; }),
            "set: 'l1_per_clas' breaks the rule: one of l1, l1_per_class (did you mean 'l1_per_class'?)");
  EXPECT_EQ(made([](Formulation& f) { f.radius = 0; }), "radius: 0 breaks the rule: a finite number > 0");
  EXPECT_EQ(made([](Formulation& f) { f.ridge_scale = {1}; }),
            "ridge_scale: 1 factors breaks the rule: none for classes learnt jointly");
  EXPECT_EQ(made([](Formulation& f) { f.class_weight.positive = 2; }),
            "class_weight: 1,2 breaks the rule: none or balanced for the loss softmax");
  EXPECT_EQ(made([](Formulation& f) {
              f.sample_weight = {1, 2};
            }),
            "sample_weight: 2 of them breaks the rule: one for each of 10 samples");
  EXPECT_EQ(made([](Formulation& f) {
              f.sample_weight.assign(10, 1.0);
              f.sample_weight[3] = -1;
            }),
            "sample_weight: -1 for sample 4 breaks the rule: finite numbers >= 0");
  EXPECT_EQ(made([](Formulation& f) { f.sample_weight.assign(10, 0.0); }),
            "sample_weight: 0 in all breaks the rule: a finite sum > 0");
  const Formulation f = joint_formulation("softmax", "l1", 1, {1, true}, true);
  Classes missing = data.classes;
  for (Index& place : missing.index) place = std::min<Index>(place, 1);
  EXPECT_EQ(refusal([&] { static_cast<void>(make_problem(data.A, missing, f)); }),
            "targets: none of output 2 breaks the rule: some of each, where intercepts are learnt");
  const Problem p = make_problem(data.A, data.classes, f);
  EXPECT_EQ(refusal([&] { static_cast<void>(solve(p, {.solver = "apg"})); }),
            "solver: 'apg' breaks the rule: auto for classes learnt jointly");
  EXPECT_EQ(refusal([&] {
              static_cast<void>(certify(p, {4, {}, Matrix(0, 2)}, Matrix::Zero(10, 3)));
            }),
            "X: 4 x 2 breaks the rule: 4 x 3");
  EXPECT_EQ(refusal([&] {
              static_cast<void>(certify(p, {4, {2, 1}, Matrix::Zero(2, 3)}, Matrix::Zero(10, 3)));
            }),
            "X.at: 1 after 2 breaks the rule: ascending, 0 .. 3");
}

}  // namespace joint_test
}  // namespace pdbfw::joint
