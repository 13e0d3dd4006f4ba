// pdbfw's own model files as text; docs/model-file.md specifies them.
#pragma once

#include <array>
#include <string_view>

#include "io/bytes/byte_streams.hpp"
#include "io/bytes/text_lines.hpp"
#include "pdbfw/model.hpp"

namespace pdbfw {

inline constexpr std::string_view kModelMagic = "pdbfw-model";

// Of ModelKind, in its order.
inline constexpr std::array<std::string_view, 4> kModelKinds{"vector", "one_vs_rest", "joint", "matrix"};

// Losses, sets and maps are named with small letters, digits and _.
[[nodiscard]] bool is_model_name(std::string_view name);

// How many certificates a model of this kind has, if any.
[[nodiscard]] Index certificates_of(ModelKind kind, Index outputs);

// `lines` stands behind the first word of the first line.
[[nodiscard]] Model read_model_text(TextLines& lines);

// Throws InputError for a model that could not be read back.
void check_model(const Model& model);

// Checks first, so a model that breaks a rule leaves no text.
void write_model_text(TextSink& sink, const Model& model);

}  // namespace pdbfw
