// One table of keys serves the reader and the writer: a key stands once.
#include "io/models/model_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/names.hpp"
#include "io/bytes/decimal.hpp"
#include "io/bytes/percent_text.hpp"

namespace pdbfw {
namespace {

constexpr std::string_view kVersion = "2";

// What has been read so far.
struct Draft {
  TextLines& lines;
  Model model{};
  Index features = 0, columns = 0;  // as stated; `columns` are those of the kind matrix
  std::string_view key{};           // of this line
  std::string_view block{};         // the last key that was followed by lines of its own
  std::vector<std::string_view> seen{};

  [[nodiscard]] bool has(std::string_view name) const {
    return std::find(seen.begin(), seen.end(), name) != seen.end();
  }
  [[nodiscard]] Index outputs() const { return model.kind == ModelKind::matrix ? columns : model.outputs(); }
};

using Kinds = unsigned;
constexpr Kinds only(ModelKind kind) { return 1U << static_cast<unsigned>(kind); }
constexpr Kinds kVector = only(ModelKind::vector), kRest = only(ModelKind::one_vs_rest),
                kSparse = kVector | kRest | only(ModelKind::joint), kMatrix = only(ModelKind::matrix),
                kAll = kSparse | kMatrix;

struct Key {
  std::string_view name;
  Kinds kinds;     // the kinds of model that have it
  Kinds required;  // those that must have it
  void (*read)(Draft& draft);
  void (*write)(TextSink& sink, const Key& key, const Model& model);  // nothing where the model does not have it
};

// fmt prints the shortest decimal that reads back as the same double, whatever the locale.
template <class... Words>
void write_line(TextSink& sink, fmt::format_string<Words...> format, Words&&... words) {
  sink.write(fmt::format(format, std::forward<Words>(words)...));
  sink.write("\n");
}

// Another key must have come before this one.
void require_before(const Draft& draft, std::string_view name) {
  if (!draft.has(name)) draft.lines.fail_line(fmt::format("key '{}' must come before '{}'", name, draft.key));
}

// Of the outputs: how many there are is known before what is counted by them.
void require_outputs(const Draft& draft) {
  if (draft.model.kind == ModelKind::matrix)
    require_before(draft, "outputs");
  else if (draft.model.kind != ModelKind::vector)
    require_before(draft, "classes");
}

// The count behind the key, which must be this one.
Index read_count(Draft& draft, Index expected, std::string_view of_what) {
  const Index count = draft.lines.whole_number(fmt::format("number of {}", draft.key));
  if (count != expected) draft.lines.fail_line(fmt::format("{} {} for {} {}", count, draft.key, expected, of_what));
  return count;
}

// COUNT lines behind the one of the key; read_line reads each. Vectors grow with the lines that are there, never with
// the count that was stated.
template <class ReadLine>
void read_lines(Draft& draft, Index count, const ReadLine& read_line) {
  draft.lines.end_line();
  draft.block = draft.key;
  for (Index k = 0; k < count; ++k) {
    if (!draft.lines.next())
      draft.lines.fail_at_end(fmt::format("the file ends after {} of {} {} (truncated file?)", k, count, draft.block));
    read_line();
    draft.lines.end_line();
  }
}

std::string read_name(Draft& draft) {
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
void read_value(Draft& draft) {
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
void write_value(TextSink& sink, const Key& key, const Model& model) {
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
constexpr Key value_key(std::string_view name, Kinds kinds, Kinds required = 0) {
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
void write_members(TextSink& sink, const Key& key, const Model& model) {
  write_list(sink, key.name, member_of(model, at));
}

// One number per row of the matrix, or per column.
template <auto at, bool is_of_rows>
void read_means(Draft& draft) {
  require_before(draft, is_of_rows ? "features" : "outputs");
  const Index count =
      is_of_rows ? read_count(draft, draft.features, "features") : read_count(draft, draft.columns, "outputs");
  read_lines(draft, count, [&] { (draft.model.*at).push_back(draft.lines.number(draft.block)); });
}

template <auto at, bool is_of_rows>
void read_names(Draft& draft) {
  require_before(draft, is_of_rows ? "features" : "outputs");
  const Index count =
      is_of_rows ? read_count(draft, draft.features, "features") : read_count(draft, draft.columns, "outputs");
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
void write_names(TextSink& sink, const Key& key, const Model& model) {
  std::vector<std::string> words;
  for (const std::string& name : model.*at) words.push_back(percent_encoded(name));
  write_list(sink, key.name, words);
}

void read_ridge(Draft& draft) {
  constexpr std::string_view kPerSample = "/n";
  const std::string_view word = draft.lines.word();
  Ridge& ridge = draft.model.formulation.ridge;
  ridge.per_sample = word.ends_with(kPerSample);
  const std::string_view number = ridge.per_sample ? word.substr(0, word.size() - kPerSample.size()) : word;
  if (const NumberFault fault = parse_number(number, ridge.value); fault != NumberFault::none)
    draft.lines.fail(word, "ridge " + describe(fault, number));
}

void write_ridge(TextSink& sink, const Key& key, const Model& model) {
  const Ridge& ridge = model.formulation.ridge;
  write_line(sink, "{} {}{}", key.name, ridge.value, ridge.per_sample ? "/n" : "");
}

void read_class_weight(Draft& draft) {
  ClassWeight& by_class = draft.model.formulation.class_weight;
  const std::string_view word = draft.lines.word();
  by_class.is_balanced = word == "balanced";
  if (by_class.is_balanced) return;
  if (const NumberFault fault = parse_number(word, by_class.negative); fault != NumberFault::none)
    draft.lines.fail(word, "class_weight " + describe(fault, word));
  by_class.positive = draft.lines.number(draft.key);
  if (by_class.negative < 0 || by_class.positive < 0) draft.lines.fail_line("class_weight: a number is below 0");
}

void write_class_weight(TextSink& sink, const Key& key, const Model& model) {
  const ClassWeight& by_class = model.formulation.class_weight;
  if (by_class.is_balanced)
    write_line(sink, "{} balanced", key.name);
  else if (!by_class.is_none())
    write_line(sink, "{} {} {}", key.name, by_class.negative, by_class.positive);
}

// Vector: two. Other sparse kinds: they say how many outputs there are. Matrix: one per output, or none.
void read_classes(Draft& draft) {
  if (draft.has("labels")) draft.lines.fail_line("outputs are either classes or labels, not both");
  Index count = 0;
  if (draft.model.kind == ModelKind::matrix) {
    require_before(draft, "outputs");
    count = read_count(draft, draft.columns, "outputs");
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

void read_labels(Draft& draft) {
  if (draft.has("classes")) draft.lines.fail_line("outputs are either classes or labels, not both");
  require_before(draft, "outputs");
  std::set<Index> seen;
  read_lines(draft, read_count(draft, draft.columns, "outputs"), [&] {
    draft.model.labels.push_back(draft.lines.whole_number("label"));
    if (!seen.insert(draft.model.labels.back()).second) draft.lines.fail_line("this label is repeated");
  });
}

// Lines `status primal dual gap relative_gap violation`. A dual point outside the domain proves nothing: then the dual
// value is -inf and the gaps are inf.
void read_certificates(Draft& draft) {
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

void write_certificates(TextSink& sink, const Key& key, const Model& model) {
  if (model.certificates.empty()) return;
  write_line(sink, "{} {}", key.name, model.certificates.size());
  for (std::size_t k = 0; k < model.certificates.size(); ++k) {
    const Certificate& c = model.certificates[k];
    write_line(sink, "{} {} {} {} {} {}", to_string(model.statuses[k]), c.primal, c.dual, c.gap, c.relative_gap,
               c.violation);
  }
}

void read_intercepts(Draft& draft) {
  require_outputs(draft);
  const Index count = read_count(draft, draft.outputs(), "outputs");
  read_lines(draft, count, [&] { draft.model.intercepts.push_back(draft.lines.number("intercept")); });
}

void read_sigmoids(Draft& draft) {
  require_outputs(draft);
  const Index count = read_count(draft, draft.outputs(), "outputs");
  read_lines(draft, count, [&] {
    const double slope = draft.lines.number("slope"), offset = draft.lines.number("offset");
    draft.model.sigmoids.push_back({slope, offset});
  });
}

void write_sigmoids(TextSink& sink, const Key& key, const Model& model) {
  if (!model.sigmoids.empty()) write_line(sink, "{} {}", key.name, model.sigmoids.size());
  for (const auto& [slope, offset] : model.sigmoids) write_line(sink, "{} {}", slope, offset);
}

// An index, from 1 in the file, above the last one.
Index read_index(Draft& draft, const std::vector<Index>& before, Index size) {
  const Index last = before.empty() ? 0 : before.back() + 1;
  const Index index = draft.lines.whole_number("index");
  if (index <= last || index > size)
    draft.lines.fail_line(fmt::format("index {} after {}: indices ascend from 1 to {}", index, last, size));
  return index - 1;
}

// One for each feature, zeros too: the dense vector that it becomes must not be longer than the file.
void read_ridge_scale(Draft& draft) {
  require_before(draft, "features");
  const Index count = read_count(draft, draft.features, "features");
  read_lines(draft, count, [&] { draft.model.formulation.ridge_scale.push_back(draft.lines.number("factor")); });
}

void read_free_features(Draft& draft) {
  require_before(draft, "features");
  std::vector<Index>& free = draft.model.formulation.free_features;
  const Index count = draft.lines.whole_number("number of free features");
  read_lines(draft, count, [&] { free.push_back(read_index(draft, free, draft.features)); });
}

void write_free_features(TextSink& sink, const Key& key, const Model& model) {
  std::vector<Index> from_one = model.formulation.free_features;
  for (Index& index : from_one) ++index;
  write_list(sink, key.name, from_one);
}

// Lines `output index value`: output after output (from 1), indices ascending in each.
std::vector<SparseVector> read_columns(Draft& draft, Index size) {
  require_outputs(draft);
  const Index outputs = draft.outputs();
  const Index count = draft.lines.whole_number("number of entries");
  std::vector<SparseVector> columns(static_cast<std::size_t>(outputs),
                                    SparseVector{.size = size, .at = {}, .value = {}});
  Index last = 1;
  read_lines(draft, count, [&] {
    const Index output = draft.lines.whole_number("output");
    if (output < last || output > outputs)
      draft.lines.fail_line(fmt::format("output {} after {}: outputs ascend from 1 to {}", output, last, outputs));
    last = output;
    SparseVector& column = columns[static_cast<std::size_t>(output - 1)];
    column.at.push_back(read_index(draft, column.at, size));
    column.value.push_back(draft.lines.number("value"));
  });
  return columns;
}

void write_columns(TextSink& sink, std::string_view key, const std::vector<SparseVector>& columns) {
  std::size_t count = 0;
  for (const SparseVector& column : columns) count += column.at.size();
  write_line(sink, "{} {}", key, count);
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (std::size_t e = 0; e < columns[k].at.size(); ++e)
      write_line(sink, "{} {} {}", k + 1, columns[k].at[e] + 1, columns[k].value[e]);
}

void read_weights(Draft& draft) {
  require_before(draft, "features");
  draft.model.weights = read_columns(draft, draft.features);
}

void write_weights(TextSink& sink, const Key& key, const Model& model) { write_columns(sink, key.name, model.weights); }

// `count` lines of `width` numbers. Without columns there are no lines.
Matrix read_table(Draft& draft, Index count, Index width) {
  std::vector<double> numbers;
  read_lines(draft, width == 0 ? 0 : count, [&] {
    for (Index j = 0; j < width; ++j) numbers.push_back(draft.lines.number(draft.block));
  });
  return Eigen::Map<const Matrix>(numbers.data(), count, width);
}

void write_table(TextSink& sink, std::string_view key, const Matrix& matrix) {
  write_line(sink, "{} {} {}", key, matrix.rows(), matrix.cols());
  if (matrix.cols() == 0) return;
  std::string line;
  for (Index i = 0; i < matrix.rows(); ++i) {
    line.clear();
    for (Index j = 0; j < matrix.cols(); ++j)
      fmt::format_to(std::back_inserter(line), "{}{}", matrix(i, j), j + 1 < matrix.cols() ? ' ' : '\n');
    sink.write(line);
  }
}

void read_singular_values(Draft& draft) {
  require_before(draft, "features");
  require_before(draft, "outputs");
  const Index rank = draft.lines.whole_number("number of singular values");
  if (rank > std::min(draft.features, draft.columns))
    draft.lines.fail_line(fmt::format("rank {} of a {} x {} matrix", rank, draft.features, draft.columns));
  draft.model.factors.s = read_table(draft, rank, 1);
}

void write_singular_values(TextSink& sink, const Key& key, const Model& model) {
  write_line(sink, "{} {}", key.name, model.factors.rank());
  for (const double value : model.factors.s) write_line(sink, "{}", value);
}

// left FEATURES RANK, right OUTPUTS RANK.
template <auto at>
void read_factor(Draft& draft) {
  require_before(draft, "singular_values");
  const Index count = at == &Factors::U ? draft.features : draft.columns, rank = draft.model.factors.rank();
  const Index stated_count = draft.lines.whole_number("number of lines");
  const Index stated_rank = draft.lines.whole_number("rank");
  if (stated_count != count || stated_rank != rank)
    draft.lines.fail_line(fmt::format("{} x {} where {} x {} is needed", stated_count, stated_rank, count, rank));
  draft.model.factors.*at = read_table(draft, count, rank);
}

template <auto at>
void write_factor(TextSink& sink, const Key& key, const Model& model) {
  write_table(sink, key.name, model.factors.*at);
}

// proof SAMPLES COUNT, or SAMPLES OUTPUTS and a line of numbers per sample for the kind matrix.
void read_proof(Draft& draft) {
  require_before(draft, "samples");
  const Index size = draft.lines.whole_number("size of the proof");
  if (size != draft.model.samples)
    draft.lines.fail_line(fmt::format("a proof of {} samples for {} samples", size, draft.model.samples));
  if (draft.model.kind == ModelKind::matrix)
    draft.model.matrix_proof = read_table(draft, size, draft.lines.whole_number("number of outputs"));
  else
    draft.model.proof = read_columns(draft, size);
}

void write_proof(TextSink& sink, const Key& key, const Model& model) {
  if (model.kind == ModelKind::matrix) {
    if (model.matrix_proof.size() != 0) write_table(sink, key.name, model.matrix_proof);
  } else if (!model.proof.empty()) {
    write_columns(sink, fmt::format("{} {}", key.name, model.samples), model.proof);
  }
}

void write_features(TextSink& sink, const Key& key, const Model& model) {
  write_line(sink, "{} {}", key.name, model.features());
}

void write_outputs(TextSink& sink, const Key& key, const Model& model) {
  write_line(sink, "{} {}", key.name, model.outputs());
}

constexpr auto kKeys = std::to_array<Key>({
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
    {"features", kAll, kAll, [](Draft& draft) { draft.features = draft.lines.whole_number(draft.key); },
     write_features},
    {"outputs", kMatrix, kMatrix, [](Draft& draft) { draft.columns = draft.lines.whole_number(draft.key); },
     write_outputs},
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

[[noreturn]] void fail_unknown_key(const Draft& draft, std::string_view word) {
  if (!word.empty() && (is_digit(word[0]) || word[0] == '-') && !draft.block.empty())
    draft.lines.fail(word, fmt::format("more {} than their number says", draft.block));
  std::array<std::string_view, kKeys.size()> names;
  std::transform(kKeys.begin(), kKeys.end(), names.begin(), [](const Key& key) { return key.name; });
  const std::string nearest = nearest_name(word, names);
  const std::string hint = nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
  draft.lines.fail(word, fmt::format("unknown key {}{}", in_quotes(word), hint));
}

void read_key(Draft& draft, std::string_view word) {
  const auto* const key = std::find_if(kKeys.begin(), kKeys.end(), [&](const Key& k) { return k.name == word; });
  if (key == kKeys.end()) fail_unknown_key(draft, word);
  if ((key->kinds & only(draft.model.kind)) == 0)
    draft.lines.fail(word, fmt::format("a model of the kind {} has no '{}'", to_string(draft.model.kind), key->name));
  if (draft.has(key->name)) draft.lines.fail(word, fmt::format("key '{}' is repeated", key->name));
  draft.seen.push_back(key->name);
  draft.key = key->name;
  key->read(draft);
  draft.lines.end_line();
}

// The version, behind the first word, and the line `kind`.
ModelKind read_beginning(TextLines& lines) {
  const std::string_view version = lines.word();
  if (version != kVersion)
    lines.fail(version,
               fmt::format("version {} is not known; this pdbfw reads version {}", in_quotes(version), kVersion));
  lines.end_line();
  if (!lines.next()) lines.fail_at_end("the file ends before its line 'kind' (truncated file?)");
  if (const std::string_view word = lines.word(); word != "kind")
    lines.fail(word, fmt::format("{} where the line 'kind' is needed", in_quotes(word)));
  const std::string_view name = lines.word();
  const auto* const found = std::find(kModelKinds.begin(), kModelKinds.end(), name);
  if (found == kModelKinds.end()) lines.fail(name, fmt::format("unknown kind {}", in_quotes(name)));
  lines.end_line();
  return static_cast<ModelKind>(found - kModelKinds.begin());
}

}  // namespace

bool is_model_name(std::string_view name) {
  const auto is_plain = [](char c) { return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z'); };
  return !name.empty() && std::all_of(name.begin(), name.end(), is_plain);
}

Model read_model_text(TextLines& lines) {
  Draft draft{.lines = lines};
  draft.model.kind = read_beginning(lines);
  for (;;) {
    if (!lines.next()) lines.fail_at_end("the file ends before its line 'end' (truncated file?)");
    const std::string_view word = lines.word();
    if (word == "end") break;
    read_key(draft, word);
  }
  for (const Key& key : kKeys)
    if ((key.required & only(draft.model.kind)) != 0 && !draft.has(key.name))
      lines.fail_line(fmt::format("key '{}' is missing", key.name));
  lines.end_line();
  if (lines.next()) lines.fail_line("text after the line 'end'");
  return std::move(draft.model);
}

void write_model_text(TextSink& sink, const Model& model) {
  check_model(model);
  write_line(sink, "{} {}", kModelMagic, kVersion);
  write_line(sink, "kind {}", to_string(model.kind));
  for (const Key& key : kKeys)
    if ((key.kinds & only(model.kind)) != 0) key.write(sink, key, model);
  write_line(sink, "end");
}

}  // namespace pdbfw
