// Features that are scaled, weighed, free or of one sign: the same problem said otherwise must have the same answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "apps/registry.hpp"
#include "data/column_scale.hpp"
#include "data/split_columns.hpp"
#include "io/message.hpp"
#include "pdbfw/cross_validation.hpp"
#include "pdbfw/low_rank.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/solve.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace feature_rules_test {

using reference::DenseMatrix;

struct Data {
  DenseMatrix A;
  std::vector<double> b;
};

// Columns of very different size, not centred; labels that no few features explain.
Data uneven(const std::string& loss, std::uint64_t seed, Index d = 12) {
  Random random(seed);
  Data data{test::random_matrix({.n = 50, .d = d, .density = 0.7, .column_decay = 0.8}, random), {}};
  for (double& value : data.A.entry)
    if (value != 0) value += 0.5;
  data.b = test::random_targets(data.A, test::takes_labels({.loss = loss}), random);
  return data;
}

Problem problem_of(const Data& data, const Formulation& formulation) {
  return make_problem(reference::sparse(data.A), data.b, formulation);
}

Result solved(const Problem& p, double tol = 1e-9) {
  Result result = solve(p, {.tol = tol});
  EXPECT_EQ(result.status, Status::converged) << result.message;
  return result;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double slack) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t j = 0; j < a.size(); ++j) EXPECT_NEAR(a[j], b[j], slack) << j;
}

Data with_columns_times(Data data, const std::vector<double>& factor) {
  for (Index i = 0; i < data.A.rows; ++i)
    for (Index j = 0; j < data.A.columns; ++j) data.A(i, j) *= factor[static_cast<std::size_t>(j)];
  return data;
}

std::vector<double> deviations_of(const DenseMatrix& A) {
  std::vector<double> out;
  const auto n = static_cast<double>(A.rows);
  for (Index j = 0; j < A.columns; ++j) {
    double mean = 0, squares = 0;
    for (Index i = 0; i < A.rows; ++i) mean += A(i, j) / n;
    for (Index i = 0; i < A.rows; ++i) squares += (A(i, j) - mean) * (A(i, j) - mean) / n;
    out.push_back(std::sqrt(squares));
  }
  return out;
}

std::vector<Settings> settings_of_solvers_of_free_features(double tol) {
  std::vector<Settings> out;
  for (const SolverDescription& solver : solver_descriptions())
    if (solver.takes_free_features)
      out.push_back({.tol = tol, .solver = std::string(solver.name), .max_iterations = 100'000});
  return out;
}

// What is certified is what is handed over: P and C by their definition, from weights and intercept alone.
void expect_handed_over(const Data& data, const Formulation& f, const Problem& p, const Result& r,
                        const std::string& what) {
  const std::vector<double> weights = feature_weights(p, r);
  ASSERT_EQ(weights.size(), static_cast<std::size_t>(data.A.columns)) << what;
  const auto loss = make_loss(f, data.b);
  std::vector<double> scores = reference::times(data.A, weights);
  double objective = 0, norm = 0, sum = 0, least = 0;
  for (std::size_t i = 0; i < scores.size(); ++i)
    objective += loss->value(i, scores[i] + r.intercept) / static_cast<double>(scores.size());
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (std::count(f.free_features.begin(), f.free_features.end(), static_cast<Index>(j)) > 0) continue;
    objective += 0.5 * f.ridge.value * weights[j] * weights[j];
    norm += std::abs(weights[j]);
    sum += weights[j];
    least = std::min(least, weights[j]);
  }
  EXPECT_NEAR(r.certificate.primal, objective, 1e-12 * (1 + objective)) << what;
  EXPECT_LE(norm, f.radius * (1 + 1e-12)) << what;
  if (f.set != "l1") {
    EXPECT_GE(least, 0) << what;
  }
  if (f.set == "simplex") {
    EXPECT_NEAR(sum, f.radius, 1e-12 * f.radius) << what;
  }
}

TEST(FreeFeatures, AreLearntAndCertifiedForEveryLossAndSetByEverySolverThatTakesThem) {
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names())
      for (const double ridge : {0.01, 0.0})
        for (const bool intercept : {false, true})
          for (const Settings& settings : settings_of_solvers_of_free_features(1e-5)) {
            const Formulation f{.loss = std::string(loss),
                                .set = std::string(set),
                                .radius = 0.5,
                                .ridge = {ridge, false},
                                .free_features = {4, 1},
                                .intercept = intercept};
            const Data data = uneven(f.loss, 3);
            const Problem p = problem_of(data, f);
            EXPECT_EQ(p.free_features, (std::vector<Index>{1, 4}));
            const Result r = solve(p, settings);
            const std::string what = f.loss + ' ' + f.set + ' ' + settings.solver + ' ' + r.message;
            EXPECT_EQ(r.status, Status::converged) << what;
            const Certificate again = certify(p, r.x, r.y);
            EXPECT_LE(again.relative_gap, 1e-5) << what;
            EXPECT_GE(again.gap, 0) << what;
            EXPECT_EQ(r.x.size(), 10U) << what;
            expect_handed_over(data, f, p, r, what);
          }
}

// By hand: the free feature explains the first target, the others miss theirs by (9 - 2 - 3) / 2 = 2 each, so the least
// loss is (4/2 + 4/2) / 3. A simplex that knew of the free feature would leave 4 of its 9 there and lose nothing.
TEST(FreeFeatures, TakeNoMassOfTheSimplex) {
  const Data data{DenseMatrix(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1}), {1, 2, 3}};
  const Formulation f{.loss = "squared", .set = "simplex", .radius = 9, .ridge = {0, false}, .free_features = {0}};
  const Problem p = problem_of(data, f);
  for (const Settings& settings : settings_of_solvers_of_free_features(1e-9)) {
    const Result r = solve(p, settings);
    EXPECT_EQ(r.status, Status::converged) << settings.solver;
    EXPECT_NEAR(r.certificate.primal, 4.0 / 3, 1e-8) << settings.solver;
    expect_near(feature_weights(p, r), {1, 4, 5}, 1e-4);
    expect_handed_over(data, f, p, r, settings.solver);
  }
}

// By hand: the columns differ in the third sample alone, whose loss the weight that is not free takes to 0. With u the
// sum of both weights the others lose ((1 - 11u)^2 + (1 + 10u)^2 + 2 (1 + 11u)^2 + (1 - 10u)^2) / 12, least at
// u = -11/563.
TEST(FreeFeatures, AreWholeInTheWeightsWhereTheBallHasNoRidge) {
  const Data data{DenseMatrix(6, 2, {11, 11, 10, 10, 11, 10, 11, 11, 11, 11, 10, 10}), {1, -1, 1, -1, -1, 1}};
  const Formulation f{.loss = "squared_hinge", .radius = 100, .ridge = {0, false}, .free_features = {0}};
  const Problem p = problem_of(data, f);
  for (const Settings& settings : settings_of_solvers_of_free_features(1e-9)) {
    const Result r = solve(p, settings);
    EXPECT_EQ(r.status, Status::converged) << settings.solver;
    EXPECT_NEAR(r.certificate.primal, (5 - 121.0 / 563) / 12, 1e-8) << settings.solver;
    const std::vector<double> weights = feature_weights(p, r);
    EXPECT_NEAR(weights[0] + weights[1], -11.0 / 563, 1e-4) << settings.solver;
    expect_handed_over(data, f, p, r, settings.solver);
  }
}

// Nothing is left for the set, and what is certified is the least loss without it.
TEST(FreeFeatures, MayBeAll) {
  const Data data{DenseMatrix(4, 2, {1, 0, 0, 1, 1, 1, 1, -1}), {1, 2, 3, 1}};  // least squares: 5/3 and 4/3
  for (const std::string set : {"l1", "nonnegative"})
    for (const Settings& settings : settings_of_solvers_of_free_features(1e-9)) {
      const Formulation f{.loss = "squared", .set = set, .radius = 0.1, .free_features = {0, 1}};
      const Problem p = problem_of(data, f);
      EXPECT_EQ(p.d(), 0);
      EXPECT_EQ(p.features(), 2);
      const Result r = solve(p, settings);
      EXPECT_EQ(r.status, Status::converged) << set << ' ' << settings.solver << ' ' << r.message;
      expect_near(feature_weights(p, r), {5.0 / 3, 4.0 / 3}, 1e-12);
      EXPECT_EQ(certify(p, {}, r.y).relative_gap, r.certificate.relative_gap);
      for (const Penalised& found : solve_penalties(p, {2, 1, 0.1}, settings))
        expect_near(feature_weights(p, found.result), {5.0 / 3, 4.0 / 3}, 1e-12);
    }
}

// A ball holds nothing back that is measured in units of a million, and a ridge next to nothing.
TEST(FreeFeatures, AreThoseOfAHugeUnit) {
  for (const std::string_view loss : loss_names()) {
    const std::string name(loss);
    const Data data = uneven(name, 5);
    const Formulation f{.loss = name, .radius = 0.3, .ridge = {0.1, false}};
    Formulation free = f;
    free.free_features = {2, 7};
    std::vector<double> factor(12, 1.0);
    factor[2] = factor[7] = 1e6;
    const Problem p = problem_of(data, free), huge = problem_of(with_columns_times(data, factor), f);
    const Result a = solved(p), b = solved(huge, 1e-8);
    EXPECT_NEAR(a.certificate.primal, b.certificate.primal, 1e-5) << loss;
    const std::vector<double> weights = feature_weights(p, a);
    EXPECT_NEAR(weights[2], 1e6 * b.x[2], 2e-2 * (1 + std::abs(weights[2]))) << loss;
  }
}

// An intercept is a free column of ones.
TEST(FreeFeatures, AColumnOfOnesIsAnIntercept) {
  for (const std::string_view loss : loss_names()) {
    const std::string name(loss);
    const Data data = uneven(name, 6);
    Data more{DenseMatrix(data.A.rows, data.A.columns + 1), data.b};
    for (Index i = 0; i < data.A.rows; ++i) {
      for (Index j = 0; j < data.A.columns; ++j) more.A(i, j) = data.A(i, j);
      more.A(i, data.A.columns) = 3;  // of any size
    }
    const Formulation f{.loss = name, .radius = 0.5, .ridge = {0.02, false}};
    Formulation by_intercept = f, by_feature = f;
    by_intercept.intercept = true;
    by_feature.free_features = {data.A.columns};
    const Problem p = problem_of(more, by_feature);
    const Result a = solved(problem_of(data, by_intercept)), b = solved(p);
    EXPECT_NEAR(a.certificate.primal, b.certificate.primal, 1e-8) << loss;
    EXPECT_NEAR(a.intercept, 3 * feature_weights(p, b).back(), 1e-3 * (1 + std::abs(a.intercept))) << loss;
  }
}

// Then nothing is left to the ball, and the gap is measured by what the targets were.
TEST(FreeFeatures, MayExplainTheTargetsExactly) {
  for (const std::string loss : {"squared", "huber"}) {
    Data data = uneven(loss, 17);
    for (Index i = 0; i < data.A.rows; ++i) data.b[static_cast<std::size_t>(i)] = 2 * data.A(i, 3) - data.A(i, 4) + 1;
    const Problem p = problem_of(data, {.loss = loss, .radius = 1, .free_features = {3, 4}, .intercept = true});
    const Result r = solved(p, 1e-6);
    EXPECT_NEAR(feature_weights(p, r)[3], 2, 1e-9);
    EXPECT_NEAR(feature_weights(p, r)[4], -1, 1e-9);
    EXPECT_NEAR(r.intercept, 1, 1e-9);
  }
}

// Copies of a free feature, and one that is zero, leave the problem as it is.
TEST(FreeFeatures, MayDependOnEachOther) {
  for (const std::string_view loss : loss_names()) {
    const std::string name(loss);
    Data data = uneven(name, 7);
    for (Index i = 0; i < data.A.rows; ++i) {
      data.A(i, 1) = data.A(i, 0);
      data.A(i, 2) = 0;
    }
    const Formulation f{.loss = name, .radius = 0.5, .ridge = {0.02, false}, .intercept = true};
    Formulation one = f, all = f;
    one.free_features = {0};
    all.free_features = {0, 1, 2};
    EXPECT_NEAR(solved(problem_of(data, one)).certificate.primal, solved(problem_of(data, all)).certificate.primal,
                1e-8)
        << loss;
  }
}

TEST(PenaltyWeight, IsTheFeatureDividedByIt) {
  for (const std::string_view set : set_names())
    for (const bool intercept : {false, true}) {
      const Data data = uneven("logistic", 8);
      std::vector<double> weight, factor;
      for (int j = 0; j < 12; ++j) {
        weight.push_back(0.5 + 0.25 * j);
        factor.push_back(1 / weight.back());
      }
      Formulation f{.loss = "logistic", .set = std::string(set), .radius = 2, .intercept = intercept};
      const Problem by_hand = problem_of(with_columns_times(data, factor), f);
      f.penalty_weight = weight;
      const Problem p = problem_of(data, f);
      const Result a = solved(p), b = solved(by_hand);
      EXPECT_NEAR(a.certificate.primal, b.certificate.primal, 1e-9) << set;
      expect_near(a.x, b.x, 1e-4);
      for (std::size_t j = 0; j < a.x.size(); ++j) EXPECT_DOUBLE_EQ(feature_weights(p, a)[j], a.x[j] * factor[j]);
    }
}

TEST(PenaltyWeight, OfZeroIsAFreeFeature) {
  const Data data = uneven("squared", 9);
  Formulation f{.loss = "squared", .radius = 0.5};
  f.free_features = {3};
  const Result a = solved(problem_of(data, f));
  f.free_features = {};
  f.penalty_weight.assign(12, 1.0);
  f.penalty_weight[3] = 0;
  const Problem p = problem_of(data, f);
  EXPECT_EQ(p.free_features, std::vector<Index>{3});
  EXPECT_NEAR(a.certificate.primal, solved(p).certificate.primal, 1e-9);
}

// By hand: the data divided by their deviations, centred too where there is an intercept.
TEST(Standardise, IsThatOfDenseDataByHand) {
  for (const bool intercept : {false, true}) {
    const Data data = uneven("squared_hinge", 10);
    const std::vector<double> deviation = deviations_of(data.A);
    std::vector<double> factor;
    for (const double sd : deviation) factor.push_back(1 / sd);
    Data by_hand = with_columns_times(data, factor);
    std::vector<double> mean(12, 0.0);
    for (Index j = 0; intercept && j < 12; ++j) {
      for (Index i = 0; i < 50; ++i) mean[static_cast<std::size_t>(j)] += by_hand.A(i, j) / 50;
      for (Index i = 0; i < 50; ++i) by_hand.A(i, j) -= mean[static_cast<std::size_t>(j)];
    }
    Formulation f{.loss = "squared_hinge", .radius = 1, .intercept = intercept};
    const Result b = solved(problem_of(by_hand, f));
    f.standardise = true;
    const Problem p = problem_of(data, f);
    const Result a = solved(p);
    EXPECT_NEAR(a.certificate.primal, b.certificate.primal, 1e-9);
    const std::vector<double> weights = feature_weights(p, a);
    double moved = b.intercept;  // of the data as they are
    for (std::size_t j = 0; j < weights.size(); ++j) {
      EXPECT_NEAR(weights[j], b.x[j] / deviation[j], 1e-3 * (1 + std::abs(weights[j])));
      moved -= b.x[j] * mean[j];
    }
    EXPECT_NEAR(a.intercept, moved, 1e-3);
    EXPECT_EQ(point_of_weights(p, weights).size(), a.x.size());
    expect_near(point_of_weights(p, weights), a.x, 1e-14);
  }
}

TEST(Standardise, AWeightOfTwoIsARowTwice) {
  const Data data = uneven("logistic", 11);
  Data twice{DenseMatrix(51, 12), data.b};
  for (Index i = 0; i < 51; ++i)
    for (Index j = 0; j < 12; ++j) twice.A(i, j) = data.A(i == 50 ? 7 : i, j);
  twice.b.push_back(data.b[7]);
  Formulation f{.loss = "logistic", .radius = 1, .standardise = true, .intercept = true};
  const Problem copies = problem_of(twice, f);
  f.sample_weight.assign(50, 1.0);
  f.sample_weight[7] = 2;
  const Problem weighed = problem_of(data, f);
  for (std::size_t j = 0; j < 12; ++j) EXPECT_NEAR(copies.feature_scale[j] / weighed.feature_scale[j], 1, 1e-13);
  EXPECT_NEAR(solved(copies).certificate.primal, solved(weighed).certificate.primal, 1e-9);
}

TEST(Standardise, ConstantColumnsAreLeftAlone) {
  Data data = uneven("squared", 12);
  for (Index i = 0; i < 50; ++i) data.A(i, 5) = 0.1;
  const Problem p = problem_of(data, {.loss = "squared", .standardise = true});
  EXPECT_EQ(p.feature_scale[5], 1);
}

TEST(Nonnegative, WeightsAreAndTheirPenaltyIsCertified) {
  for (const std::string_view loss : loss_names())
    for (const double ridge : {0.05, 0.0}) {
      const std::string name(loss);
      const Problem p =
          problem_of(uneven(name, 13),
                     {.loss = name, .set = "nonnegative", .radius = 1, .ridge = {ridge, false}, .intercept = true});
      const Penalised found = solve_penalised(p, 0.02, {.tol = 1e-6});
      EXPECT_LE(found.certificate.relative_gap, 1e-6) << loss << ' ' << found.result.message;
      for (const double x_j : found.result.x) EXPECT_GE(x_j, 0) << loss;
      // In the l1 ball the same penalty leaves at least as little.
      Problem both = p;
      both.set = make_set({.set = "l1", .radius = 1});
      EXPECT_LE(solve_penalised(both, 0.02, {.tol = 1e-6}).certificate.primal, found.certificate.primal * (1 + 1e-5));
    }
}

TEST(FeatureRules, CrossValidationScoresThemOnTheDataAsGiven) {
  const Data data = uneven("squared", 14);
  const MatrixPtr A = reference::sparse(data.A);
  const Formulation f{.loss = "squared", .radius = 3, .standardise = true, .free_features = {0}, .intercept = true};
  const CrossValidation cv =
      cross_validate({.A = A, .target = data.b}, {.formulation = f, .radii = {1.0}, .folds = 3}, {.tol = 1e-8});
  const std::vector<Index> fold = make_folds(data.b, 3);
  for (Index k = 0; k < 3; ++k) {
    Formulation own = f;
    own.radius = 1;
    for (const Index of : fold) own.sample_weight.push_back(of == k ? 0 : 1);
    const Problem p = make_problem(A, data.b, own);
    const Result fit = solved(p, 1e-8);
    std::vector<double> w(50);
    multiply(*A, feature_weights(p, fit), w);
    double squares = 0, rows = 0;
    for (std::size_t i = 0; i < w.size(); ++i)
      if (fold[i] == k) {
        squares += std::pow(w[i] + fit.intercept - data.b[i], 2);
        ++rows;
      }
    EXPECT_NEAR(cv.of_fold[static_cast<std::size_t>(k)][0], std::sqrt(squares / rows), 1e-4);
  }
}

TEST(FeatureRules, ThreadsDoNotChangeABit) {
  const Problem p =
      problem_of(uneven("logistic", 15),
                 {.loss = "logistic", .radius = 2, .standardise = true, .free_features = {1, 2}, .intercept = true});
  const Result one = solve(p, {.tol = 1e-8}), many = solve(p, {.tol = 1e-8, .threads = 8});
  EXPECT_EQ(one.x, many.x);
  EXPECT_EQ(one.free_weights, many.free_weights);
}

std::string refusal(const Formulation& f, const Settings& settings = {}) {
  return test::message_of([&] { (void)solve(problem_of(uneven(f.loss, 1), f), settings); });
}

TEST(FeatureRules, WhatBreaksThemIsSaid) {
  Formulation f;
  f.penalty_weight = {1, 2};
  EXPECT_EQ(refusal(f), "penalty_weight: 2 of them breaks the rule: one for each of 12 features");
  f.penalty_weight.assign(12, 1.0);
  f.penalty_weight[3] = -1;
  EXPECT_EQ(refusal(f), "penalty_weight: -1 for feature 4 breaks the rule: finite numbers >= 0");
  f.penalty_weight = {};
  f.free_features = {12};
  EXPECT_EQ(refusal(f), "free_features: feature number 13 breaks the rule: one of 12");
  f.free_features = {0};
  EXPECT_EQ(refusal(f, {.solver = "sequential"}),
            "solver: sequential breaks the rule: one that learns free features: auto, working_set, pg, apg");
  f.set = "simplex";
  for (Index j = 1; j < 12; ++j) f.free_features.push_back(j);
  EXPECT_EQ(refusal(f), "free_features: all breaks the rule: all but one or more, for the set simplex");
  f.free_features = {0};
  f.set = "polytope";
  f.atoms = reference::sparse(DenseMatrix(1, 12));
  EXPECT_EQ(refusal(f), "free_features: given breaks the rule: none for the set polytope");
  f.free_features = {};
  f.standardise = true;
  EXPECT_EQ(refusal(f), "standardise: given breaks the rule: none for the set polytope");
}

// Any storage gives the same matrix.
TEST(FeatureRules, MatricesOfWeightsHaveNone) {
  const auto refused = [](const auto& change) {
    Formulation f{.loss = "squared", .set = "trace"};
    change(f);
    try {
      (void)low_rank::make_problem(entries_map(2, 2, {0}, {1}), Matrix::Ones(1, 1), f);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  EXPECT_EQ(refused([](Formulation&) {}), "taken");
  EXPECT_EQ(refused([](Formulation& f) { f.intercept = true; }),
            "intercept: yes breaks the rule: no for the set trace");
  EXPECT_EQ(refused([](Formulation& f) { f.standardise = true; }),
            "standardise: yes breaks the rule: no for the set trace");
  EXPECT_EQ(refused([](Formulation& f) { f.class_weight.is_balanced = true; }),
            "class_weight: balanced breaks the rule: none for the set trace");
  EXPECT_EQ(refused([](Formulation& f) { f.sample_weight = {1}; }),
            "sample_weight: given breaks the rule: none for the set trace");
  EXPECT_EQ(refused([](Formulation& f) { f.penalty_weight = {1}; }),
            "penalty_weight: given breaks the rule: none for the set trace");
  EXPECT_EQ(refused([](Formulation& f) { f.free_features = {0}; }),
            "free_features: given breaks the rule: none for the set trace");
  EXPECT_EQ(refused([](Formulation& f) { f.ridge_scale = {1}; }),
            "ridge_scale: given breaks the rule: none for the set trace");
}

TEST(ScaledColumns, OfEveryStorageAreTheSame) {
  const Data data = uneven("squared", 16, 5);
  const std::vector<double> factor{1, 0.5, 3, -2, 1e-3};
  const Data by_hand = with_columns_times(data, factor);
  std::vector<double> entries;  // by row
  for (Index i = 0; i < 50; ++i)
    for (Index j = 0; j < 5; ++j) entries.push_back(data.A(i, j));
  const MatrixPtr dense = borrow_dense_rows<double>(50, 5, entries);
  for (const MatrixPtr& A : {reference::sparse(data.A), dense}) {
    const MatrixPtr scaled = scaled_columns(A, factor);
    EXPECT_EQ(scaled->is_dense(), A->is_dense());
    const std::vector<double> x{1, -2, 0.5, 3, 100}, y = data.b;
    std::vector<double> w(50), u(5);
    multiply(*scaled, x, w);
    multiply_transposed(*scaled, y, u);
    expect_near(w, reference::times(by_hand.A, x), 1e-12);
    expect_near(u, reference::transposed_times(by_hand.A, y), 1e-12);
    expect_near(standard_deviations(*A, {}), deviations_of(data.A), 1e-14);
  }
}

}  // namespace feature_rules_test
}  // namespace pdbfw
