// Files of models of several classes with sparse weights.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "io/message.hpp"
#include "io/models/model_file.hpp"
#include "io/temporary_folder.hpp"

namespace pdbfw::test {
namespace model_of_classes_test {

const std::string kFull =
    "pdbfw-model 2\n"
    "kind one_vs_rest\n"
    "loss smooth_hinge\n"
    "smoothing 0.5\n"
    "set l1\n"
    "radius 5\n"
    "ridge 1/n\n"
    "learns_intercept 1\n"
    "class_weight 1 2.5\n"
    "sample_weight 1\n"
    "samples 3\n"
    "features 4\n"
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

Model parse(const std::string& text) { return parse_model(text, "m"); }

std::string text_of(const Model& model) {
  MemorySink sink;
  write_model_to(sink, model);
  return sink.text();
}

TEST(ModelOfClasses, IsReadAndWrittenBackUnchanged) {
  const Model model = parse(kFull);
  EXPECT_EQ(model.kind, ModelKind::one_vs_rest);
  EXPECT_EQ(model.classes, (std::vector<double>{7, -2.5}));
  EXPECT_EQ(model.weights[1].at, (std::vector<Index>{0, 3}));
  EXPECT_EQ(model.features(), 4);
  EXPECT_EQ(model.outputs(), 2);
  EXPECT_EQ(model.proof[1].value, (std::vector<double>{-0.125}));
  EXPECT_EQ(model.statuses[1], Status::stalled);
  EXPECT_TRUE(std::isinf(model.certificates[1].gap));
  EXPECT_EQ(model.sigmoids[1].slope, 2);
  EXPECT_EQ(model.formulation.class_weight.positive, 2.5);
  EXPECT_TRUE(model.formulation.ridge.per_sample);
  EXPECT_EQ(text_of(model), kFull);
  const TemporaryFolder folder;
  const std::string path = folder.write("m", "");
  write_model(path, model);
  EXPECT_EQ(text_of(read_model(path)), kFull);
}

TEST(ModelOfClasses, EveryMistakeHasItsMessage) {
  const std::vector<std::tuple<std::string, std::string, std::string>> cases = {
      {"kind one_vs_rest", "kind both", "m:2:6: unknown kind 'both'"},
      {"classes 2\n7\n-2.5", "classes 1\n7", "m:13:1: fewer than two classes"},
      {"classes 2\n7\n-2.5", "classes 2\n7\n7", "m:15:1: this class is repeated"},
      {"classes 2\n7\n-2.5\n", "", "m:13:1: key 'classes' must come before 'certificates'"},
      {"certificates 2", "certificates 1", "m:16:1: 1 certificates where 2 are needed"},
      {"stalled", "asleep", "m:18:1: unknown status 'asleep'"},
      {"intercepts 2", "intercepts 3", "m:19:1: 3 intercepts for 2 outputs"},
      {"2 -0.5\n", "2 -0.5 1\n", "m:24:8: '1' is one word too many"},
      {"weights 3\n1 2 0.5", "weights 3\n3 2 0.5", "m:26:1: output 3 after 1: outputs ascend from 1 to 2"},
      {"2 1 -1\n", "1 2 -1\n", "m:27:1: index 2 after 2: indices ascend from 1 to 4"},
      {"2 4 2\n", "2 5 2\n", "m:28:1: index 5 after 1: indices ascend from 1 to 4"},
      {"proof 3 1", "proof 2 1", "m:29:1: a proof of 2 samples for 3 samples"},
      {"proof 3 1\n", "proof 3 2\n", "m:31:1: output 'end' is not a whole number from 0 to 2^63 - 1"},
      {"radius 5\n", "", "m:30:1: key 'radius' is missing"},
      {"radius 5\n", "standardise 1\n", "m:6:1: a model of the kind one_vs_rest has no 'standardise'"},
      {"end\n", "", "m:31:1: the file ends before its line 'end' (truncated file?)"},
  };
  for (const auto& [old_text, new_text, message] : cases) {
    std::string text = kFull;
    text.replace(text.find(old_text), old_text.size(), new_text);
    EXPECT_EQ(message_of([&] { static_cast<void>(parse(text)); }), message) << old_text;
  }
}

TEST(ModelOfClasses, WhatCouldNotBeReadBackIsNotWritten) {
  const auto refused = [](const auto& change) {
    Model model = parse(kFull);
    change(model);
    return message_of([&] { static_cast<void>(text_of(model)); });
  };
  EXPECT_EQ(refused([](Model& m) { m.classes[0] = m.classes[1]; }),
            "classes: one twice breaks the rule: all different");
  EXPECT_EQ(refused([](Model& m) { m.intercepts.pop_back(); }), "intercepts: 1 of them breaks the rule: none, or 2");
  EXPECT_EQ(refused([](Model& m) { m.kind = ModelKind::joint; }),
            "certificates: 2 of them breaks the rule: none, or 1");
  EXPECT_EQ(refused([](Model& m) { m.classes.push_back(3); }), "weights: 2 vectors breaks the rule: 3, one per output");
  EXPECT_EQ(refused([](Model& m) { m.weights[1].size = 3; }), "weights: a vector of 3 breaks the rule: vectors of 4");
  EXPECT_EQ(refused([](Model& m) { m.sigmoids[0].slope = std::nan(""); }),
            "sigmoids: nan breaks the rule: a finite number");
}

}  // namespace model_of_classes_test
}  // namespace pdbfw::test
