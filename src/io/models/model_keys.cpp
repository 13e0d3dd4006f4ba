#include "io/models/model_keys.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include "core/verdict.hpp"
#include "io/bytes/text.hpp"
#include "io/models/model_file.hpp"

namespace pdbfw {
namespace {

constexpr ModelKinds kVector = only(ModelKind::vector), kRest = only(ModelKind::one_vs_rest),
                     kSparse = kVector | kRest | only(ModelKind::joint), kMatrix = only(ModelKind::matrix),
                     kAll = kSparse | kMatrix;

std::string read_name(ModelDraft& draft) {
  const std::string_view name = draft.lines.word();
  if (!is_model_name(name))
    draft.lines.fail(name,
                     fmt::format("{} {} is not a name of small letters, digits and _", draft.key, in_quotes(name)));
  return std::string(name);
}

// Keys with one value, a member of the model or of its formulation: a name, a number, a whole number or a flag. Where
// they are optional, what is missing has the value that a new model has.
template <class AnyModel, class Value>
auto& member_of(AnyModel& model, Value Model::*at) {
  return model.*at;
}
template <class AnyModel, class Value>
auto& member_of(AnyModel& model, Value Formulation::*at) {
  return model.formulation.*at;
}

template <auto at>
void read_value(ModelDraft& draft) {
  auto& value = member_of(draft.model, at);
  using Value = std::remove_reference_t<decltype(value)>;
  if constexpr (std::is_same_v<Value, std::string>)
    value = read_name(draft);
  else if constexpr (std::is_same_v<Value, Index>)
    value = draft.lines.whole_number(draft.key);
  else if constexpr (std::is_same_v<Value, bool>)
    value = draft.lines.number(draft.key) != 0;
  else
    value = draft.lines.number(draft.key);
}

template <auto at>
void write_value(TextSink& sink, const ModelKey& key, const Model& model) {
  static const Model usual;
  const auto& value = member_of(model, at);
  const bool is_required = (key.required & only(model.kind)) != 0;
  if (!is_required && value == member_of(usual, at)) return;
  if constexpr (std::is_same_v<decltype(value), const bool&>)
    write_line(sink, "{} {}", key.name, value ? 1 : 0);
  else
    write_line(sink, "{} {}", key.name, value);
}

template <auto at>
constexpr ModelKey value_key(std::string_view name, ModelKinds kinds, ModelKinds required = 0) {
  return {name, kinds, required, read_value<at>, write_value<at>};
}

// Keys with one thing per line, unless there are none.
template <class Things>
void write_list(TextSink& sink, std::string_view key, const Things& things) {
  if (things.empty()) return;
  write_line(sink, "{} {}", key, things.size());
  for (const auto& thing : things) write_line(sink, "{}", thing);
}

template <auto at>
void write_members(TextSink& sink, const ModelKey& key, const Model& model) {
  write_list(sink, key.name, member_of(model, at));
}

// One number per feature (a row of the matrix), or per output (a column); messages call one of them `what`.
void read_numbers(ModelDraft& draft, Index count, std::string_view what, std::vector<double>& numbers) {
  read_lines(draft, count, [&] { numbers.push_back(draft.lines.number(what)); });
}

template <auto at, bool is_of_rows>
void read_means(ModelDraft& draft) {
  const Index count = is_of_rows ? read_count_of_features(draft) : read_count_of_outputs(draft);
  read_numbers(draft, count, draft.key, draft.model.*at);
}

template <auto at, bool is_of_rows>
void read_names(ModelDraft& draft) {
  const Index count = is_of_rows ? read_count_of_features(draft) : read_count_of_outputs(draft);
  std::set<std::string> seen;
  read_lines(draft, count, [&] {
    const std::string_view word = draft.lines.word();
    if (word.empty()) draft.lines.fail_line("a name is missing");
    std::optional<std::string> name = percent_decoded(word);
    if (!name)
      draft.lines.fail(word, fmt::format("name {}: % is not followed by two hexadecimal digits", in_quotes(word)));
    if (!seen.insert(*name).second) draft.lines.fail(word, fmt::format("name {} is repeated", in_quotes(*name)));
    (draft.model.*at).push_back(*std::move(name));
  });
}

template <auto at>
void write_names(TextSink& sink, const ModelKey& key, const Model& model) {
  std::vector<std::string> words;
  for (const std::string& name : model.*at) words.push_back(percent_encoded(name));
  write_list(sink, key.name, words);
}

void read_ridge(ModelDraft& draft) {
  constexpr std::string_view kPerSample = "/n";
  const std::string_view word = draft.lines.word();
  Ridge& ridge = draft.model.formulation.ridge;
  ridge.per_sample = word.ends_with(kPerSample);
  const std::string_view number = ridge.per_sample ? word.substr(0, word.size() - kPerSample.size()) : word;
  ridge.value = draft.lines.number_in(number, "ridge");
}

void write_ridge(TextSink& sink, const ModelKey& key, const Model& model) {
  const Ridge& ridge = model.formulation.ridge;
  write_line(sink, "{} {}{}", key.name, ridge.value, ridge.per_sample ? "/n" : "");
}

void read_class_weight(ModelDraft& draft) {
  ClassWeight& by_class = draft.model.formulation.class_weight;
  const std::string_view word = draft.lines.word();
  by_class.is_balanced = word == "balanced";
  if (by_class.is_balanced) return;
  by_class.negative = draft.lines.number_in(word, "class_weight");
  by_class.positive = draft.lines.number(draft.key);
  if (by_class.negative < 0 || by_class.positive < 0) draft.lines.fail_line("class_weight: a number is below 0");
}

void write_class_weight(TextSink& sink, const ModelKey& key, const Model& model) {
  const ClassWeight& by_class = model.formulation.class_weight;
  if (by_class.is_balanced)
    write_line(sink, "{} balanced", key.name);
  else if (!by_class.is_none())
    write_line(sink, "{} {} {}", key.name, by_class.negative, by_class.positive);
}

// Vector: two. Other sparse kinds: they say how many outputs there are. Matrix: one per output, or none.
void read_classes(ModelDraft& draft) {
  if (draft.has("labels")) draft.lines.fail_line("outputs are either classes or labels, not both");
  Index count = 0;
  if (draft.model.kind == ModelKind::matrix) {
    count = read_count_of_outputs(draft);
  } else {
    count = draft.lines.whole_number("number of classes");
    if (count < 2) draft.lines.fail_line("fewer than two classes");
    if (draft.model.kind == ModelKind::vector && count > 2)
      draft.lines.fail_line("more than two classes of one vector of weights");
  }
  std::set<double> seen;
  read_lines(draft, count, [&] {
    draft.model.classes.push_back(draft.lines.number("class"));
    if (!seen.insert(draft.model.classes.back()).second) draft.lines.fail_line("this class is repeated");
  });
}

void read_labels(ModelDraft& draft) {
  if (draft.has("classes")) draft.lines.fail_line("outputs are either classes or labels, not both");
  std::set<Index> seen;
  read_lines(draft, read_count_of_outputs(draft), [&] {
    draft.model.labels.push_back(draft.lines.whole_number("label"));
    if (!seen.insert(draft.model.labels.back()).second) draft.lines.fail_line("this label is repeated");
  });
}

// Lines `status primal dual gap relative_gap violation`. A dual point outside the domain proves nothing: then the dual
// value is -inf and the gaps are inf.
void read_certificates(ModelDraft& draft) {
  require_outputs(draft);
  const Index expected = certificates_of(draft.model.kind, draft.outputs());
  const Index count = draft.lines.whole_number("number of certificates");
  if (count != expected) draft.lines.fail_line(fmt::format("{} certificates where {} are needed", count, expected));
  read_lines(draft, count, [&] {
    const std::string_view name = draft.lines.word();
    const std::optional<Status> status = to_status(name);
    if (!status) draft.lines.fail(name, fmt::format("unknown status {}", in_quotes(name)));
    draft.model.statuses.push_back(*status);
    Certificate c;
    c.primal = draft.lines.number("primal");
    c.dual = draft.lines.number_or_infinity("dual", "-inf");
    c.gap = draft.lines.number_or_infinity("gap", "inf");
    c.relative_gap = draft.lines.number_or_infinity("relative_gap", "inf");
    c.violation = draft.lines.number("violation");
    draft.model.certificates.push_back(c);
  });
}

void write_certificates(TextSink& sink, const ModelKey& key, const Model& model) {
  if (model.certificates.empty()) return;
  write_line(sink, "{} {}", key.name, model.certificates.size());
  for (std::size_t k = 0; k < model.certificates.size(); ++k) {
    const Certificate& c = model.certificates[k];
    write_line(sink, "{} {} {} {} {} {}", to_string(model.statuses[k]), c.primal, c.dual, c.gap, c.relative_gap,
               c.violation);
  }
}

void read_intercepts(ModelDraft& draft) {
  read_numbers(draft, read_count_of_outputs(draft), "intercept", draft.model.intercepts);
}

void read_sigmoids(ModelDraft& draft) {
  const Index count = read_count_of_outputs(draft);
  read_lines(draft, count, [&] {
    const double slope = draft.lines.number("slope"), offset = draft.lines.number("offset");
    draft.model.sigmoids.push_back({slope, offset});
  });
}

void write_sigmoids(TextSink& sink, const ModelKey& key, const Model& model) {
  if (!model.sigmoids.empty()) write_line(sink, "{} {}", key.name, model.sigmoids.size());
  for (const auto& [slope, offset] : model.sigmoids) write_line(sink, "{} {}", slope, offset);
}

// One for each feature, zeros too: the dense vector that it becomes must not be longer than the file.
void read_ridge_scale(ModelDraft& draft) {
  read_numbers(draft, read_count_of_features(draft), "factor", draft.model.formulation.ridge_scale);
}

void read_free_features(ModelDraft& draft) {
  require_before(draft, "features");
  std::vector<Index>& free = draft.model.formulation.free_features;
  const Index count = draft.lines.whole_number("number of free features");
  read_lines(draft, count, [&] { free.push_back(read_index(draft, free, draft.features)); });
}

void write_free_features(TextSink& sink, const ModelKey& key, const Model& model) {
  std::vector<Index> from_one = model.formulation.free_features;
  for (Index& index : from_one) ++index;
  write_list(sink, key.name, from_one);
}

void read_weights(ModelDraft& draft) {
  require_before(draft, "features");
  draft.model.weights = read_columns(draft, draft.features);
}

void write_weights(TextSink& sink, const ModelKey& key, const Model& model) {
  write_columns(sink, key.name, model.weights);
}

void read_singular_values(ModelDraft& draft) {
  require_before(draft, "features");
  require_before(draft, "outputs");
  const Index rank = draft.lines.whole_number("number of singular values");
  if (rank > std::min(draft.features, draft.columns))
    draft.lines.fail_line(fmt::format("rank {} of a {} x {} matrix", rank, draft.features, draft.columns));
  draft.model.factors.s = read_table(draft, rank, 1);
}

void write_singular_values(TextSink& sink, const ModelKey& key, const Model& model) {
  write_line(sink, "{} {}", key.name, model.factors.rank());
  for (const double value : model.factors.s) write_line(sink, "{}", value);
}

// left FEATURES RANK, right OUTPUTS RANK.
template <auto at>
void read_factor(ModelDraft& draft) {
  require_before(draft, "singular_values");
  const Index count = at == &Factors::U ? draft.features : draft.columns, rank = draft.model.factors.rank();
  const Index stated_count = draft.lines.whole_number("number of lines");
  const Index stated_rank = draft.lines.whole_number("rank");
  if (stated_count != count || stated_rank != rank)
    draft.lines.fail_line(fmt::format("{} x {} where {} x {} is needed", stated_count, stated_rank, count, rank));
  draft.model.factors.*at = read_table(draft, count, rank);
}

template <auto at>
void write_factor(TextSink& sink, const ModelKey& key, const Model& model) {
  write_table(sink, key.name, model.factors.*at);
}

// proof SAMPLES COUNT, or SAMPLES OUTPUTS and a line of numbers per sample for the kind matrix.
void read_proof(ModelDraft& draft) {
  require_before(draft, "samples");
  const Index size = draft.lines.whole_number("size of the proof");
  if (size != draft.model.samples)
    draft.lines.fail_line(fmt::format("a proof of {} samples for {} samples", size, draft.model.samples));
  if (draft.model.kind == ModelKind::matrix)
    draft.model.matrix_proof = read_table(draft, size, draft.lines.whole_number("number of outputs"));
  else
    draft.model.proof = read_columns(draft, size);
}

void write_proof(TextSink& sink, const ModelKey& key, const Model& model) {
  if (model.kind == ModelKind::matrix) {
    if (model.matrix_proof.size() != 0) write_table(sink, key.name, model.matrix_proof);
  } else if (!model.proof.empty()) {
    write_columns(sink, fmt::format("{} {}", key.name, model.samples), model.proof);
  }
}

// Sizes, which a model does not keep as numbers.
template <auto at>
void read_size(ModelDraft& draft) {
  draft.*at = draft.lines.whole_number(draft.key);
}

template <auto size_of>
void write_size(TextSink& sink, const ModelKey& key, const Model& model) {
  write_line(sink, "{} {}", key.name, (model.*size_of)());
}

constexpr auto kKeys = std::to_array<ModelKey>({
    value_key<&Formulation::loss>("loss", kAll, kAll),
    value_key<&Formulation::smoothing>("smoothing", kAll),
    value_key<&Formulation::huber_width>("huber_width", kVector | kMatrix),
    value_key<&Formulation::set>("set", kAll, kAll),
    value_key<&Formulation::radius>("radius", kAll, kAll),
    {"ridge", kAll, kAll, read_ridge, write_ridge},
    value_key<&Formulation::intercept>("learns_intercept", kSparse),
    {"class_weight", kSparse, 0, read_class_weight, write_class_weight},
    value_key<&Model::has_sample_weight>("sample_weight", kSparse),
    value_key<&Formulation::standardise>("standardise", kVector),
    value_key<&Model::has_penalty_weight>("penalty_weight", kVector),
    value_key<&Model::map>("map", kMatrix, kMatrix),
    value_key<&Model::samples>("samples", kAll, kAll),
    {"features", kAll, kAll, read_size<&ModelDraft::features>, write_size<&Model::features>},
    {"outputs", kMatrix, kMatrix, read_size<&ModelDraft::columns>, write_size<&Model::outputs>},
    {"classes", kAll, kSparse & ~kVector, read_classes, write_members<&Model::classes>},
    {"labels", kMatrix, 0, read_labels, write_members<&Model::labels>},
    {"row_names", kMatrix, 0, read_names<&Model::row_names, true>, write_names<&Model::row_names>},
    {"column_names", kMatrix, 0, read_names<&Model::column_names, false>, write_names<&Model::column_names>},
    {"certificates", kAll, 0, read_certificates, write_certificates},
    value_key<&Model::mean>("mean", kMatrix),
    {"row_means", kMatrix, 0, read_means<&Model::row_means, true>, write_members<&Model::row_means>},
    {"column_means", kMatrix, 0, read_means<&Model::column_means, false>, write_members<&Model::column_means>},
    {"intercepts", kSparse, 0, read_intercepts, write_members<&Model::intercepts>},
    {"sigmoids", kVector | kRest, 0, read_sigmoids, write_sigmoids},
    {"weights", kSparse, kSparse, read_weights, write_weights},
    {"singular_values", kMatrix, kMatrix, read_singular_values, write_singular_values},
    {"left", kMatrix, kMatrix, read_factor<&Factors::U>, write_factor<&Factors::U>},
    {"right", kMatrix, kMatrix, read_factor<&Factors::V>, write_factor<&Factors::V>},
    {"ridge_scale", kVector, 0, read_ridge_scale, write_members<&Formulation::ridge_scale>},
    {"free_features", kVector, 0, read_free_features, write_free_features},
    {"proof", kAll, 0, read_proof, write_proof},
});

}  // namespace

bool is_model_name(std::string_view name) {
  const auto is_plain = [](char c) { return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z'); };
  return !name.empty() && std::all_of(name.begin(), name.end(), is_plain);
}

std::span<const ModelKey> model_keys() { return kKeys; }

}  // namespace pdbfw
