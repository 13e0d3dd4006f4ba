#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/bytes/text.hpp"
#include "io/compress.hpp"
#include "io/message.hpp"
#include "io/models/model_file.hpp"
#include "io/temporary_folder.hpp"

namespace pdbfw::test {
namespace model_of_matrix_test {

// A model file in pieces, so that each test can spoil one.
constexpr std::string_view kHeader =
    "pdbfw-model 2\n"
    "kind matrix\n"
    "loss multilabel_smooth_hinge\n"
    "smoothing 0.5\n"
    "huber_width 2\n"
    "set trace\n"
    "radius 300\n"
    "ridge 0.0005\n"
    "map rows\n"
    "samples 2\n"
    "features 3\n"
    "outputs 2\n";
constexpr std::string_view kNames =
    "labels 2\n"
    "17\n"
    "3\n"
    "row_names 3\n"
    "ann\n"
    "Toy%20Story%20100%25\n"
    "%C3%A9\n"
    "column_names 2\n"
    "x\n"
    "y\n";
constexpr std::string_view kTraining =
    "certificates 1\n"
    "converged 0.25 0.2499 0.0001 0.0004 0\n";
constexpr std::string_view kMeans =
    "mean 3.5\n"
    "row_means 3\n"
    "0.5\n"
    "-1\n"
    "0\n"
    "column_means 2\n"
    "0.25\n"
    "-0.125\n";
constexpr std::string_view kFactors =
    "singular_values 2\n"
    "2.5\n"
    "1e-07\n"
    "left 3 2\n"
    "1 0\n"
    "0 1\n"
    "-0.5 0.1\n"
    "right 2 2\n"
    "0.6 0.8\n"
    "0.8 -0.6\n";
constexpr std::string_view kProof =
    "proof 2 2\n"
    "0.1 -0.2\n"
    "0 1\n";

std::string joined(std::initializer_list<std::string_view> pieces) {
  std::string text;
  for (const std::string_view piece : pieces) text += piece;
  return text + "end\n";
}

const std::string& full_text() {
  static const std::string text = joined({kHeader, kNames, kTraining, kMeans, kFactors, kProof});
  return text;
}

Model parse(const std::string& text) { return parse_model(text, "m"); }

std::string text_of(const Model& model) {
  MemorySink sink;
  write_model_to(sink, model);
  return sink.text();
}

std::string refusal(const std::string& text) {
  return message_of([&] { static_cast<void>(parse(text)); });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(PercentText, EveryByteThereAndBack) {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  const std::string word = percent_encoded(bytes);
  for (const char c : word) EXPECT_TRUE(c > ' ' && c <= '~');
  EXPECT_EQ(percent_decoded(word), bytes);
  EXPECT_EQ(percent_encoded("a b%"), "a%20b%25");
  EXPECT_EQ(percent_decoded("a%2fb"), "a/b");
  for (const std::string_view broken : {"%", "a%2", "%g0", "%2g", "%-1", "% 1"})
    EXPECT_EQ(percent_decoded(broken), std::nullopt) << broken;
}

TEST(ModelOfMatrix, ReadsEveryField) {
  const Model model = parse(full_text());
  EXPECT_EQ(model.formulation.loss, "multilabel_smooth_hinge");
  EXPECT_EQ(model.kind, ModelKind::matrix);
  EXPECT_EQ(model.formulation.smoothing, 0.5);
  EXPECT_EQ(model.formulation.huber_width, 2);
  EXPECT_EQ(model.formulation.set, "trace");
  EXPECT_EQ(model.formulation.radius, 300);
  EXPECT_EQ(model.formulation.ridge.weight(7), 0.0005);
  EXPECT_EQ(model.map, "rows");
  EXPECT_EQ(model.samples, 2);
  EXPECT_EQ(model.labels, (std::vector<Index>{17, 3}));
  EXPECT_TRUE(model.classes.empty());
  EXPECT_EQ(model.row_names, (std::vector<std::string>{"ann", "Toy Story 100%", "\xC3\xA9"}));
  EXPECT_EQ(model.column_names, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(model.mean, 3.5);
  EXPECT_EQ(model.row_means, (std::vector<double>{0.5, -1, 0}));
  EXPECT_EQ(model.column_means, (std::vector<double>{0.25, -0.125}));
  EXPECT_EQ(model.features(), 3);
  EXPECT_EQ(model.outputs(), 2);
  EXPECT_EQ(model.factors.s, (Vector{{2.5, 1e-07}}));
  EXPECT_EQ(model.factors.U, (Matrix{{1, 0}, {0, 1}, {-0.5, 0.1}}));
  EXPECT_EQ(model.factors.V, (Matrix{{0.6, 0.8}, {0.8, -0.6}}));
  EXPECT_EQ(model.statuses, (std::vector<Status>{Status::converged}));
  ASSERT_EQ(model.certificates.size(), 1U);
  EXPECT_EQ(model.certificates[0].gap, 0.0001);
  EXPECT_EQ(model.matrix_proof, (Matrix{{0.1, -0.2}, {0, 1}}));
}

TEST(ModelOfMatrix, WritesWhatItReads) { EXPECT_EQ(text_of(parse(full_text())), full_text()); }

TEST(ModelOfMatrix, TheOptionalPartsMayBeMissing) {
  const Model model = parse(joined({kHeader, kFactors}));
  EXPECT_TRUE(model.statuses.empty() && model.certificates.empty());
  EXPECT_EQ(model.matrix_proof.size(), 0);
  EXPECT_TRUE(model.labels.empty() && model.row_names.empty() && model.row_means.empty());
  EXPECT_EQ(model.mean, 0);
}

TEST(ModelOfMatrix, TheZeroMatrixHasNoLines) {
  const Model model = parse(joined({kHeader, "singular_values 0\nleft 3 0\nright 2 0\n"}));
  EXPECT_EQ(model.factors.rank(), 0);
  EXPECT_EQ(model.features(), 3);
  EXPECT_EQ(model.outputs(), 2);
  EXPECT_EQ(text_of(parse(text_of(model))), text_of(model));
}

TEST(ModelOfMatrix, EveryMistakeHasItsMessage) {
  const std::vector<std::tuple<std::string, std::string, std::string>> cases = {
      {"set trace", "set Trace", "m:6:5: set 'Trace' is not a name of small letters, digits and _"},
      {"radius 300", "radius nan", "m:7:8: radius 'nan' is not a finite number"},
      {"radius 300\n", "", "m:45:1: key 'radius' is missing"},
      {"samples 2", "samples -1", "m:10:9: samples '-1' is not a whole number from 0 to 2^63 - 1"},
      {"map rows\n", "map rows\nmap rows\n", "m:10:1: key 'map' is repeated"},
      {"map rows", "mapp rows", "m:9:1: unknown key 'mapp' (did you mean 'map'?)"},
      {"map rows", "weights 0", "m:9:1: a model of the kind matrix has no 'weights'"},
      {"labels 2", "labels 3", "m:13:1: 3 labels for 2 outputs"},
      {"\n3\nrow", "\n17\nrow", "m:15:1: this label is repeated"},
      {"\n3\nrow", "\n-3\nrow", "m:15:1: label '-3' is not a whole number from 0 to 2^63 - 1"},
      {"labels 2\n17\n3\n", "classes 2\n1.5\n1.5\n", "m:15:1: this class is repeated"},
      {"labels 2\n", "classes 2\n1\n2\nlabels 2\n", "m:16:1: outputs are either classes or labels, not both"},
      {"row_names 3", "row_names 2", "m:16:1: 2 row_names for 3 features"},
      {"Toy%20", "Toy%2", "m:18:1: name 'Toy%2Story%20100%25': % is not followed by two hexadecimal digits"},
      {"%C3%A9", "ann", "m:19:1: name 'ann' is repeated"},
      {"%C3%A9", "", "m:19:1: a name is missing"},
      {"\nann\n", "\nann bob\n", "m:17:5: 'bob' is one word too many"},
      {"converged", "fine", "m:24:1: unknown status 'fine'"},
      {"row_means 3", "row_means 4", "m:26:1: 4 row_means for 3 features"},
      {"\n-1\n", "\ninf\n", "m:28:1: row_means 'inf' is not a finite number"},
      {"singular_values 2", "singular_values 3", "m:33:1: rank 3 of a 3 x 2 matrix"},
      {"left 3 2", "left 2 3", "m:36:1: 2 x 3 where 3 x 2 is needed"},
      {"-0.5 0.1", "-0.5", "m:39:5: left '' is not a number"},
      {"-0.5 0.1", "-0.5 0.1 2", "m:39:10: '2' is one word too many"},
      {"-0.5 0.1", "-0.5 x", "m:39:6: left 'x' is not a number"},
      {"right 2 2\n", "-1 2\nright 2 2\n", "m:40:1: more left than their number says"},
      {"proof 2 2", "proof 3 2", "m:43:1: a proof of 3 samples for 2 samples"},
      {"proof 2 2", "proof 2 3", "m:44:9: proof '' is not a number"},
      {"end\n", "end\nx", "m:47:1: text after the line 'end'"},
  };
  for (const auto& [from, to, message] : cases)
    EXPECT_EQ(refusal(replaced(full_text(), from, to)), message) << from << " -> " << to;
  const std::string beginning = "pdbfw-model 2\nkind matrix\n";
  EXPECT_EQ(refusal(joined({kHeader, "left 3 0\n"})), "m:13:1: key 'singular_values' must come before 'left'");
  EXPECT_EQ(refusal(beginning + "labels 0\n"), "m:3:1: key 'outputs' must come before 'labels'");
  EXPECT_EQ(refusal(beginning + "proof 0 0\n"), "m:3:1: key 'samples' must come before 'proof'");
}

TEST(ModelOfMatrix, EveryTruncationIsAnError) {
  for (std::size_t size = 0; size + 1 < full_text().size(); ++size)
    EXPECT_THROW(static_cast<void>(parse(full_text().substr(0, size))), InputError) << size;
}

TEST(ModelOfMatrix, StatedNumbersAllocateNothing) {
  const std::string huge = "4611686018427387904";
  const std::string header =
      replaced(replaced(std::string(kHeader), "features 3", "features " + huge), "outputs 2", "outputs " + huge);
  EXPECT_EQ(refusal(header + "singular_values " + huge + "\n1\n"),
            "m:15:1: the file ends after 1 of " + huge + " singular_values (truncated file?)");
  EXPECT_EQ(refusal(header + "singular_values 1\n1\nleft " + huge + " 1\n2\n"),
            "m:17:1: the file ends after 1 of " + huge + " left (truncated file?)");
  EXPECT_EQ(refusal(header + "row_names " + huge + "\na\n"),
            "m:15:1: the file ends after 1 of " + huge + " row_names (truncated file?)");
  EXPECT_EQ(refusal(std::string(kHeader) + "proof 2 " + huge + "\n1 2\n"), "m:14:4: proof '' is not a number");
  const Model zero = parse(header + "singular_values 0\nleft " + huge + " 0\nright " + huge + " 0\nend\n");
  EXPECT_EQ(zero.features(), 4611686018427387904);
}

TEST(ModelOfMatrix, RefusesToWriteWhatCouldNotBeReadBack) {
  const auto spoilt = [](const auto& spoil) {
    Model model = parse(full_text());
    spoil(model);
    return message_of([&] { static_cast<void>(text_of(model)); });
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(spoilt([](Model& m) { m.map = "Rows"; }), "map: 'Rows' breaks the rule: small letters, digits and _");
  EXPECT_EQ(spoilt([](Model& m) { m.formulation.loss = ""; }), "loss: '' breaks the rule: small letters, digits and _");
  EXPECT_EQ(spoilt([](Model& m) { m.formulation.set = "a b"; }),
            "set: 'a b' breaks the rule: small letters, digits and _");
  EXPECT_EQ(spoilt([&](Model& m) { m.formulation.radius = nan; }), "radius: nan breaks the rule: a finite number");
  EXPECT_EQ(spoilt([](Model& m) { m.samples = -1; }), "samples: -1 breaks the rule: a number >= 0");
  EXPECT_EQ(spoilt([](Model& m) { m.factors.s.conservativeResize(1); }),
            "factors: 2 and 2 columns for 1 singular values breaks the rule: as many of all three");
  EXPECT_EQ(spoilt([](Model& m) {
              m.factors = {Matrix::Zero(1, 2), Vector::Zero(2), Matrix::Zero(2, 2)};
            }),
            "factors: rank 2 breaks the rule: at most 1, the smaller size");
  EXPECT_EQ(spoilt([&](Model& m) { m.factors.V(1, 1) = nan; }), "factors: nan breaks the rule: a finite number");
  EXPECT_EQ(spoilt([](Model& m) { m.labels.pop_back(); }), "labels: 1 of them breaks the rule: none, or 2");
  EXPECT_EQ(spoilt([](Model& m) { m.labels = {4, 4}; }), "labels: one twice breaks the rule: all different");
  EXPECT_EQ(spoilt([](Model& m) { m.labels = {4, -4}; }), "labels: -4 breaks the rule: whole numbers from 0 up");
  EXPECT_EQ(spoilt([](Model& m) { m.classes = {1, 2}; }), "labels: given breaks the rule: none beside classes");
  EXPECT_EQ(spoilt([](Model& m) { m.row_names[0] = ""; }),
            "names: an empty one breaks the rule: texts that are not empty");
  EXPECT_EQ(spoilt([](Model& m) { m.column_names[0] = "y"; }), "names: one twice breaks the rule: all different");
  EXPECT_EQ(spoilt([&](Model& m) { m.mean = nan; }), "mean: nan breaks the rule: a finite number");
  EXPECT_EQ(spoilt([&](Model& m) { m.column_means[1] = nan; }), "column_means: nan breaks the rule: a finite number");
  EXPECT_EQ(spoilt([](Model& m) { m.matrix_proof = Matrix::Zero(3, 2); }),
            "proof: 3 rows breaks the rule: one for each of the 2 samples");
  EXPECT_EQ(spoilt([&](Model& m) { m.matrix_proof(0, 0) = nan; }), "proof: nan breaks the rule: a finite number");
  EXPECT_EQ(spoilt([&](Model& m) { m.certificates[0].gap = nan; }), "gap: nan breaks the rule: a finite number or inf");
}

TEST(ModelOfMatrix, FilesMayBeCompressedAndAreReplacedWhole) {
  const TemporaryFolder folder;
  const std::string path = folder.path("m");
  Model model = parse(full_text());
  write_model(path, model);
  EXPECT_EQ(folder.read("m"), full_text());
  EXPECT_EQ(text_of(read_model(folder.write("z", gzip(full_text())))), full_text());
  model.samples = 5;
  EXPECT_EQ(message_of([&] { write_model(path, model); }),
            "cannot write '" + path + "': proof: 2 rows breaks the rule: one for each of the 5 samples");
  EXPECT_EQ(folder.read("m"), full_text()) << "the old file stays";
  EXPECT_EQ(folder.files(), 2U) << "no temporary file stays";
}

double any_number() {
  const auto bits = *rc::gen::suchThat(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t candidate) {
    return std::isfinite(std::bit_cast<double>(candidate));
  });
  return std::bit_cast<double>(bits);
}

Matrix any_matrix(Index rows, Index columns) {
  Matrix matrix(rows, columns);
  for (double& entry : matrix.reshaped()) entry = any_number();
  return matrix;
}

bool have_same_bits(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::equal(a.data(), a.data() + a.size(), b.data(), [](double x, double y) {
           return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
         });
}

RC_GTEST_PROP(ModelOfMatrix, EveryBitSurvives, ()) {
  const Index rows = *rc::gen::inRange(0, 6), columns = *rc::gen::inRange(0, 6);
  const Index rank = *rc::gen::inRange<Index>(0, std::min(rows, columns) + 1);
  Model model;
  model.kind = ModelKind::matrix;
  model.formulation.set = "trace";
  model.samples = *rc::gen::inRange(1, 5);
  model.formulation.ridge = {any_number(), false};
  model.factors = {any_matrix(rows, rank), any_matrix(rank, 1).col(0), any_matrix(columns, rank)};
  for (Index i = 0; i < rows; ++i) {
    model.row_names.push_back(fmt::format("{}{}", *rc::gen::arbitrary<std::string>(), i));
    model.row_means.push_back(any_number());
  }
  model.mean = any_number();
  if (*rc::gen::arbitrary<bool>()) model.matrix_proof = any_matrix(model.samples, *rc::gen::inRange(1, 4));
  const std::string text = text_of(model);
  const Model again = parse(text);
  RC_ASSERT(text_of(again) == text);
  RC_ASSERT(again.row_names == model.row_names);
  RC_ASSERT(have_same_bits(again.factors.U, model.factors.U) && have_same_bits(again.factors.V, model.factors.V));
  RC_ASSERT(have_same_bits(Matrix(again.factors.s), Matrix(model.factors.s)));
  RC_ASSERT(have_same_bits(again.matrix_proof, model.matrix_proof));
}

}  // namespace model_of_matrix_test
}  // namespace pdbfw::test
