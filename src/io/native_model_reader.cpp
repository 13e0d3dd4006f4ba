#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "io/model_keys.hpp"
#include "io/native_model.hpp"

namespace pdbfw {
namespace {

struct Draft : KeyedDraft {
  Model model{};
};

void read_labels(Draft& draft) {
  const double negative = read_model_number(draft);
  const double positive = read_model_number(draft);
  if (negative == positive) draft.lines.fail_line("the two labels are equal");
  draft.model.labels = {negative, positive};
}

void read_sigmoid(Draft& draft) {
  const double slope = read_model_number(draft), offset = read_model_number(draft);
  draft.model.sigmoid = {slope, offset};
}

SparseVector read_entries(Draft& draft, Index size, Index count) {
  SparseVector vector{.size = size, .at = {}, .value = {}};
  begin_block(draft);
  for (Index k = 0; k < count; ++k) {
    next_block_line(draft, k, count);
    const Index last = vector.at.empty() ? 0 : vector.at.back() + 1;
    const Index index = draft.lines.whole_number(fmt::format("{} of {} {}: index", k + 1, count, draft.block));
    if (index <= last || index > size)
      draft.lines.fail_line(fmt::format("index {} after {}: indices ascend from 1 to {}", index, last, size));
    vector.at.push_back(index - 1);
    vector.value.push_back(draft.lines.number("value"));
    draft.lines.end_line();
  }
  return vector;
}

void read_weights(Draft& draft) {
  require_before(draft, "features");
  const Index count = draft.lines.whole_number("number of weights");
  draft.model.weights = read_entries(draft, draft.model.weights.size, count);
}

// One for each feature, zeros too: the dense vector that it becomes must not be longer than the file.
void read_ridge_scale(Draft& draft) {
  require_before(draft, "features");
  const Index count = draft.lines.whole_number("number of factors");
  if (count != draft.model.weights.size)
    draft.lines.fail_line(fmt::format("{} factors for {} features", count, draft.model.weights.size));
  draft.model.formulation.ridge_scale = read_entries(draft, count, count).value;
}

void read_free_features(Draft& draft) {
  require_before(draft, "features");
  const Index count = draft.lines.whole_number("number of free features");
  std::vector<Index>& free = draft.model.formulation.free_features;
  begin_block(draft);
  for (Index k = 0; k < count; ++k) {
    next_block_line(draft, k, count);
    const Index last = free.empty() ? 0 : free.back() + 1;
    const Index index = draft.lines.whole_number(fmt::format("{} of {} {}: index", k + 1, count, draft.block));
    if (index <= last || index > draft.model.weights.size)
      draft.lines.fail_line(
          fmt::format("index {} after {}: indices ascend from 1 to {}", index, last, draft.model.weights.size));
    free.push_back(index - 1);
    draft.lines.end_line();
  }
}

void read_proof(Draft& draft) {
  require_before(draft, "samples");
  const Index size = draft.lines.whole_number("size of the proof");
  if (size != draft.model.samples)
    draft.lines.fail_line(fmt::format("a proof of {} entries for {} samples", size, draft.model.samples));
  const Index count = draft.lines.whole_number("number of entries");
  draft.model.proof = read_entries(draft, size, count);
}

using Key = ModelKey<Draft>;

// A dual point outside the domain proves nothing: then the dual value is -inf and the gaps are inf.
constexpr std::array kKeys = {
    Key{"loss", Need::required, [](Draft& draft) { draft.model.formulation.loss = read_model_name(draft); }},
    Key{"smoothing", Need::optional,
        [](Draft& draft) { draft.model.formulation.smoothing = read_model_number(draft); }},
    Key{"huber_width", Need::optional,
        [](Draft& draft) { draft.model.formulation.huber_width = read_model_number(draft); }},
    Key{"set", Need::required, [](Draft& draft) { draft.model.formulation.set = read_model_name(draft); }},
    Key{"radius", Need::required, [](Draft& draft) { draft.model.formulation.radius = read_model_number(draft); }},
    Key{"ridge", Need::required,
        [](Draft& draft) {
          draft.model.formulation.ridge = {read_model_number(draft), false};
        }},
    Key{"learns_intercept", Need::optional,
        [](Draft& draft) { draft.model.formulation.intercept = read_model_number(draft) != 0; }},
    Key{"class_weight", Need::optional,
        [](Draft& draft) { draft.model.formulation.class_weight = read_model_class_weight(draft); }},
    Key{"sample_weight", Need::optional,
        [](Draft& draft) { draft.model.has_sample_weight = read_model_number(draft) != 0; }},
    Key{"standardise", Need::optional,
        [](Draft& draft) { draft.model.formulation.standardise = read_model_number(draft) != 0; }},
    Key{"penalty_weight", Need::optional,
        [](Draft& draft) { draft.model.has_penalty_weight = read_model_number(draft) != 0; }},
    Key{"labels", Need::optional, read_labels},
    Key{"features", Need::required,
        [](Draft& draft) { draft.model.weights.size = draft.lines.whole_number(draft.key); }},
    Key{"samples", Need::required, [](Draft& draft) { draft.model.samples = draft.lines.whole_number(draft.key); }},
    Key{"status", Need::optional, [](Draft& draft) { draft.model.status = read_model_status(draft); }},
    Key{"primal", Need::certificate, [](Draft& draft) { draft.certificate.primal = read_model_number(draft); }},
    Key{"dual", Need::certificate,
        [](Draft& draft) { draft.certificate.dual = draft.lines.number_or_infinity(draft.key, "-inf"); }},
    Key{"gap", Need::certificate,
        [](Draft& draft) { draft.certificate.gap = draft.lines.number_or_infinity(draft.key, "inf"); }},
    Key{"relative_gap", Need::certificate,
        [](Draft& draft) { draft.certificate.relative_gap = draft.lines.number_or_infinity(draft.key, "inf"); }},
    Key{"violation", Need::certificate, [](Draft& draft) { draft.certificate.violation = read_model_number(draft); }},
    Key{"intercept", Need::optional, [](Draft& draft) { draft.model.intercept = read_model_number(draft); }},
    Key{"sigmoid", Need::optional, read_sigmoid},
    Key{"weights", Need::required, read_weights},
    Key{"ridge_scale", Need::optional, read_ridge_scale},
    Key{"free_features", Need::optional, read_free_features},
    Key{"proof", Need::optional, read_proof},
};

}  // namespace

Model read_native_model(TextLines& lines) {
  read_model_version(lines);
  Draft draft{{.lines = lines}};
  if (read_model_keys(draft, kKeys)) draft.model.certificate = draft.certificate;
  return std::move(draft.model);
}

}  // namespace pdbfw
