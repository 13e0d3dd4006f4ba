#include "io/model_file.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <variant>

#include "io/classes_model_text.hpp"
#include "io/decimal.hpp"
#include "io/input_stream.hpp"
#include "io/liblinear_model.hpp"
#include "io/low_rank_model_file.hpp"
#include "io/low_rank_model_text.hpp"
#include "io/mapped_model_file.hpp"
#include "io/native_model.hpp"
#include "io/text_lines.hpp"

namespace pdbfw {
namespace {

// The one kind that is wanted.
template <class Kind>
Kind only(AnyModel model, const std::string& name) {
  constexpr std::array<std::string_view, 3> kKinds = {"a model of weights", "a low-rank model",
                                                      "a model of several classes"};  // as in AnyModel
  const std::size_t found = model.index(), wanted = AnyModel(Kind{}).index();
  if (found != wanted)
    throw InputError(fmt::format("{}:1:1: {}, where {} is needed", name, kKinds[found], kKinds[wanted]));
  return std::get<Kind>(std::move(model));
}

// What a message calls the file.
std::string name_of(const std::string& path) { return path == "-" ? "standard input" : path; }

}  // namespace

AnyModel read_any_model_from(ByteSource& source, const std::string& name) {
  TextLines lines(source, name);
  if (!lines.next()) throw InputError(fmt::format("{}: the file is empty", name));
  const std::string_view magic = lines.word();
  if (magic == kNativeMagic) return read_native_model(lines);
  if (magic == kLowRankMagic) return read_low_rank_text(lines);
  if (magic == kClassesMagic) return read_classes_text(lines);
  if (magic == kLiblinearMagic) return read_liblinear_model(lines);
  lines.fail(magic,
             fmt::format("{} starts neither a pdbfw model ('{} 1', '{} 1', '{} 1') nor one of LIBLINEAR ('{} ...')",
                         in_quotes(magic), kNativeMagic, kLowRankMagic, kClassesMagic, kLiblinearMagic));
}

AnyModel parse_any_model(std::string_view text, const std::string& name) {
  MemorySource source(text);
  if (begins_mapped_model(text)) return to_model(open_mapped_model(load_all(source, name), name));
  return read_any_model_from(source, name);
}

Model parse_model(std::string_view text, const std::string& name) {
  return only<Model>(parse_any_model(text, name), name);
}

ModelFormat format_by_name(const std::string& path) {
  return path.ends_with(".pdbm") ? ModelFormat::mapped : ModelFormat::pdbfw;
}

void write_model_to(TextSink& sink, const Model& model, ModelFormat format) {
  switch (format) {
    case ModelFormat::pdbfw:
      return write_native_model(sink, model);
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

void write_model_to(OutputFile& file, const ClassesModel& model) {
  try {
    check_classes_model(model);
  } catch (const InputError& error) {
    throw InputError(fmt::format("cannot write '{}': {}", file.name(), error.what()));
  }
  write_classes_text(file, model);
}

Model read_model(const std::string& path) { return only<Model>(read_any_model(path), name_of(path)); }

void write_model(const std::string& path, const Model& model, ModelFormat format) {
  OutputFile file(path);
  write_model_to(file, model, format);
  file.commit();
}

AnyModel read_any_model(const std::string& path) {
  InputStream stream(path);
  // Read, not mapped: a model of its own is made of it.
  if (begins_mapped_model(stream.peek(kMappedModelMagic.size())))
    return to_model(open_mapped_model(load_all(stream, stream.name()), stream.name()));
  return read_any_model_from(stream, stream.name());
}

LowRankModel read_low_rank_model(const std::string& path) {
  return only<LowRankModel>(read_any_model(path), name_of(path));
}

void write_low_rank_model(const std::string& path, const LowRankModel& model) {
  OutputFile file(path);
  write_model_to(file, model);
  file.commit();
}

ClassesModel read_classes_model(const std::string& path) {
  return only<ClassesModel>(read_any_model(path), name_of(path));
}

void write_classes_model(const std::string& path, const ClassesModel& model) {
  OutputFile file(path);
  write_model_to(file, model);
  file.commit();
}

}  // namespace pdbfw
