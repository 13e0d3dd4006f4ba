// Files of models of several classes with sparse weights.
#include "pdbfw/classes_model.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "io/classes_model_text.hpp"
#include "io/low_rank_model_file.hpp"
#include "io/message.hpp"
#include "io/temporary_folder.hpp"

namespace pdbfw::test {
namespace classes_model_test {

const std::string kFull =
    "pdbfw-classes 1\n"
    "strategy one_vs_rest\n"
    "loss smooth_hinge\n"
    "smoothing 0.5\n"
    "set l1\n"
    "radius 5\n"
    "ridge 1\n"
    "ridge_per_sample 1\n"
    "learns_intercept 1\n"
    "class_weight 1 2.5\n"
    "sample_weight 1\n"
    "features 4\n"
    "samples 3\n"
    "classes 2\n"
    "7\n"
    "-2.5\n"
    "certificates 2\n"
    "converged 0.25 0.2499 0.0001 0.0004 0\n"
    "stalled 0.5 -inf inf inf 0\n"
    "intercepts 2\n"
    "0.5\n"
    "-0.25\n"
    "sigmoids 2\n"
    "1 0\n"
    "2 -0.5\n"
    "weights 3\n"
    "1 2 0.5\n"
    "2 1 -1\n"
    "2 4 2\n"
    "proof 3 1\n"
    "2 3 -0.125\n"
    "end\n";

ClassesModel parse(const std::string& text) { return std::get<ClassesModel>(parse_any_model(text, "m")); }

std::string text_of(const ClassesModel& model) {
  MemorySink sink;
  write_classes_text(sink, model);
  return sink.text();
}

TEST(ClassesModelFile, IsReadAndWrittenBackUnchanged) {
  const ClassesModel model = parse(kFull);
  EXPECT_EQ(model.strategy, Strategy::one_vs_rest);
  EXPECT_EQ(model.classes, (std::vector<double>{7, -2.5}));
  EXPECT_EQ(model.weights[1].at, (std::vector<Index>{0, 3}));
  EXPECT_EQ(model.weights[0].size, 4);
  EXPECT_EQ(model.proof[1].value, (std::vector<double>{-0.125}));
  EXPECT_EQ(model.statuses[1], Status::stalled);
  EXPECT_TRUE(std::isinf(model.certificates[1].gap));
  EXPECT_EQ(model.sigmoids[1].slope, 2);
  EXPECT_EQ(model.formulation.class_weight.positive, 2.5);
  EXPECT_TRUE(model.formulation.ridge.per_sample);
  EXPECT_EQ(text_of(model), kFull);
  const TemporaryFolder folder;
  const std::string path = folder.write("m", "");
  write_classes_model(path, model);
  EXPECT_EQ(text_of(read_classes_model(path)), kFull);
  EXPECT_EQ(message_of([&] { static_cast<void>(read_model(path)); }),
            path + ":1:1: a model of several classes, where a model of weights is needed");
}

TEST(ClassesModelFile, EveryMistakeHasItsMessage) {
  const std::vector<std::tuple<std::string, std::string, std::string>> cases = {
      {"strategy one_vs_rest", "strategy both", "m:2:10: unknown strategy 'both'"},
      {"classes 2\n7\n-2.5", "classes 1\n7", "m:14:1: fewer than two classes"},
      {"classes 2\n7\n-2.5", "classes 2\n7\n7", "m:16:1: this class is repeated"},
      {"certificates 2", "certificates 1", "m:17:1: 1 certificates where 2 are needed"},
      {"stalled", "asleep", "m:19:1: unknown status 'asleep'"},
      {"intercepts 2", "intercepts 3", "m:20:1: 3 intercepts for 2 classes"},
      {"2 -0.5\n", "2 -0.5 1\n", "m:25:8: '1' is one word too many"},
      {"weights 3\n1 2 0.5", "weights 3\n3 2 0.5", "m:27:1: class 3 after 1: classes ascend from 1 to 2"},
      {"2 1 -1\n", "1 2 -1\n", "m:28:1: index 2 after 2: indices ascend from 1 to 4"},
      {"2 4 2\n", "2 5 2\n", "m:29:1: index 5 after 1: indices ascend from 1 to 4"},
      {"proof 3 1", "proof 2 1", "m:30:1: a proof of 2 entries for 3 samples"},
      {"proof 3 1\n", "proof 3 2\n", "m:32:1: class 'end' is not a whole number from 0 to 2^63 - 1"},
      {"radius 5\n", "", "m:31:1: key 'radius' is missing"},
      {"end\n", "", "m:32:1: the file ends before its line 'end' (truncated file?)"},
  };
  for (const auto& [old_text, new_text, message] : cases) {
    std::string text = kFull;
    text.replace(text.find(old_text), old_text.size(), new_text);
    EXPECT_EQ(message_of([&] { static_cast<void>(parse(text)); }), message) << old_text;
  }
}

TEST(ClassesModelFile, WhatCouldNotBeReadBackIsNotWritten) {
  const auto refused = [](const auto& change) {
    ClassesModel model = parse(kFull);
    change(model);
    return message_of([&] { static_cast<void>(text_of(model)); });
  };
  EXPECT_EQ(refused([](ClassesModel& m) { m.classes[0] = m.classes[1]; }),
            "classes: one twice breaks the rule: all different");
  EXPECT_EQ(refused([](ClassesModel& m) { m.intercepts.pop_back(); }), "intercepts: 1 of them breaks the rule: 2");
  EXPECT_EQ(refused([](ClassesModel& m) { m.strategy = Strategy::joint; }),
            "certificates: 2 of them breaks the rule: 1");
  EXPECT_EQ(refused([](ClassesModel& m) { m.weights[0].size = 3; }),
            "weights: a vector of 3 breaks the rule: vectors of 4");
  EXPECT_EQ(refused([](ClassesModel& m) { m.sigmoids[0].slope = std::nan(""); }),
            "sigmoids: nan breaks the rule: a finite number");
}

TEST(ClassesModel, ScoresAreTheProductsAndTheIntercepts) {
  const ClassesModel model = parse(kFull);
  // Five features, one more than the model knows.
  const MatrixPtr A = own_csr<double, std::int32_t>(2, 5, {0, 2, 4}, {0, 1, 3, 4}, {1.0, 2.0, 3.0, 1.0});
  const ClassScores scores = predict_scores(*A, model);
  EXPECT_EQ(scores.score, (std::vector<double>{1.5, -1.25, 0.5, 5.75}));
  EXPECT_EQ(scores.unknown_features, 1);
}

TEST(ClassesModel, ProbabilitiesSumToOneAndFollowTheScores) {
  ClassesModel model = parse(kFull);
  const std::vector<double> scores{1.5, -1.25, 0.5, 5.75};
  const auto check = [&](const std::vector<double>& p) {
    ASSERT_EQ(p.size(), 4U);
    EXPECT_NEAR(p[0] + p[1], 1, 1e-15);
    EXPECT_NEAR(p[2] + p[3], 1, 1e-15);
    EXPECT_GT(p[0], p[1]);
    EXPECT_LT(p[2], p[3]);
  };
  const std::vector<double> fitted = probabilities(model, scores);
  check(fitted);
  const double first = 1 / (1 + std::exp(-1.5)), second = 1 / (1 + std::exp(3.0));
  EXPECT_NEAR(fitted[0], first / (first + second), 1e-15);
  model.sigmoids.clear();
  EXPECT_EQ(
      message_of([&] { static_cast<void>(probabilities(model, scores)); }),
      "probabilities: loss smooth_hinge breaks the rule: a model that was trained with --probabilities, or the loss "
      "logistic or softmax");
  model.formulation.loss = "logistic";
  check(probabilities(model, scores));
  model.formulation.loss = "softmax";
  check(probabilities(model, scores));
  EXPECT_NEAR(probabilities(model, scores)[0], 1 / (1 + std::exp(-2.75)), 1e-15);
}

}  // namespace classes_model_test
}  // namespace pdbfw::test
