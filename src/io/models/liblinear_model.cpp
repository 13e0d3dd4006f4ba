// LIBLINEAR's text models, for two classes and the losses that both have: logistic and squared hinge.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "io/bytes/text.hpp"
#include "io/models/model_file.hpp"

namespace pdbfw {
namespace {

// The first solver of each loss is the one that is written.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kLosses = {{
    {"L2R_LR", "logistic"},
    {"L2R_L2LOSS_SVC", "squared_hinge"},
    {"L1R_LR", "logistic"},
    {"L2R_LR_DUAL", "logistic"},
    {"L1R_L2LOSS_SVC", "squared_hinge"},
    {"L2R_L2LOSS_SVC_DUAL", "squared_hinge"},
}};

struct Header {
  Index classes = 0;
  std::optional<std::array<double, 2>> labels;  // the first belongs to positive scores
  std::optional<Index> features;
  double bias = -1;  // >= 0: every sample has one more feature with this value
};

std::string read_loss(TextLines& lines) {
  const std::string_view solver = lines.word();
  for (const auto& [name, loss] : kLosses)
    if (name == solver) return std::string(loss);
  lines.fail(solver, fmt::format("solver_type {}: pdbfw does not have its loss; logistic (L2R_LR) and squared hinge "
                                 "(L2R_L2LOSS_SVC) are shared",
                                 in_quotes(solver)));
}

void read_header_line(TextLines& lines, std::string_view key, Header& header) {
  if (key == "nr_class") {
    header.classes = lines.whole_number(key);
    if (header.classes != 2) lines.fail_line(fmt::format("nr_class {}: only two classes are known", header.classes));
  } else if (key == "label") {
    header.labels = {lines.number(key), lines.number(key)};
    if ((*header.labels)[0] == (*header.labels)[1]) lines.fail_line("the two labels are equal");
  } else if (key == "nr_feature") {
    header.features = lines.whole_number(key);
  } else if (key == "bias") {
    header.bias = lines.number(key);
  } else if (key == "rho") {
    static_cast<void>(lines.number(key));  // of one-class models; two classes have none
  } else {
    lines.fail(key, fmt::format("unknown key {}", in_quotes(key)));
  }
  lines.end_line();
}

Header read_header(TextLines& lines) {
  Header header;
  for (;;) {
    if (!lines.next()) lines.fail_at_end("the file ends before its line 'w' (truncated file?)");
    const std::string_view key = lines.word();
    if (key == "w") break;
    read_header_line(lines, key, header);
  }
  if (header.classes == 0) lines.fail_line("key 'nr_class' is missing");
  if (!header.labels) lines.fail_line("key 'label' is missing");
  if (!header.features) lines.fail_line("key 'nr_feature' is missing");
  lines.end_line();
  return header;
}

double read_weight(TextLines& lines, Index k, Index count) {
  if (!lines.next()) lines.fail_at_end(fmt::format("the file ends after {} of {} weights (truncated file?)", k, count));
  const double weight = lines.number("weight");
  lines.end_line();
  return weight;
}

void read_weights(TextLines& lines, const Header& header, Model& model) {
  const bool has_intercept = header.bias >= 0;
  const Index features = *header.features;
  if (features == std::numeric_limits<Index>::max()) lines.fail_line("nr_feature is too large");
  const Index count = features + (has_intercept ? 1 : 0);
  SparseVector& weights = model.weights.emplace_back();
  weights.size = features;
  // Only what is not zero is kept, and only as the lines come: the stated number allocates nothing.
  for (Index k = 0; k < features; ++k) {
    const double weight = read_weight(lines, k, count);
    if (weight == 0) continue;
    weights.at.push_back(k);
    weights.value.push_back(weight);
  }
  model.intercepts = {has_intercept ? read_weight(lines, features, count) * header.bias : 0};
  if (!std::isfinite(model.intercept())) lines.fail_line("weight times bias is beyond the largest double");
  while (lines.next())
    if (!lines.word().empty()) lines.fail_line(fmt::format("more weights than the {} of nr_feature and bias", count));
}

Index whole_label(double label) {
  constexpr double kLargestInt = std::numeric_limits<std::int32_t>::max();
  if (!(std::abs(label) <= kLargestInt) || label != std::trunc(label))
    throw InputError("classes", fmt::format("{}", label), "a whole number of 32 bits in LIBLINEAR's files");
  return static_cast<Index>(label);
}

std::string_view solver_of(const std::string& loss) {
  for (const auto& [solver, known] : kLosses)
    if (known == loss) return solver;
  throw InputError("loss", fmt::format("'{}'", loss), "logistic or squared_hinge in LIBLINEAR's files");
}

}  // namespace

Model read_liblinear_model(TextLines& lines) {
  Model model;
  model.formulation.loss = read_loss(lines);
  model.formulation.ridge = {0, false};
  lines.end_line();
  const Header header = read_header(lines);
  model.classes = {(*header.labels)[1], (*header.labels)[0]};
  read_weights(lines, header, model);
  return model;
}

void check_liblinear_model(const Model& model) {
  if (model.kind != ModelKind::vector)
    throw InputError("kind", to_string(model.kind), "vector: pdbfw writes LIBLINEAR's files of two classes");
  static_cast<void>(solver_of(model.formulation.loss));
  if (model.classes.size() != 2) throw InputError("classes", "none", "two classes in LIBLINEAR's files");
  for (const double label : model.classes) static_cast<void>(whole_label(label));
  check_model(model);
}

void write_liblinear_model(TextSink& sink, const Model& model) {
  const std::string_view solver = solver_of(model.formulation.loss);
  const SparseVector& weights = model.weights.front();
  const bool has_intercept = model.intercept() != 0;
  sink.write(fmt::format("solver_type {}\nnr_class 2\nlabel {} {}\nnr_feature {}\nbias {}\nw\n", solver,
                         whole_label(model.classes[1]), whole_label(model.classes[0]), weights.size,
                         has_intercept ? 1 : -1));
  Index written = 0;
  for (std::size_t k = 0; k < weights.at.size(); ++k, ++written) {
    for (; written < weights.at[k]; ++written) sink.write("0\n");
    sink.write(fmt::format("{}\n", weights.value[k]));
  }
  for (; written < weights.size; ++written) sink.write("0\n");
  if (has_intercept) sink.write(fmt::format("{}\n", model.intercept()));
}

}  // namespace pdbfw
