
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "io/compress.hpp"
#include "io/data/libsvm_file.hpp"
#include "io/message.hpp"
#include "io/models/model_file.hpp"
#include "io/seal_mapped_model.hpp"
#include "io/temporary_folder.hpp"
#include "pdbfw/predict.hpp"

namespace pdbfw::test {
namespace mapped_model_test {

constexpr std::string_view kText =
    "pdbfw-model 2\n"
    "kind vector\n"
    "loss smooth_hinge\n"
    "smoothing 0.5\n"
    "set l1\n"
    "radius 300\n"
    "ridge 0.0005\n"
    "samples 3\n"
    "features 5\n"
    "classes 2\n"
    "-1\n"
    "1\n"
    "certificates 1\n"
    "converged 0.25 0.2499 0.0001 0.0004 0\n"
    "intercepts 1\n"
    "0.75\n"
    "weights 2\n"
    "1 2 0.5\n"
    "1 5 -1.25e-07\n"
    "proof 3 1\n"
    "1 3 -0.125\n"
    "end\n";

std::string written(const Model& model, ModelFormat format) {
  MemorySink sink;
  write_model_to(sink, model, format);
  return sink.text();
}

std::string mapped_bytes() { return written(parse_model(kText, "m"), ModelFormat::mapped); }

MappedModel opened(const std::string& bytes) { return open_mapped_model(loaded(bytes), "m"); }

std::string fault_of(const std::string& bytes) {
  return message_of([&] { static_cast<void>(opened(bytes)); });
}

TEST(MappedModel, HoldsEveryNumber) {
  const MappedModel mapped = opened(mapped_bytes());
  EXPECT_EQ(mapped.head.formulation.loss, "smooth_hinge");
  EXPECT_EQ(mapped.head.intercept(), 0.75);
  EXPECT_TRUE(mapped.head.weights[0].at.empty());
  EXPECT_EQ(std::vector<double>(mapped.weights.begin(), mapped.weights.end()),
            (std::vector<double>{0, 0.5, 0, 0, -1.25e-7}));
  EXPECT_EQ(std::vector<double>(mapped.proof.begin(), mapped.proof.end()), (std::vector<double>{0, 0, -0.125}));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(mapped.weights.data()) % alignof(double), 0U);
}

TEST(MappedModel, ThereAndBackGivesTheSameText) {
  EXPECT_EQ(written(parse_model(mapped_bytes(), "m"), ModelFormat::pdbfw), kText);
}

TEST(MappedModel, LiesWhereItsPageSays) {
  const std::string bytes = mapped_bytes();
  EXPECT_EQ(bytes.substr(0, 12), std::string("\x89PDM\r\n\x1a\n\2\0\0\0", 12));
  const MappedModelHeader header = mapped_header_in(bytes);
  EXPECT_EQ(header.file_bytes, bytes.size());
  EXPECT_EQ(bytes.substr(32, header.head_bytes).find("weights 0\nproof 3 0\nend\n") + 24, header.head_bytes);
  const std::size_t begin = (32 + header.head_bytes + 63) / 64 * 64;
  EXPECT_EQ(bytes.size(), begin + (5 + 3 + 1) * 8);
  double second = 0;
  std::memcpy(&second, bytes.data() + begin + 8, sizeof(second));
  EXPECT_EQ(second, 0.5);
}

TEST(MappedModel, EveryMistakeHasItsMessage) {
  const std::string full = mapped_bytes();
  const MappedModelHeader good = mapped_header_in(full);
  const auto with_header = [&](auto spoil) {
    MappedModelHeader header = good;
    spoil(header);
    std::string bytes = full;
    std::memcpy(bytes.data(), &header, sizeof(header));
    return fault_of(sealed_mapped_model(bytes));
  };
  // The same length, or the sizes would be found wrong first.
  const auto with_text = [&](const std::string& old_text, const std::string& new_text) {
    std::string bytes = full;
    EXPECT_EQ(old_text.size(), new_text.size());
    bytes.replace(bytes.find(old_text), old_text.size(), new_text);
    return fault_of(sealed_mapped_model(bytes));
  };
  const auto with_number = [&](std::size_t from_end, double number) {
    std::string bytes = full;
    std::memcpy(bytes.data() + bytes.size() - from_end, &number, sizeof(number));
    return fault_of(sealed_mapped_model(bytes));
  };
  EXPECT_EQ(fault_of("\x89PDB\r\n"), "m: not a mapped model");
  EXPECT_EQ(fault_of(full.substr(0, 20)), "m: 20 bytes are too few for a mapped model (truncated file?)");
  EXPECT_EQ(with_header([](auto& header) { header.version = 1; }),
            "m: a mapped model of version 1; this pdbfw reads version 2");
  EXPECT_EQ(fault_of(full.substr(0, full.size() - 1)), "m: " + std::to_string(full.size() - 1) + " bytes, but " +
                                                           std::to_string(full.size()) +
                                                           " by its header (truncated file?)");
  EXPECT_EQ(fault_of(std::string(full).replace(full.size() - 20, 1, "x")), "m: wrong checksum (damaged file?)");
  EXPECT_EQ(with_header([](auto& header) { header.head_bytes = ~std::uint64_t{0}; }),
            "m: too short for a head of 18446744073709551615 bytes");
  EXPECT_EQ(with_header([](auto& header) { header.head_bytes = 0; }), "m: its head is not the text of a model");
  EXPECT_EQ(with_text("pdbfw-model", "solver_type"), "m: its head is not the text of a model");
  EXPECT_EQ(with_text("radius 300", "radius 3x0"), "m: head:6:8: radius '3x0' is not a number");
  EXPECT_EQ(with_text("weights 0\n", "weights 1\n"),
            "m: head:18:1: output 'proof' is not a whole number from 0 to 2^63 - 1");
  EXPECT_EQ(with_text("features 5", "features 6"),
            "m: 64 bytes behind its head are not 6 weights and 3 numbers of a proof");
  EXPECT_EQ(with_number(24, std::nan("")), "m: nan among the numbers of the proof");
  EXPECT_EQ(with_number(64, HUGE_VAL), "m: inf among the weights");
}

TEST(MappedModel, TheHeadIsOfOneVectorAndListsNothing) {
  const auto with_head = [](const std::string& text) {
    MappedModelHeader header = mapped_header_in(mapped_bytes());
    header.head_bytes = text.size();
    std::string bytes(reinterpret_cast<const char*>(&header), sizeof(header));
    bytes += text;
    bytes.resize(after_head(header) + 2 * sizeof(double));
    return fault_of(sealed_mapped_model(bytes));
  };
  const std::string problem = "loss logistic\nset l1\nradius 1\nridge 0\nfeatures 1\nsamples 1\n";
  EXPECT_EQ(with_head("pdbfw-model 2\nkind vector\n" + problem + "weights 1\n1 1 2\nend\n"),
            "m: its head lists numbers that belong behind it");
  EXPECT_EQ(with_head("pdbfw-model 2\nkind joint\n" + problem + "classes 2\n1\n2\nweights 0\nend\n"),
            "m: its head is of the kind joint, not vector");
}

TEST(MappedModel, EveryTruncationIsAnError) {
  const std::string full = mapped_bytes();
  for (std::size_t size = 0; size < full.size(); ++size) {
    EXPECT_THROW(static_cast<void>(opened(full.substr(0, size))), InputError) << size;
    EXPECT_THROW(static_cast<void>(parse_model(full.substr(0, size), "m")), InputError) << size;
  }
}

// Any byte: the checksum tells. A byte of a file that somebody has sealed again: an error or a model that can be used.
TEST(MappedModel, EveryChangedByteIsAnErrorOrHarmless) {
  const std::string full = mapped_bytes();
  const Dataset data = parse_libsvm("1 1:2 5:1\n-1 2:1 7:1\n", "f");
  for (std::size_t k = 0; k < full.size(); ++k) {
    for (const int mask : {0x01, 0x10, 0x80, 0xff}) {
      std::string bytes = full;
      bytes[k] = static_cast<char>(static_cast<unsigned char>(bytes[k]) ^ static_cast<unsigned char>(mask));
      EXPECT_THROW(static_cast<void>(opened(bytes)), InputError) << k;
      try {
        const MappedModel mapped = opened(sealed_mapped_model(bytes));
        EXPECT_EQ(predict_scores(*data.A, mapped).score, predict_scores(*data.A, mapped.model()).score) << k;
      } catch (const InputError&) {
        continue;  // as it should be
      }
    }
  }
}

SparseVector random_nonzeros(Index size) {
  SparseVector vector{.size = size, .at = {}, .value = {}};
  for (const Index j : *rc::gen::container<std::set<Index>>(rc::gen::inRange<Index>(0, std::max<Index>(size, 1)))) {
    const auto value = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
    if (j >= size || !std::isfinite(value) || value == 0) continue;
    vector.at.push_back(j);
    vector.value.push_back(value);
  }
  return vector;
}

Model any_model() {
  Model model;
  model.formulation.loss = *rc::gen::element<std::string>("logistic", "huber", "smooth_hinge");
  model.formulation.ridge = {0.1, false};
  model.formulation.intercept = *rc::gen::arbitrary<bool>();
  model.formulation.class_weight.is_balanced = *rc::gen::arbitrary<bool>();
  model.samples = *rc::gen::inRange<Index>(0, 50);
  model.intercepts = {*rc::gen::inRange(-9, 9) / 7.0};
  model.weights = {random_nonzeros(*rc::gen::inRange<Index>(0, 100))};
  if (*rc::gen::arbitrary<bool>()) model.classes = {-1, 0.1};
  if (*rc::gen::arbitrary<bool>()) model.sigmoids = {{0.3, -1e-300}};
  if (*rc::gen::arbitrary<bool>()) {
    model.statuses = {Status::stalled};
    model.certificates = {{1, -HUGE_VAL, HUGE_VAL, HUGE_VAL, 0}};
  }
  if (*rc::gen::arbitrary<bool>()) model.proof = {random_nonzeros(model.samples)};
  if (*rc::gen::arbitrary<bool>())
    model.formulation.ridge_scale.assign(static_cast<std::size_t>(model.features()), 1.0 / 3);
  if (*rc::gen::arbitrary<bool>()) model.formulation.free_features = random_nonzeros(model.features()).at;
  return model;
}

RC_GTEST_PROP(MappedModel, TextToMappedToTextIsTheSameText, ()) {
  const std::string text = written(any_model(), ModelFormat::pdbfw);
  const std::string mapped = written(parse_model(text, "m"), ModelFormat::mapped);
  RC_ASSERT(written(parse_model(mapped, "m"), ModelFormat::pdbfw) == text);
  RC_ASSERT(written(opened(mapped).model(), ModelFormat::mapped) == mapped);
}

RC_GTEST_PROP(MappedModel, ScoresAreTheSameToTheLastBit, ()) {
  Model model = any_model();
  for (double& value : model.weights[0].value) value = std::fmod(value, 1e100);  // sums stay finite
  const MappedModel mapped = opened(written(model, ModelFormat::mapped));
  std::string text;
  for (int i = 0; i < 5; ++i) {
    text += "1";
    for (const Index j : *rc::gen::container<std::set<Index>>(rc::gen::inRange<Index>(1, 150)))
      text += " " + std::to_string(j) + ":0." + std::to_string(*rc::gen::inRange(1, 1000));
    text += "\n";
  }
  const Dataset data = parse_libsvm(text, "f");
  const Scores own = predict_scores(*data.A, model), shared = predict_scores(*data.A, mapped, 2);
  RC_ASSERT(own.unknown_features == shared.unknown_features);
  RC_ASSERT(std::memcmp(own.score.data(), shared.score.data(), own.all().size_bytes()) == 0);
}

TEST(MappedModel, FilesAreRecognisedWhateverTheyAreCalled) {
  const TemporaryFolder folder;
  const std::string path = folder.path("model");
  write_model(path, parse_model(kText, "m"), ModelFormat::mapped);
  EXPECT_EQ(folder.read("model"), mapped_bytes());
  EXPECT_TRUE(is_mapped_model(path));
  EXPECT_FALSE(is_mapped_model(folder.write("text", kText)));
  EXPECT_FALSE(is_mapped_model(folder.path("none")));
  EXPECT_FALSE(is_mapped_model("-"));
  EXPECT_EQ(written(read_model(path), ModelFormat::pdbfw), kText);
  EXPECT_EQ(written(read_model(folder.write("packed", gzip(mapped_bytes()))), ModelFormat::pdbfw), kText);
  EXPECT_EQ(map_model(path).weights[1], 0.5);
  EXPECT_EQ(message_of([&] { static_cast<void>(map_model(folder.path("text"))); }),
            folder.path("text") + ": not a mapped model");
  EXPECT_EQ(format_by_name("a.pdbm"), ModelFormat::mapped);
  EXPECT_EQ(format_by_name("a.model"), ModelFormat::pdbfw);
}

TEST(MappedModel, WhoeverHasTheOldFileKeepsItWhenItIsReplaced) {
  const TemporaryFolder folder;
  const std::string path = folder.path("model");
  Model model = parse_model(kText, "m");
  write_model(path, model, ModelFormat::mapped);
  const MappedModel old = map_model(path);
  model.weights[0].value[0] = 3;
  write_model(path, model, ModelFormat::mapped);
  EXPECT_EQ(old.weights[1], 0.5);
  EXPECT_EQ(map_model(path).weights[1], 3);
}

TEST(MappedModel, RefusesWhatCouldNotBeReadBackOrDoesNotFit) {
  const TemporaryFolder folder;
  const std::string path = folder.path("model");
  Model model = parse_model(kText, "m");
  model.intercepts = {NAN};
  EXPECT_EQ(message_of([&] { write_model(path, model, ModelFormat::mapped); }),
            "cannot write '" + path + "': intercepts: nan breaks the rule: a finite number");
  model.intercepts = {0};
  model.weights[0].size = Index{1} << 62U;
  EXPECT_EQ(message_of([&] { write_model(path, model, ModelFormat::mapped); }),
            "cannot write '" + path +
                "': features: 4611686018427387904 breaks the rule: a number for each of them fits into this machine's "
                "memory, as a mapped model needs it");
  model.kind = ModelKind::joint;
  EXPECT_EQ(
      message_of([&] { write_model(path, model, ModelFormat::mapped); }),
      "cannot write '" + path + "': kind: joint breaks the rule: vector: a mapped model has one vector of weights");
  EXPECT_EQ(folder.files(), 0U);
}

}  // namespace mapped_model_test
}  // namespace pdbfw::test
