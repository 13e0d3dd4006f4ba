#include "io/models/model_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/names.hpp"
#include "io/bytes/decimal.hpp"
#include "io/bytes/input_stream.hpp"
#include "io/models/mapped_model.hpp"
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

Model read_text(ByteSource& source, const std::string& name) {
  TextLines lines(source, name);
  if (!lines.next()) throw InputError(fmt::format("{}: the file is empty", name));
  const std::string_view magic = lines.word();
  if (magic == kModelMagic) return read_model_text(lines);
  if (magic == kLiblinearMagic) return read_liblinear_model(lines);
  lines.fail(magic, fmt::format("{} starts neither a model of pdbfw ('{} ...') nor one of LIBLINEAR ('{} ...')",
                                in_quotes(magic), kModelMagic, kLiblinearMagic));
}

}  // namespace

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
  check_model(model);
  sink.write(fmt::format("{} {}\nkind {}\n", kModelMagic, kVersion, to_string(model.kind)));
  for (const ModelKey& key : model_keys())
    if ((key.kinds & only(model.kind)) != 0) key.write(sink, key, model);
  sink.write("end\n");
}

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

void write_model_to(TextSink& sink, const Model& model, ModelFormat format) {
  switch (format) {
    case ModelFormat::pdbfw:
      return write_model_text(sink, model);
    case ModelFormat::liblinear:
      return write_liblinear_model(sink, model);
    case ModelFormat::mapped:
      return write_mapped_model(sink, model);
  }
}

void check_model(const Model& model, ModelFormat format) {
  switch (format) {
    case ModelFormat::pdbfw:
      return check_model(model);
    case ModelFormat::liblinear:
      return check_liblinear_model(model);
    case ModelFormat::mapped:
      return check_mapped_model(model);
  }
}

void write_model_to(OutputFile& file, const Model& model, ModelFormat format) {
  try {
    check_model(model, format);
  } catch (const InputError& error) {
    throw InputError(fmt::format("cannot write '{}': {}", file.name(), error.what()));
  }
  write_model_to(static_cast<TextSink&>(file), model, format);
}

void write_model(const std::string& path, const Model& model, ModelFormat format) {
  OutputFile file(path);
  write_model_to(file, model, format);
  file.commit();
}

}  // namespace pdbfw
