// pdbfw's own model files; docs/model-file.md specifies them.
#pragma once

#include <string_view>

#include "io/text_lines.hpp"
#include "io/text_sink.hpp"
#include "pdbfw/model.hpp"

namespace pdbfw {

inline constexpr std::string_view kNativeMagic = "pdbfw-model";

// `lines` stands behind the first word of the first line.
[[nodiscard]] Model read_native_model(TextLines& lines);

// Throws InputError for a model that could not be read back.
void check_native_model(const Model& model);

// Checks first, so a model that breaks a rule leaves no text.
void write_native_model(TextSink& sink, const Model& model);

}  // namespace pdbfw
