#include "io/model_file.hpp"

#include <fmt/format.h>

#include "io/decimal.hpp"
#include "io/input_stream.hpp"
#include "io/liblinear_model.hpp"
#include "io/native_model.hpp"
#include "io/text_lines.hpp"

namespace pdbfw {

Model read_model_from(ByteSource& source, const std::string& name) {
  TextLines lines(source, name);
  if (!lines.next()) throw InputError(fmt::format("{}: the file is empty", name));
  const std::string_view magic = lines.word();
  if (magic == kNativeMagic) return read_native_model(lines);
  if (magic == kLiblinearMagic) return read_liblinear_model(lines);
  lines.fail(magic, fmt::format("{} starts neither a pdbfw model ('{} 1') nor one of LIBLINEAR ('{} ...')",
                                quoted(magic), kNativeMagic, kLiblinearMagic));
}

Model parse_model(std::string_view text, const std::string& name) {
  MemorySource source(text);
  return read_model_from(source, name);
}

void write_model_to(TextSink& sink, const Model& model, ModelFormat format) {
  if (format == ModelFormat::liblinear)
    write_liblinear_model(sink, model);
  else
    write_native_model(sink, model);
}

void write_model_to(OutputFile& file, const Model& model, ModelFormat format) {
  try {
    if (format == ModelFormat::liblinear)
      check_liblinear_model(model);
    else
      check_native_model(model);
  } catch (const InputError& error) {
    throw InputError(fmt::format("cannot write '{}': {}", file.name(), error.what()));
  }
  write_model_to(static_cast<TextSink&>(file), model, format);
}

Model read_model(const std::string& path) {
  InputStream stream(path);
  return read_model_from(stream, stream.name());
}

void write_model(const std::string& path, const Model& model, ModelFormat format) {
  OutputFile file(path);
  write_model_to(file, model, format);
  file.commit();
}

}  // namespace pdbfw
