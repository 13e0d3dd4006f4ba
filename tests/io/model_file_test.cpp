#include "io/models/model_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/verdict.hpp"
#include "io/bytes/byte_streams.hpp"
#include "io/compress.hpp"
#include "io/message.hpp"
#include "io/temporary_folder.hpp"

namespace pdbfw::test {
namespace model_file_test {

// A model file in pieces, so that each test can spoil one.
constexpr std::string_view kHeader =
    "pdbfw-model 2\n"
    "kind vector\n"
    "loss smooth_hinge\n"
    "smoothing 0.5\n"
    "set l1\n"
    "radius 300\n"
    "ridge 0.0005\n"
    "samples 20\n"
    "features 100\n";
constexpr std::string_view kClasses =
    "classes 2\n"
    "-1\n"
    "1\n";
constexpr std::string_view kTraining =
    "certificates 1\n"
    "converged 0.25 0.2499 0.0001 0.0004 0\n"
    "intercepts 1\n"
    "0\n";
constexpr std::string_view kWeights =
    "weights 2\n"
    "1 3 0.5\n"
    "1 100 -1.25e-07\n";
constexpr std::string_view kProof =
    "proof 20 1\n"
    "1 20 -0.125\n";
constexpr std::string_view kLiblinear =
    "solver_type L2R_LR\n"
    "nr_class 2\n"
    "label 1 -1\n"
    "nr_feature 3\n"
    "bias -1\n"
    "w\n"
    "0.5 \n"
    "0 \n"
    "-2 \n";

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

std::string full_text() { return joined({kHeader, kClasses, kTraining, kWeights, kProof, "end\n"}); }

std::string replaced(std::string text, const std::string& old_text, const std::string& new_text) {
  const std::size_t at = text.find(old_text);
  EXPECT_NE(at, std::string::npos) << old_text;
  return text.replace(at, old_text.size(), new_text);
}

std::string fault_in(const std::string& text) {
  return message_of([&] { static_cast<void>(parse_model(text, "m")); });
}

std::string text_of(const Model& model, ModelFormat format = ModelFormat::pdbfw) {
  MemorySink sink;
  write_model_to(sink, model, format);
  return sink.text();
}

TEST(ModelFile, ReadsEveryField) {
  const Model model = parse_model(full_text(), "m");
  EXPECT_EQ(model.formulation.loss, "smooth_hinge");
  EXPECT_EQ(model.formulation.smoothing, 0.5);
  EXPECT_EQ(model.formulation.set, "l1");
  EXPECT_EQ(model.formulation.radius, 300);
  EXPECT_EQ(model.formulation.ridge.value, 0.0005);
  EXPECT_FALSE(model.formulation.ridge.per_sample);
  EXPECT_EQ(model.kind, ModelKind::vector);
  EXPECT_EQ(model.outputs(), 1);
  EXPECT_EQ(model.classes, (std::vector<double>{-1, 1}));
  EXPECT_EQ(model.features(), 100);
  ASSERT_EQ(model.weights.size(), 1U);
  EXPECT_EQ(model.weights[0].at, (std::vector<Index>{2, 99}));
  EXPECT_EQ(model.weights[0].value, (std::vector<double>{0.5, -1.25e-7}));
  EXPECT_EQ(model.samples, 20);
  EXPECT_EQ(model.statuses, (std::vector<Status>{Status::converged}));
  ASSERT_EQ(model.certificates.size(), 1U);
  EXPECT_EQ(model.certificates[0].relative_gap, 0.0004);
  ASSERT_EQ(model.proof.size(), 1U);
  EXPECT_EQ(model.proof[0].size, 20);
  EXPECT_EQ(model.proof[0].at, (std::vector<Index>{19}));
}

TEST(ModelFile, TheOptionalPartsMayBeMissing) {
  const Model model = parse_model(joined({kHeader, kWeights, "end"}), "m");
  EXPECT_TRUE(model.classes.empty());
  EXPECT_TRUE(model.statuses.empty() && model.certificates.empty());
  EXPECT_TRUE(model.proof.empty());
  EXPECT_EQ(model.intercept(), 0);
}

TEST(ModelFile, WritesWhatItReads) { EXPECT_EQ(text_of(parse_model(full_text(), "m")), full_text()); }

TEST(ModelFile, TakesWindowsLineEnds) {
  std::string text;
  for (const char c : full_text()) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(text_of(parse_model(text, "m")), full_text());
}

TEST(ModelFile, EveryStatusIsKept) {
  Model model = parse_model(full_text(), "m");
  for (const Status status : statuses()) {
    model.statuses = {status};
    EXPECT_EQ(parse_model(text_of(model), "m").statuses, model.statuses);
  }
}

TEST(ModelFile, ACertificateMayProveNothing) {
  Model model = parse_model(full_text(), "m");
  model.certificates[0].dual = -HUGE_VAL;
  model.certificates[0].gap = model.certificates[0].relative_gap = HUGE_VAL;
  EXPECT_EQ(parse_model(text_of(model), "m").certificates[0].gap, HUGE_VAL);
}

TEST(ModelFile, EveryMistakeHasItsMessage) {
  const std::string full = full_text();
  const auto with = [&](const std::string& old_text, const std::string& new_text) {
    return fault_in(replaced(full, old_text, new_text));
  };
  EXPECT_EQ(with("pdbfw-model 2", "pdbfw-model 1"), "m:1:13: version '1' is not known; this pdbfw reads version 2");
  EXPECT_EQ(with("pdbfw-model", "hello"),
            "m:1:1: 'hello' starts neither a model of pdbfw ('pdbfw-model ...') nor one of LIBLINEAR "
            "('solver_type ...')");
  EXPECT_EQ(with("kind vector\n", ""), "m:2:1: 'loss' where the line 'kind' is needed");
  EXPECT_EQ(with("kind vector", "kind scalar"), "m:2:6: unknown kind 'scalar'");
  EXPECT_EQ(with("kind vector", "kind vector 1"), "m:2:13: '1' is one word too many");
  EXPECT_EQ(with("samples 20", "map rows"), "m:8:1: a model of the kind vector has no 'map'");
  EXPECT_EQ(with("radius 300", "radios 300"), "m:6:1: unknown key 'radios' (did you mean 'radius'?)");
  EXPECT_EQ(with("radius 300", "radius x"), "m:6:8: radius 'x' is not a number");
  EXPECT_EQ(with("radius 300", "radius inf"), "m:6:8: radius 'inf' is not a finite number");
  EXPECT_EQ(with("radius 300", "radius"), "m:6:7: radius '' is not a number");
  EXPECT_EQ(with("radius 300", "radius 300 1"), "m:6:12: '1' is one word too many");
  EXPECT_EQ(with("radius 300\n", ""), "m:21:1: key 'radius' is missing");
  EXPECT_EQ(with("radius 300\n", "radius 300\nradius 300\n"), "m:7:1: key 'radius' is repeated");
  EXPECT_EQ(with("ridge 0.0005", "ridge /n"), "m:7:7: ridge '' is not a number");
  EXPECT_EQ(with("ridge 0.0005", "ridge inf"), "m:7:7: ridge 'inf' is not a finite number");
  EXPECT_EQ(with("loss smooth_hinge", "loss Smooth"),
            "m:3:6: loss 'Smooth' is not a name of small letters, digits and _");
  EXPECT_EQ(with("classes 2\n-1\n", "classes 2\n1\n"), "m:12:1: this class is repeated");
  EXPECT_EQ(with("classes 2\n-1\n1\n", "classes 1\n-1\n"), "m:10:1: fewer than two classes");
  EXPECT_EQ(with("classes 2", "classes 3"), "m:10:1: more than two classes of one vector of weights");
  EXPECT_EQ(with("features 100", "features -1"), "m:9:10: features '-1' is not a whole number from 0 to 2^63 - 1");
  EXPECT_EQ(with("features 100", "features 99"), "m:19:1: index 100 after 3: indices ascend from 1 to 99");
  EXPECT_EQ(with("features 100\n", ""), "m:16:1: key 'features' must come before 'weights'");
  EXPECT_EQ(with("certificates 1", "certificates 2"), "m:13:1: 2 certificates where 1 are needed");
  EXPECT_EQ(with("converged 0.25", "fine 0.25"), "m:14:1: unknown status 'fine'");
  EXPECT_EQ(with("0.2499 ", ""), "m:14:31: violation '' is not a number");
  EXPECT_EQ(with("intercepts 1", "intercepts 2"), "m:15:1: 2 intercepts for 1 outputs");
  EXPECT_EQ(with("1 3 0.5", "1 3 nan"), "m:18:5: value 'nan' is not a finite number");
  EXPECT_EQ(with("1 3 0.5", "1 0 0.5"), "m:18:1: index 0 after 0: indices ascend from 1 to 100");
  EXPECT_EQ(with("1 3 0.5", "2 3 0.5"), "m:18:1: output 2 after 1: outputs ascend from 1 to 1");
  EXPECT_EQ(with("1 3 0.5", "1 100 0.5"), "m:19:1: index 100 after 100: indices ascend from 1 to 100");
  EXPECT_EQ(with("weights 2", "weights 1"), "m:19:1: more weights than their number says");
  EXPECT_EQ(with("weights 2", "weights 3"), "m:20:1: output 'proof' is not a whole number from 0 to 2^63 - 1");
  EXPECT_EQ(with("proof 20 1", "proof 21 1"), "m:20:1: a proof of 21 samples for 20 samples");
  EXPECT_EQ(with("proof 20 1", "ridge_scale 1"), "m:20:1: 1 ridge_scale for 100 features");
  EXPECT_EQ(with("end\n", "end\nmore\n"), "m:23:1: text after the line 'end'");
  EXPECT_EQ(with("end\n", ""), "m:22:1: the file ends before its line 'end' (truncated file?)");
  EXPECT_EQ(fault_in(joined({kHeader, "weights 2\n1 3 0.5\n"})),
            "m:12:1: the file ends after 1 of 2 weights (truncated file?)");
  EXPECT_EQ(fault_in(""), "m: the file is empty");
}

TEST(ModelFile, StatedNumbersAllocateNothing) {
  const std::string huge = "9223372036854775807";
  std::string text = replaced(full_text(), "features 100", "features " + huge);
  EXPECT_EQ(parse_model(text, "m").features(), std::numeric_limits<Index>::max());
  text = replaced(text, "weights 2", "weights " + huge);
  EXPECT_EQ(fault_in(text), "m:20:1: output 'proof' is not a whole number from 0 to 2^63 - 1");
  EXPECT_EQ(fault_in(text.substr(0, text.find("proof"))),
            "m:20:1: the file ends after 2 of " + huge + " weights (truncated file?)");
  EXPECT_EQ(fault_in(replaced(std::string(kLiblinear), "nr_feature 3", "nr_feature 9000000000000000000")),
            "m:10:1: the file ends after 3 of 9000000000000000000 weights (truncated file?)");
}

TEST(ModelFile, EveryTruncationIsAnError) {
  const std::string text = full_text();
  for (std::size_t size = 0; size + 1 < text.size(); ++size)
    EXPECT_THROW(static_cast<void>(parse_model(text.substr(0, size), "m")), InputError) << size;
}

TEST(ModelFile, RefusesToWriteWhatCouldNotBeReadBack) {
  const Model good = parse_model(full_text(), "m");
  const auto fault = [&](auto spoil) {
    Model model = good;
    spoil(model);
    return message_of([&] { text_of(model); });
  };
  EXPECT_EQ(fault([](Model& m) { m.weights[0].value[0] = HUGE_VAL; }), "weights: inf breaks the rule: a finite number");
  EXPECT_EQ(fault([](Model& m) { m.weights[0].at[1] = 100; }),
            "weights: index 100 after 2 breaks the rule: indices ascend from 0 to 99");
  EXPECT_EQ(fault([](Model& m) { m.weights[0].at.pop_back(); }),
            "weights: 1 indices, 2 values breaks the rule: as many of both");
  EXPECT_EQ(fault([](Model& m) { m.weights.clear(); }), "weights: 0 vectors breaks the rule: 1, one per output");
  EXPECT_EQ(fault([](Model& m) { m.formulation.loss = "a b"; }),
            "loss: 'a b' breaks the rule: small letters, digits and _");
  EXPECT_EQ(fault([](Model& m) { m.formulation.radius = NAN; }), "radius: nan breaks the rule: a finite number");
  EXPECT_EQ(fault([](Model& m) { m.formulation.ridge_scale = {1}; }),
            "ridge_scale: 1 of them breaks the rule: none, or 100");
  EXPECT_EQ(fault([](Model& m) {
              m.formulation.free_features = {3, 3};
            }),
            "free_features: index 3 after 3 breaks the rule: indices ascend from 0 to 99");
  EXPECT_EQ(fault([](Model& m) { m.samples = 19; }), "proof: a vector of 20 breaks the rule: vectors of 19");
  EXPECT_EQ(fault([](Model& m) { m.certificates[0].dual = NAN; }),
            "dual: nan breaks the rule: a finite number or -inf");
  EXPECT_EQ(fault([](Model& m) { m.statuses.clear(); }), "statuses: 0 of them breaks the rule: 1, one per certificate");
  EXPECT_EQ(fault([](Model& m) { m.classes = {1, 1}; }), "classes: one twice breaks the rule: all different");
  EXPECT_EQ(fault([](Model& m) { m.classes = {1}; }), "classes: 1 of them breaks the rule: none, or 2");
}

double random_double() {
  const auto value = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
  return std::isfinite(value) ? value : 0.1;
}

SparseVector random_vector(Index size) {
  SparseVector vector{.size = size, .at = {}, .value = {}};
  for (const Index j : *rc::gen::container<std::set<Index>>(rc::gen::inRange<Index>(0, size))) {
    vector.at.push_back(j);
    vector.value.push_back(random_double());
  }
  return vector;
}

Model random_model() {
  Model model;
  model.formulation.loss = *rc::gen::element<std::string>("logistic", "squared_hinge", "huber", "smooth_hinge");
  model.formulation.set = *rc::gen::element<std::string>("l1", "simplex", "nonnegative");
  model.formulation.radius = random_double();
  model.formulation.ridge = {random_double(), *rc::gen::arbitrary<bool>()};
  model.formulation.smoothing = random_double();
  model.formulation.huber_width = random_double();
  model.formulation.intercept = *rc::gen::arbitrary<bool>();
  model.formulation.class_weight = {std::abs(random_double()), std::abs(random_double())};
  if (*rc::gen::arbitrary<bool>()) model.formulation.class_weight = {.is_balanced = true};
  model.has_sample_weight = *rc::gen::arbitrary<bool>();
  model.formulation.standardise = *rc::gen::arbitrary<bool>();
  model.has_penalty_weight = *rc::gen::arbitrary<bool>();
  model.samples = *rc::gen::inRange<Index>(1, 1000);
  if (*rc::gen::arbitrary<bool>()) model.intercepts = {random_double()};
  model.weights = {random_vector(*rc::gen::inRange<Index>(1, 100))};
  if (*rc::gen::arbitrary<bool>()) model.classes = {-1, static_cast<double>(*rc::gen::inRange(0, 9))};
  if (*rc::gen::arbitrary<bool>()) {
    model.certificates = {{random_double(), random_double(), random_double(), 1, 0}};
    model.statuses = {Status::stalled};
  }
  if (*rc::gen::arbitrary<bool>()) model.sigmoids = {{random_double(), random_double()}};
  if (*rc::gen::arbitrary<bool>()) model.proof = {random_vector(model.samples)};
  if (*rc::gen::arbitrary<bool>())
    for (Index j = 0; j < model.features(); ++j) model.formulation.ridge_scale.push_back(random_double());
  if (*rc::gen::arbitrary<bool>()) model.formulation.free_features = random_vector(model.features()).at;
  return model;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

bool same_bits(const std::vector<SparseVector>& a, const std::vector<SparseVector>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const SparseVector& x, const SparseVector& y) {
    return x.size == y.size && x.at == y.at && same_bits(x.value, y.value);
  });
}

std::vector<double> numbers_of(const Model& model) {
  const Formulation& f = model.formulation;
  const ClassWeight& by_class = f.class_weight;
  std::vector<double> numbers = {f.radius,      f.ridge.value,     f.smoothing,
                                 f.huber_width, by_class.negative, by_class.positive};
  for (const auto* more : {&model.intercepts, &model.classes})
    numbers.insert(numbers.end(), more->begin(), more->end());
  for (const auto& [slope, offset] : model.sigmoids) numbers.insert(numbers.end(), {slope, offset});
  for (const Certificate& c : model.certificates)
    numbers.insert(numbers.end(), {c.primal, c.dual, c.gap, c.relative_gap, c.violation});
  return numbers;
}

RC_GTEST_PROP(ModelFile, EveryBitSurvives, ()) {
  const Model model = random_model();
  const Model back = parse_model(text_of(model), "m");
  RC_ASSERT(back.formulation.loss == model.formulation.loss);
  RC_ASSERT(back.formulation.set == model.formulation.set);
  RC_ASSERT(back.samples == model.samples);
  RC_ASSERT(back.statuses == model.statuses);
  RC_ASSERT(back.formulation.ridge.per_sample == model.formulation.ridge.per_sample);
  RC_ASSERT(back.formulation.intercept == model.formulation.intercept);
  RC_ASSERT(back.formulation.class_weight.is_balanced == model.formulation.class_weight.is_balanced);
  RC_ASSERT(back.has_sample_weight == model.has_sample_weight);
  RC_ASSERT(back.has_penalty_weight == model.has_penalty_weight);
  RC_ASSERT(back.formulation.standardise == model.formulation.standardise);
  RC_ASSERT(back.formulation.free_features == model.formulation.free_features);
  RC_ASSERT(same_bits(numbers_of(back), numbers_of(model)));
  RC_ASSERT(same_bits(back.formulation.ridge_scale, model.formulation.ridge_scale));
  RC_ASSERT(same_bits(back.weights, model.weights));
  RC_ASSERT(same_bits(back.proof, model.proof));
}

RC_GTEST_PROP(ModelFile, LiblinearKeepsWeightsLabelsAndIntercept, ()) {
  Model model = random_model();
  RC_PRE(model.formulation.loss == "logistic" || model.formulation.loss == "squared_hinge");
  model.classes = {-1, 1};
  std::erase(model.weights[0].value, 0.0);
  model.weights[0].at.resize(model.weights[0].value.size());
  const Model back = parse_model(text_of(model, ModelFormat::liblinear), "m");
  RC_ASSERT(back.formulation.loss == model.formulation.loss);
  RC_ASSERT(back.classes == model.classes);
  RC_ASSERT(same_bits(back.weights, model.weights));
  RC_ASSERT(back.intercept() == model.intercept());
}

TEST(LiblinearModel, ReadsLabelsInItsOrder) {
  const Model model = parse_model(kLiblinear, "m");
  EXPECT_EQ(model.formulation.loss, "logistic");
  EXPECT_EQ(model.classes, (std::vector<double>{-1, 1})) << "the first label belongs to positive scores";
  EXPECT_EQ(model.features(), 3);
  EXPECT_EQ(model.weights[0].at, (std::vector<Index>{0, 2}));
  EXPECT_EQ(model.weights[0].value, (std::vector<double>{0.5, -2}));
  EXPECT_EQ(model.intercept(), 0);
  EXPECT_TRUE(model.certificates.empty());
}

TEST(LiblinearModel, TheBiasIsAnIntercept) {
  const std::string text = replaced(std::string(kLiblinear), "bias -1", "bias 2") + "0.75 \n";
  EXPECT_EQ(parse_model(text, "m").intercept(), 1.5);
  EXPECT_EQ(parse_model(text, "m").features(), 3);
  EXPECT_EQ(parse_model(replaced(text, "bias 2", "bias 2\nrho 0.5"), "m").intercept(), 1.5);
}

TEST(LiblinearModel, KnowsTheSharedLosses) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"L2R_LR", "logistic"},
      {"L1R_LR", "logistic"},
      {"L2R_LR_DUAL", "logistic"},
      {"L2R_L2LOSS_SVC", "squared_hinge"},
      {"L2R_L2LOSS_SVC_DUAL", "squared_hinge"},
      {"L1R_L2LOSS_SVC", "squared_hinge"},
  };
  for (const auto& [solver, loss] : cases)
    EXPECT_EQ(parse_model(replaced(std::string(kLiblinear), "L2R_LR", solver), "m").formulation.loss, loss);
}

TEST(LiblinearModel, EveryMistakeHasItsMessage) {
  const std::string full(kLiblinear);
  const auto with = [&](const std::string& old_text, const std::string& new_text) {
    return fault_in(replaced(full, old_text, new_text));
  };
  EXPECT_EQ(with("L2R_LR", "MCSVM_CS"),
            "m:1:13: solver_type 'MCSVM_CS': pdbfw does not have its loss; logistic (L2R_LR) and squared hinge "
            "(L2R_L2LOSS_SVC) are shared");
  EXPECT_EQ(with("nr_class 2", "nr_class 3"), "m:2:1: nr_class 3: only two classes are known");
  EXPECT_EQ(with("nr_class 2\n", ""), "m:5:1: key 'nr_class' is missing");
  EXPECT_EQ(with("label 1 -1\n", ""), "m:5:1: key 'label' is missing");
  EXPECT_EQ(with("label 1 -1", "label 1 1"), "m:3:1: the two labels are equal");
  EXPECT_EQ(with("nr_feature 3\n", ""), "m:5:1: key 'nr_feature' is missing");
  EXPECT_EQ(with("nr_feature 3", "nr_feature 4"), "m:10:1: the file ends after 3 of 4 weights (truncated file?)");
  EXPECT_EQ(with("nr_feature 3", "nr_feature 2"), "m:9:1: more weights than the 2 of nr_feature and bias");
  EXPECT_EQ(with("bias -1", "bios -1"), "m:5:1: unknown key 'bios'");
  EXPECT_EQ(with("0.5 ", "nan "), "m:7:1: weight 'nan' is not a finite number");
  EXPECT_EQ(with("0.5 ", "1 2"), "m:7:3: '2' is one word too many");
  EXPECT_EQ(fault_in("solver_type L2R_LR\nnr_class 2\n"), "m:3:1: the file ends before its line 'w' (truncated file?)");
}

TEST(LiblinearModel, WritesItsOwnFormat) {
  Model model = parse_model(kLiblinear, "m");
  EXPECT_EQ(text_of(model, ModelFormat::liblinear),
            "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 3\nbias -1\nw\n0.5\n0\n-2\n");
  model.formulation.loss = "smooth_hinge";
  EXPECT_EQ(message_of([&] { text_of(model, ModelFormat::liblinear); }),
            "loss: 'smooth_hinge' breaks the rule: logistic or squared_hinge in LIBLINEAR's files");
  model.formulation.loss = "logistic";
  model.classes = {0.5, 1};
  EXPECT_EQ(message_of([&] { text_of(model, ModelFormat::liblinear); }),
            "classes: 0.5 breaks the rule: a whole number of 32 bits in LIBLINEAR's files");
  model.classes.clear();
  EXPECT_EQ(message_of([&] { text_of(model, ModelFormat::liblinear); }),
            "classes: none breaks the rule: two classes in LIBLINEAR's files");
  model.kind = ModelKind::joint;
  EXPECT_EQ(message_of([&] { text_of(model, ModelFormat::liblinear); }),
            "kind: joint breaks the rule: vector: pdbfw writes LIBLINEAR's files of two classes");
}

TEST(ModelFile, FilesMayBeCompressedAndAreReplacedWhole) {
  const TemporaryFolder folder;
  const std::string path = folder.write("model", gzip(full_text()));
  const Model model = read_model(path);
  write_model(path, model);
  EXPECT_EQ(folder.read("model"), full_text());
  Model bad = model;
  bad.intercepts = {NAN};
  EXPECT_EQ(message_of([&] { write_model(path, bad); }),
            "cannot write '" + path + "': intercepts: nan breaks the rule: a finite number");
  EXPECT_EQ(message_of([&] { write_model(path, Model{}, ModelFormat::liblinear); }),
            "cannot write '" + path +
                "': loss: 'smooth_hinge' breaks the rule: logistic or squared_hinge in LIBLINEAR's files");
  EXPECT_EQ(folder.read("model"), full_text());
  EXPECT_EQ(folder.files(), 1U);
}

TEST(SparseVector, ThereAndBack) {
  const std::vector<double> dense = {0, 1.5, 0, -2};
  const SparseVector sparse = SparseVector::of(dense);
  EXPECT_EQ(sparse.at, (std::vector<Index>{1, 3}));
  EXPECT_EQ(sparse.dense(), dense);
  EXPECT_EQ(message_of([] { static_cast<void>(SparseVector{.size = Index{1} << 62U, .at = {}, .value = {}}.dense()); }),
            "size: 4611686018427387904 breaks the rule: a vector that fits into this machine's memory");
}

}  // namespace model_file_test
}  // namespace pdbfw::test
