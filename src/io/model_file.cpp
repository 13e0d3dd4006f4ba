#include "io/model_file.hpp"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "io/decimal.hpp"
#include "io/input_stream.hpp"
#include "io/liblinear_model.hpp"
#include "io/low_rank_model_file.hpp"
#include "io/low_rank_model_text.hpp"
#include "io/native_model.hpp"
#include "io/text_lines.hpp"

namespace pdbfw {

AnyModel read_any_model_from(ByteSource& source, const std::string& name) {
  TextLines lines(source, name);
  if (!lines.next()) throw InputError(fmt::format("{}: the file is empty", name));
  const std::string_view magic = lines.word();
  if (magic == kNativeMagic) return read_native_model(lines);
  if (magic == kLowRankMagic) return read_low_rank_text(lines);
  if (magic == kLiblinearMagic) return read_liblinear_model(lines);
  lines.fail(magic, fmt::format("{} starts neither a pdbfw model ('{} 1', '{} 1') nor one of LIBLINEAR ('{} ...')",
                                quoted(magic), kNativeMagic, kLowRankMagic, kLiblinearMagic));
}

AnyModel parse_any_model(std::string_view text, const std::string& name) {
  MemorySource source(text);
  return read_any_model_from(source, name);
}

Model read_model_from(ByteSource& source, const std::string& name) {
  AnyModel model = read_any_model_from(source, name);
  if (std::holds_alternative<LowRankModel>(model))
    throw InputError(fmt::format("{}:1:1: a low-rank model, where one of weights is needed", name));
  return std::get<Model>(std::move(model));
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

void write_model_to(OutputFile& file, const LowRankModel& model) {
  try {
    check_low_rank_model(model);
  } catch (const InputError& error) {
    throw InputError(fmt::format("cannot write '{}': {}", file.name(), error.what()));
  }
  write_low_rank_text(file, model);
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

AnyModel read_any_model(const std::string& path) {
  InputStream stream(path);
  return read_any_model_from(stream, stream.name());
}

LowRankModel read_low_rank_model(const std::string& path) {
  InputStream stream(path);
  AnyModel model = read_any_model_from(stream, stream.name());
  if (std::holds_alternative<Model>(model))
    throw InputError(fmt::format("{}:1:1: a model of weights, where a low-rank one is needed", stream.name()));
  return std::get<LowRankModel>(std::move(model));
}

void write_low_rank_model(const std::string& path, const LowRankModel& model) {
  OutputFile file(path);
  write_model_to(file, model);
  file.commit();
}

}  // namespace pdbfw
