// Models from memory and to any sink; read_model and write_model (pdbfw/model.hpp) are these on files. And the texts
// that they consist of: pdbfw's own, which docs/model-file.md specifies, and LIBLINEAR's.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "io/bytes/byte_streams.hpp"
#include "io/bytes/output_file.hpp"
#include "io/bytes/text_lines.hpp"
#include "pdbfw/model.hpp"

namespace pdbfw {

// `name` is what messages call the text.
[[nodiscard]] Model parse_model(std::string_view text, const std::string& name);
// Checks first, so a model that breaks a rule leaves no text.
void write_model_to(TextSink& sink, const Model& model, ModelFormat format = ModelFormat::pdbfw);
// Leaves the commit to the caller; what is wrong with the model begins with the file's name.
void write_model_to(OutputFile& file, const Model& model, ModelFormat format = ModelFormat::pdbfw);

inline constexpr std::string_view kModelMagic = "pdbfw-model";
inline constexpr std::string_view kLiblinearMagic = "solver_type";

// The names of ModelKind, in its order.
inline constexpr std::array<std::string_view, 4> kModelKinds{"vector", "one_vs_rest", "joint", "matrix"};

// Losses, sets and maps are named with small letters, digits and _.
[[nodiscard]] bool is_model_name(std::string_view name);

// How many certificates a model of this kind has, if any.
[[nodiscard]] Index certificates_of(ModelKind kind, Index outputs);

// `lines` stands behind the first word of the first line.
[[nodiscard]] Model read_model_text(TextLines& lines);
[[nodiscard]] Model read_liblinear_model(TextLines& lines);

// Throw InputError for a model that could not be read back; LIBLINEAR's files hold the kind vector alone, with its
// losses and whole numbers as classes.
void check_model(const Model& model);
void check_liblinear_model(const Model& model);
void check_model(const Model& model, ModelFormat format);

// Check first, so a model that breaks a rule leaves no text.
void write_model_text(TextSink& sink, const Model& model);
void write_liblinear_model(TextSink& sink, const Model& model);

// What a file of this name is to hold unless the caller says otherwise: mapped if it ends in .pdbm, else pdbfw.
[[nodiscard]] ModelFormat format_by_name(const std::string& path);

// Whether a file is a mapped model, by its first bytes; false for what cannot be opened, and for pipes and "-", which
// can be read only once.
[[nodiscard]] bool is_mapped_model(const std::string& path);

}  // namespace pdbfw
