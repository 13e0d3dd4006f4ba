#include "io/models/model_file.hpp"

#include <fmt/format.h>

#include "io/bytes/decimal.hpp"
#include "io/bytes/input_stream.hpp"
#include "io/bytes/text_lines.hpp"
#include "io/models/liblinear_model.hpp"
#include "io/models/mapped_model.hpp"
#include "io/models/model_text.hpp"

namespace pdbfw {
namespace {

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

Model parse_model(std::string_view text, const std::string& name) {
  MemorySource source(text);
  if (begins_mapped_model(text)) return to_model(open_mapped_model(load_all(source, name), name));
  return read_text(source, name);
}

Model read_model(const std::string& path) {
  InputStream stream(path);
  // Read, not mapped: a model of its own is made of it.
  if (begins_mapped_model(stream.peek(kMappedModelMagic.size())))
    return to_model(open_mapped_model(load_all(stream, stream.name()), stream.name()));
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

void write_model_to(OutputFile& file, const Model& model, ModelFormat format) {
  try {
    if (format == ModelFormat::liblinear)
      check_liblinear_model(model);
    else if (format == ModelFormat::mapped)
      check_mapped_model(model);
    else
      check_model(model);
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
