// Folds, radii, scores and the two choices of cross-validation.
#include "pdbfw/cross_validation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "io/message.hpp"
#include "pdbfw/metrics.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace cross_validation_test {

using test::message_of;

struct Data {
  MatrixPtr A;
  std::vector<double> b;
};

Data random_data(const std::string& loss, std::uint64_t seed) {
  Random random(seed);
  const reference::DenseMatrix A = test::random_matrix({.n = 90, .d = 20}, random);
  return {reference::sparse(A), test::random_targets(A, test::takes_labels({.loss = loss}), random)};
}

TEST(Folds, HoldEqualSharesOfEveryLabel) {
  std::vector<double> labels(103, 1.0);
  for (std::size_t i = 0; i < 20; ++i) labels[5 * i] = -1;
  const std::vector<Index> fold = make_folds(labels, 5, 1);
  for (Index k = 0; k < 5; ++k) {
    Index rare = 0, rows = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (fold[i] != k) continue;
      ++rows;
      rare += labels[i] < 0;
    }
    EXPECT_EQ(rare, 4) << k;
    EXPECT_NEAR(static_cast<double>(rows), 20.6, 1) << k;
  }
  EXPECT_EQ(fold, make_folds(labels, 5, 1)) << "the same seed";
  EXPECT_NE(fold, make_folds(labels, 5, 2)) << "another seed";
}

TEST(Folds, KeepGroupsTogetherAndBalanced) {
  const std::vector<double> targets(60, 1.0);
  std::vector<Index> groups;
  for (Index i = 0; i < 60; ++i) groups.push_back(i % 13);
  const std::vector<Index> fold = make_folds(targets, 4, 1, groups);
  std::map<Index, Index> of_group, rows;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    EXPECT_EQ(of_group.emplace(groups[i], fold[i]).first->second, fold[i]);
    ++rows[fold[i]];
  }
  for (const auto& [k, count] : rows) EXPECT_NEAR(static_cast<double>(count), 15, 5) << k;
  EXPECT_EQ(message_of([&] { (void)make_folds(targets, 4, 1, std::vector<Index>(60, 7)); }),
            "groups: 1 of them breaks the rule: at least 4, the folds");
  EXPECT_EQ(message_of([&] {
              (void)make_folds(targets, 4, 1, std::vector<Index>{1, 2});
            }),
            "groups: 2 of them breaks the rule: one for each of 60 rows");
  EXPECT_NE(message_of([&] { (void)make_folds(targets, 1, 1); }).find("folds"), std::string::npos);
  EXPECT_EQ(message_of([&] { (void)make_folds(targets, 61, 1); }), "folds: 61 breaks the rule: at most 60, the rows");
}

TEST(PathRadii, EndWhereALargerOneChangesNothing) {
  const Data data = random_data("squared", 1);
  const Problem wide = make_problem(data.A, data.b, {.loss = "squared", .radius = 1e6, .ridge = {0.1, false}});
  const std::vector<double> radii = path_radii(wide, {.points = 5, .smallest = 0.01}, {.tol = 1e-8});
  ASSERT_EQ(radii.size(), 5U);
  const Result r = solve(wide, {.tol = 1e-8});
  double norm = 0;
  for (const double x : r.x) norm += std::abs(x);
  EXPECT_NEAR(radii.back(), norm, 1e-3 * norm);
  for (std::size_t k = 1; k < 5; ++k) EXPECT_NEAR(radii[k] / radii[k - 1], std::pow(100.0, 0.25), 1e-9);
  EXPECT_EQ(message_of([&] { (void)path_radii(wide, {.points = 0}); }), "points: 0 breaks the rule: 1 .. 100,000");
  EXPECT_EQ(message_of([&] { (void)path_radii(wide, {.smallest = 1}); }),
            "smallest: 1 breaks the rule: a number in (0, 1)");
}

// The rows of other folds than `own`, really left out, or its own.
Data rows_of(const Data& data, const reference::DenseMatrix& A, std::span<const Index> fold, Index own, bool is_own) {
  std::vector<double> entries, b;
  for (std::size_t i = 0; i < fold.size(); ++i) {
    if ((fold[i] == own) != is_own) continue;
    b.push_back(data.b[i]);
    for (Index j = 0; j < 20; ++j) entries.push_back(A(static_cast<Index>(i), j));
  }
  const auto rows = static_cast<Index>(b.size());
  return {reference::sparse(reference::DenseMatrix(rows, 20, entries)), b};
}

TEST(CrossValidate, AgreesWithFitsOnCopiesOfTheRows) {
  for (const std::string loss : {"logistic", "squared"})
    for (const bool intercept : {false, true})
      for (const bool is_by_penalty : {false, true}) {
        const Data data = random_data(loss, 2);
        const Formulation f{.loss = loss, .ridge = {2, true}, .intercept = intercept};
        CrossValidationOptions options{.formulation = f, .folds = 3};
        (is_by_penalty ? options.alphas : options.radii) = {0.05, 0.02};
        const CrossValidation cv = cross_validate({.A = data.A, .target = data.b}, options, {.tol = 1e-9, .seed = 4});
        ASSERT_EQ(cv.of_fold.size(), 3U);
        const std::vector<double>& values = is_by_penalty ? cv.alphas : cv.radii;
        EXPECT_EQ(values, is_by_penalty ? (std::vector<double>{0.05, 0.02}) : (std::vector<double>{0.02, 0.05}));
        EXPECT_LE(cv.largest_relative_gap, 1e-9);
        const std::vector<Index> fold = make_folds(data.b, 3, 4);
        Random random(2);
        const reference::DenseMatrix A = test::random_matrix({.n = 90, .d = 20}, random);
        for (Index k = 0; k < 3; ++k)
          for (std::size_t r = 0; r < values.size(); ++r) {
            const Data seen = rows_of(data, A, fold, k, false), held_out = rows_of(data, A, fold, k, true);
            Formulation own = f;
            if (!is_by_penalty) own.radius = values[r];
            const Problem problem = make_problem(seen.A, seen.b, own);
            const Result fit = is_by_penalty ? solve_penalised(problem, values[r], {.tol = 1e-9}).result
                                             : solve(problem, {.tol = 1e-9});
            std::vector<double> predicted(held_out.b.size());
            multiply(*held_out.A, fit.x, predicted);
            for (double& score : predicted) score += fit.intercept;
            const double wanted = loss == "squared" ? root_mean_squared_error(predicted, held_out.b)
                                                    : sign_accuracy(predicted, held_out.b);
            EXPECT_NEAR(cv.of_fold[static_cast<std::size_t>(k)][r], wanted, 1e-3) << loss << ' ' << k << ' ' << r;
          }
      }
}

// Weight 2 is the row twice, in the scores too. Two groups of unlike sizes are the folds of both.
TEST(CrossValidate, WeightsAreRepeatedRows) {
  for (const std::string_view score : score_names()) {
    const std::string loss = score == "rmse" || score == "r2" ? "squared" : "logistic";
    const Data data = random_data(loss, 6);
    Random random(6);
    const reference::DenseMatrix A = test::random_matrix({.n = 90, .d = 20}, random);
    CrossValidationOptions weighted{.formulation = {.loss = loss, .ridge = {0.1, false}}, .radii = {1, 3}};
    weighted.score = score;
    weighted.folds = 2;
    CrossValidationOptions repeated = weighted;
    std::vector<double> seen, b;
    for (std::size_t i = 0; i < data.b.size(); ++i) {
      const bool is_first = i < 60;
      const int times = is_first && i % 3 == 0 ? 2 : 1;
      weighted.formulation.sample_weight.push_back(times);
      weighted.groups.push_back(is_first ? 0 : 1);
      for (int t = 0; t < times; ++t) {
        repeated.groups.push_back(weighted.groups.back());
        b.push_back(data.b[i]);
        for (Index j = 0; j < 20; ++j) seen.push_back(A(static_cast<Index>(i), j));
      }
    }
    const auto rows = static_cast<Index>(b.size());
    const CrossValidation by_weight = cross_validate({.A = data.A, .target = data.b}, weighted, {.tol = 1e-11});
    const CrossValidation by_row = cross_validate(
        {.A = reference::sparse(reference::DenseMatrix(rows, 20, seen)), .target = b}, repeated, {.tol = 1e-11});
    ASSERT_EQ(by_weight.of_fold.size(), 2U);
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t r = 0; r < 2; ++r)
        EXPECT_NEAR(by_weight.of_fold[k][r], by_row.of_fold[k][r], 1e-4) << score << ' ' << k << ' ' << r;
  }
}

TEST(CrossValidate, ChoosesByMeanAndByOneStandardError) {
  const Data data = random_data("squared", 3);
  const CrossValidation cv = cross_validate({.A = data.A, .target = data.b},
                                            {.formulation = {.loss = "squared"}, .path = {.points = 8}, .folds = 6});
  EXPECT_EQ(cv.score, "rmse");
  EXPECT_TRUE(std::is_sorted(cv.radii.begin(), cv.radii.end()));
  EXPECT_LE(cv.largest_relative_gap, 1e-4);
  for (std::size_t r = 0; r < cv.radii.size(); ++r) {
    double mean = 0;
    for (const auto& scores : cv.of_fold) mean += scores[r] / 6;
    EXPECT_NEAR(cv.mean[r], mean, 1e-12);
    EXPECT_GE(cv.mean[r], cv.mean[cv.best]);
  }
  EXPECT_LE(cv.one_standard_error, cv.best);
  EXPECT_LE(cv.mean[cv.one_standard_error], cv.mean[cv.best] + cv.standard_error[cv.best]);
  if (cv.one_standard_error > 0) {
    EXPECT_GT(cv.mean[cv.one_standard_error - 1], cv.mean[cv.best] + cv.standard_error[cv.best]);
  }
}

// The sparsest model is the first one by penalties, too.
TEST(CrossValidate, OfPenaltiesFromTheData) {
  const Data data = random_data("squared", 3);
  const Formulation f{.loss = "squared", .ridge = {0, false}, .intercept = true};
  const CrossValidation cv =
      cross_validate({.A = data.A, .target = data.b}, {.formulation = f, .is_by_penalty = true, .path = {.points = 8}});
  EXPECT_EQ(cv.alphas, path_alphas(make_problem(data.A, data.b, f), {.points = 8}));
  EXPECT_TRUE(cv.radii.empty());
  EXPECT_LE(cv.largest_relative_gap, 1e-4);
  EXPECT_EQ(cv.mean.size(), 8U);
  EXPECT_EQ(cv.mean[cv.best], *std::min_element(cv.mean.begin(), cv.mean.end()));
  EXPECT_LE(cv.one_standard_error, cv.best);
  const Samples samples{.A = data.A, .target = data.b};
  EXPECT_EQ(message_of([&] { (void)cross_validate(samples, {.formulation = f, .radii = {1}, .alphas = {1}}); }),
            "radii: given breaks the rule: none where penalties are compared");
  EXPECT_EQ(message_of([&] { (void)cross_validate(samples, {.formulation = f, .alphas = {0}}); }),
            "alpha: 0 breaks the rule: a finite number > 0");
}

TEST(CrossValidate, KnowsItsScores) {
  const Data labels = random_data("logistic", 4), numbers = random_data("squared", 4);
  for (const std::string_view score : score_names()) {
    const bool of_numbers = score == "rmse" || score == "r2";
    const Data& data = of_numbers ? numbers : labels;
    const CrossValidation cv =
        cross_validate({.A = data.A, .target = data.b}, {.formulation = {.loss = of_numbers ? "squared" : "logistic"},
                                                         .radii = {0.01, 5},
                                                         .score = std::string(score)});
    EXPECT_EQ(cv.larger_is_better, score != "rmse" && score != "log_loss");
    EXPECT_EQ(cv.best, 1U) << score << ": a model that may be larger is better here";
  }
  EXPECT_EQ(message_of([&] { (void)cross_validate({.A = labels.A, .target = labels.b}, {.score = "rmse"}); }),
            "score: 'rmse' breaks the rule: one of labels for the loss smooth_hinge");
  EXPECT_EQ(message_of([&] { (void)cross_validate({.A = labels.A, .target = labels.b}, {.score = "log_loss"}); }),
            "score: 'log_loss' breaks the rule: for the loss logistic, not for smooth_hinge");
  EXPECT_NE(message_of([&] {
              (void)cross_validate({.A = labels.A, .target = labels.b}, {.score = "acuracy"});
            }).find("accuracy"),
            std::string::npos);
}

TEST(CrossValidate, StopsWhenAsked) {
  const Data data = random_data("logistic", 5);
  int calls = 0;
  const CrossValidation cv = cross_validate({.A = data.A, .target = data.b}, {.formulation = {.loss = "logistic"}},
                                            {.tol = 1e-10}, [&](const Progress&) { return ++calls < 3; });
  EXPECT_FALSE(cv.is_complete);
  EXPECT_TRUE(cv.of_fold.empty());
}

TEST(BinaryMetrics, AreWhatTheyAreByHand) {
  const std::vector<double> scores{0.5, -1, 0.5, 2}, labels{1, -1, -1, 1};
  EXPECT_DOUBLE_EQ(sign_accuracy(scores, labels), 0.75);
  EXPECT_DOUBLE_EQ(area_under_curve(scores, labels), (0.5 + 1 + 1 + 1) / 4);
  EXPECT_DOUBLE_EQ(positive_f1(scores, labels), 2 * 2.0 / (3 + 2));
  double sum = 0;
  for (const double m : {0.5, 1.0, -0.5, 2.0}) sum += std::log1p(std::exp(-m));
  EXPECT_NEAR(log_loss(scores, labels), sum / 4, 1e-15);
  EXPECT_DOUBLE_EQ(r_squared(std::vector<double>{1, 2, 3}, std::vector<double>{1, 2, 6}), 1 - 9.0 / 14);
  EXPECT_DOUBLE_EQ(r_squared(std::vector<double>{2, 2}, std::vector<double>{2, 2}), 1);
  EXPECT_DOUBLE_EQ(r_squared(std::vector<double>{2, 3}, std::vector<double>{2, 2}), 0);
  EXPECT_EQ(message_of([] { (void)area_under_curve(std::vector<double>{1.0}, std::vector<double>{1.0}); }),
            "labels: all +1 breaks the rule: some of each, for the area under the curve");
}

}  // namespace cross_validation_test
}  // namespace pdbfw
