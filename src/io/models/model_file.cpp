#include "io/models/model_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "base/machine_memory.hpp"
#include "base/names.hpp"
#include "io/bytes/byte_streams.hpp"
#include "io/bytes/checked_file.hpp"
#include "io/bytes/input.hpp"
#include "io/bytes/text.hpp"
#include "io/models/model_keys.hpp"

namespace pdbfw {
namespace {

constexpr std::string_view kVersion = "2";

[[noreturn]] void fail_unknown_key(const ModelDraft& draft, std::string_view word) {
  if (!word.empty() && (is_digit(word[0]) || word[0] == '-') && !draft.block.empty())
    draft.lines.fail(word, fmt::format("more {} than their number says", draft.block));
  std::vector<std::string_view> names;
  for (const ModelKey& key : model_keys()) names.push_back(key.name);
  const std::string nearest = nearest_name(word, names);
  const std::string hint = nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
  draft.lines.fail(word, fmt::format("unknown key {}{}", in_quotes(word), hint));
}

void read_key(ModelDraft& draft, std::string_view word) {
  const std::span<const ModelKey> keys = model_keys();
  const auto key = std::find_if(keys.begin(), keys.end(), [&](const ModelKey& k) { return k.name == word; });
  if (key == keys.end()) fail_unknown_key(draft, word);
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

// `lines` stands behind the first word of the first line.
Model read_model_text(TextLines& lines) {
  ModelDraft draft{.lines = lines};
  draft.model.kind = read_beginning(lines);
  for (;;) {
    if (!lines.next()) lines.fail_at_end("the file ends before its line 'end' (truncated file?)");
    const std::string_view word = lines.word();
    if (word == "end") break;
    read_key(draft, word);
  }
  for (const ModelKey& key : model_keys())
    if ((key.required & only(draft.model.kind)) != 0 && !draft.has(key.name))
      lines.fail_line(fmt::format("key '{}' is missing", key.name));
  lines.end_line();
  if (lines.next()) lines.fail_line("text after the line 'end'");
  return std::move(draft.model);
}

void write_model_text(TextSink& sink, const Model& model) {
  sink.write(fmt::format("{} {}\nkind {}\n", kModelMagic, kVersion, to_string(model.kind)));
  for (const ModelKey& key : model_keys())
    if ((key.kinds & only(model.kind)) != 0) key.write(sink, key, model);
  sink.write("end\n");
}

Model read_text(ByteSource& source, const std::string& name) {
  TextLines lines(source, name);
  if (!lines.next()) throw InputError(fmt::format("{}: the file is empty", name));
  const std::string_view magic = lines.word();
  if (magic == kModelMagic) return read_model_text(lines);
  if (magic == kLiblinearMagic) return read_liblinear_model(lines);
  lines.fail(magic, fmt::format("{} starts neither a model of pdbfw ('{} ...') nor one of LIBLINEAR ('{} ...')",
                                in_quotes(magic), kModelMagic, kLiblinearMagic));
}

// A mapped model is checked in the order of trust: the version, the length of the file, its checksum, the head, the
// sizes that it states, and last the numbers. Nothing is read that has not been found to lie inside the file.

Model read_head(std::string_view text, const std::string& name) {
  MemorySource source(text);
  TextLines lines(source, name + ": head");
  if (!lines.next() || lines.word() != kModelMagic)
    throw InputError(fmt::format("{}: its head is not the text of a model", name));
  Model head = read_model_text(lines);
  if (head.kind != ModelKind::vector)
    throw InputError(fmt::format("{}: its head is of the kind {}, not vector", name, to_string(head.kind)));
  if (!head.weights.front().at.empty() || (!head.proof.empty() && !head.proof.front().at.empty()))
    throw InputError(fmt::format("{}: its head lists numbers that belong behind it", name));
  return head;
}

void check_numbers(std::string_view field, std::span<const double> numbers, const std::string& name) {
  for (const double number : numbers)
    if (!std::isfinite(number)) throw InputError(fmt::format("{}: {} among the {}", name, number, field));
}

// The same model without its numbers, of which the sizes stay.
std::string head_text(const Model& model) {
  Model head = model;
  for (auto* columns : {&head.weights, &head.proof})
    for (SparseVector& column : *columns) column = {.size = column.size, .at = {}, .value = {}};
  MemorySink text;
  write_model_text(text, head);
  return text.text();
}

void check_size(std::string_view field, Index size) {
  if (size > machine_memory_bytes() / static_cast<Index>(sizeof(double)))
    throw InputError(field, fmt::format("{}", size),
                     "a number for each of them fits into this machine's memory, as a mapped model needs it");
}

void check_mapped_model(const Model& model) {
  require_little_endian("mapped model");
  if (model.kind != ModelKind::vector)
    throw InputError("kind", to_string(model.kind), "vector: a mapped model has one vector of weights");
  check_model(model);
  check_size("features", model.features());
  if (!model.proof.empty()) check_size("samples", model.samples);
}

void write_mapped_model(TextSink& sink, const Model& model) {
  const std::string head = head_text(model);
  MappedModelHeader header{
      .magic = {}, .version = kMappedModelVersion, .reserved = 0, .file_bytes = 0, .head_bytes = head.size()};
  std::copy(kMappedModelMagic.begin(), kMappedModelMagic.end(), header.magic.begin());
  const auto numbers = static_cast<std::uint64_t>(model.features() + (model.proof.empty() ? 0 : model.samples));
  header.file_bytes = after_head(header) + numbers * sizeof(double) + sizeof(std::uint64_t);
  ChecksumSink writer(&sink);
  write_one(writer, header);
  writer.write(head);
  writer.write(std::string(after_head(header) - sizeof(header) - head.size(), '\0'));
  write_numbers<double>(writer, model.weights.front().dense());
  if (!model.proof.empty()) write_numbers<double>(writer, model.proof.front().dense());
  write_one(sink, writer.value());
}

struct Format {
  void (*check)(const Model& model);
  void (*write)(TextSink& sink, const Model& model);  // one that has been checked
};
// In the order of ModelFormat.
constexpr std::array<Format, 3> kFormats = {{{check_model, write_model_text},
                                             {check_liblinear_model, write_liblinear_model},
                                             {check_mapped_model, write_mapped_model}}};

const Format& row_of(ModelFormat format) { return kFormats[static_cast<std::size_t>(format)]; }

}  // namespace

Model parse_model(std::string_view text, const std::string& name) {
  MemorySource source(text);
  if (begins_mapped_model(text)) return open_mapped_model(load_all(source, name), name).model();
  return read_text(source, name);
}

Model read_model(const std::string& path) {
  InputStream stream(path);
  // Read, not mapped: a model of its own is made of it.
  if (begins_mapped_model(stream.peek(kMappedModelMagic.size())))
    return open_mapped_model(load_all(stream, stream.name()), stream.name()).model();
  return read_text(stream, stream.name());
}

ModelFormat format_by_name(const std::string& path) {
  return path.ends_with(".pdbm") ? ModelFormat::mapped : ModelFormat::pdbfw;
}

void check_model(const Model& model, ModelFormat format) { row_of(format).check(model); }

void write_model_to(TextSink& sink, const Model& model, ModelFormat format) {
  check_model(model, format);
  row_of(format).write(sink, model);
}

void write_model_to(OutputFile& file, const Model& model, ModelFormat format) {
  try {
    check_model(model, format);
  } catch (const InputError& error) {
    throw InputError(fmt::format("cannot write '{}': {}", file.name(), error.what()));
  }
  row_of(format).write(file, model);
}

void write_model(const std::string& path, const Model& model, ModelFormat format) {
  write_whole_file(path, [&](OutputFile& file) { write_model_to(file, model, format); });
}

bool begins_mapped_model(std::string_view head) { return head.starts_with(kMappedModelMagic); }

MappedModel open_mapped_model(const LoadedFile& file, const std::string& name) {
  const auto header =
      checked_header<MappedModelHeader>(file.bytes, {kMappedModelMagic, kMappedModelVersion, "mapped model"}, name);
  const std::size_t end = file.bytes.size() - sizeof(std::uint64_t);
  if (header.head_bytes > end - sizeof(header))
    throw InputError(fmt::format("{}: too short for a head of {} bytes", name, header.head_bytes));
  const std::size_t begin = std::min(end, after_head(header));
  MappedModel mapped;
  mapped.head = read_head({reinterpret_cast<const char*>(file.bytes.data()) + sizeof(header), header.head_bytes}, name);
  const auto features = static_cast<std::uint64_t>(mapped.head.features());
  const auto samples = static_cast<std::uint64_t>(mapped.head.proof.empty() ? 0 : mapped.head.samples);
  const std::span numbers(reinterpret_cast<const double*>(file.bytes.data() + begin), (end - begin) / sizeof(double));
  if ((end - begin) % sizeof(double) != 0 || features > numbers.size() || samples != numbers.size() - features)
    throw InputError(fmt::format("{}: {} bytes behind its head are not {} weights and {} numbers of a proof", name,
                                 end - begin, features, samples));
  mapped.weights = numbers.first(features);
  mapped.proof = numbers.subspan(features);
  check_numbers("weights", mapped.weights, name);
  check_numbers("numbers of the proof", mapped.proof, name);
  mapped.storage = file.storage;
  return mapped;
}

bool is_mapped_model(const std::string& path) { return file_begins_with(path, kMappedModelMagic); }

MappedModel map_model(const std::string& path) {
  RawInput input(path);
  return open_mapped_model(input.load(), input.name());
}

Model MappedModel::model() const {
  Model copy = head;
  copy.weights = {SparseVector::of(weights)};
  if (!copy.proof.empty()) copy.proof = {SparseVector::of(proof)};
  return copy;
}

}  // namespace pdbfw
