#include "pdbfw/predict.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "io/data/libsvm_file.hpp"
#include "io/message.hpp"
#include "io/models/model_file.hpp"

namespace pdbfw::test {
namespace predict_test {

constexpr std::string_view kThree =
    "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 3\nbias -1\nw\n0.5 \n0 \n-2 \n";

std::vector<double> numbers(const Scores& scores) { return {scores.all().begin(), scores.all().end()}; }

Model several_classes() {
  Model model;
  model.kind = ModelKind::one_vs_rest;
  model.classes = {7, -2.5};
  model.weights = {{.size = 4, .at = {1}, .value = {0.5}}, {.size = 4, .at = {0, 3}, .value = {-1, 2}}};
  model.intercepts = {0.5, -0.25};
  model.sigmoids = {{1, 0}, {2, -0.5}};
  return model;
}

TEST(PredictScores, WidthsMayDiffer) {
  Model model = parse_model(kThree, "m");
  model.intercepts = {10};
  const Dataset data = parse_libsvm("1 1:2 3:1 4:5\n1 2:1 4:1 6:2\n1\n", "f");
  const Scores scores = predict_scores(*data.A, model);
  EXPECT_EQ(numbers(scores), (std::vector<double>{9, 10, 10}));
  EXPECT_EQ(scores.unknown_features, 2);
  const Dataset narrow = parse_libsvm("1 1:4\n1 1:6\n", "f");
  EXPECT_EQ(numbers(predict_scores(*narrow.A, model)), (std::vector<double>{12, 13}));
  EXPECT_EQ(predict_scores(*narrow.A, model).unknown_features, 0);
}

TEST(PredictScores, AModelOfAnyWidthCostsNothing) {
  const Model model = parse_model(
      "pdbfw-model 2\nkind vector\nloss squared\nset l1\nradius 1\nridge 0\nsamples 1\nfeatures "
      "9000000000000000000\nweights 1\n1 3 0.5\nend\n",
      "m");
  EXPECT_EQ(numbers(predict_scores(*parse_libsvm("1 3:2 4:1", "f").A, model)), (std::vector<double>{1}));
}

TEST(Predict, ScoresAreTheProductsAndTheIntercepts) {
  const Model model = several_classes();
  // Five features, one more than the model knows.
  const MatrixPtr A = own_csr<double, std::int32_t>(2, 5, {0, 2, 4}, {0, 1, 3, 4}, {1.0, 2.0, 3.0, 1.0});
  const Scores scores = predict_scores(*A, model);
  EXPECT_EQ(numbers(scores), (std::vector<double>{1.5, -1.25, 0.5, 5.75}));
  EXPECT_EQ(scores.unknown_features, 1);
}

TEST(Predict, ProbabilitiesSumToOneAndFollowTheScores) {
  Model model = several_classes();
  const Matrix scores{{1.5, -1.25}, {0.5, 5.75}};
  const auto check = [&](const Matrix& p) {
    ASSERT_EQ(p.size(), 4);
    EXPECT_NEAR(p.row(0).sum(), 1, 1e-15);
    EXPECT_NEAR(p.row(1).sum(), 1, 1e-15);
    EXPECT_GT(p(0, 0), p(0, 1));
    EXPECT_LT(p(1, 0), p(1, 1));
  };
  const Matrix fitted = probabilities(model, scores);
  check(fitted);
  const double first = 1 / (1 + std::exp(-1.5)), second = 1 / (1 + std::exp(3.0));
  EXPECT_NEAR(fitted(0, 0), first / (first + second), 1e-15);
  model.sigmoids.clear();
  EXPECT_EQ(
      message_of([&] { static_cast<void>(probabilities(model, scores)); }),
      "probabilities: loss smooth_hinge breaks the rule: a model that was trained with --probabilities, or the loss "
      "logistic or softmax");
  model.formulation.loss = "logistic";
  check(probabilities(model, scores));
  model.formulation.loss = "softmax";
  check(probabilities(model, scores));
  EXPECT_NEAR(probabilities(model, scores)(0, 0), 1 / (1 + std::exp(-2.75)), 1e-15);
}

TEST(Predict, ScoresOfAMatrixAreTheProductsWithIt) {
  Model model;
  model.kind = ModelKind::matrix;
  model.factors = {Matrix{{1, 0}, {0, 1}, {0, 0}}, Vector{{2, 3}}, Matrix{{1, 0}, {0, 1}, {1, 1}}};
  // Row 1 has a feature that the model does not know.
  const MatrixPtr A = own_csr<double, std::int32_t>(2, 4, {0, 2, 4}, {0, 1, 1, 3}, {1.0, 2.0, 1.0, 9.0});
  const Scores scores = predict_scores(*A, model);
  EXPECT_EQ(scores.score, (Matrix{{2, 6, 8}, {0, 3, 3}}));
  EXPECT_EQ(scores.unknown_features, 1);
  model.map = "entries";
  EXPECT_EQ(message_of([&] { static_cast<void>(predict_scores(*A, model)); }),
            "map: entries breaks the rule: rows: a model of pdbfw train");
}

TEST(Predict, ProbabilitiesOfLabelsStandAlone) {
  Model model;
  model.kind = ModelKind::matrix;
  model.formulation.loss = "multilabel_logistic";
  model.factors = Factors::zero(1, 2);
  const Matrix p = probabilities(model, Matrix{{0, 100}});
  EXPECT_EQ(p(0, 0), 0.5);
  EXPECT_NEAR(p(0, 1), 1, 1e-15);
  EXPECT_EQ(message_of([&] { static_cast<void>(probabilities(model, Matrix(1, 3))); }),
            "scores: 3 per row breaks the rule: 2 per row");
  model.formulation.loss = "multilabel_smooth_hinge";
  EXPECT_EQ(message_of([&] { static_cast<void>(probabilities(model, Matrix(0, 2))); }),
            "probabilities: loss multilabel_smooth_hinge breaks the rule: only for the losses logistic, "
            "multilabel_logistic and softmax");
}

TEST(Predict, AModelWithoutWeightsIsRefused) {
  EXPECT_EQ(message_of([] {
              static_cast<void>(predict_scores(*own_csr<double, std::int32_t>(1, 1, {0, 0}, {}, {}), Model{}));
            }),
            "weights: 0 vectors breaks the rule: 1, one per output");
}

}  // namespace predict_test
}  // namespace pdbfw::test
