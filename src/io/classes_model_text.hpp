// The text of models of several classes; docs/model-file.md specifies it.
#pragma once

#include <string_view>

#include "io/output_file.hpp"
#include "io/text_lines.hpp"
#include "io/text_sink.hpp"
#include "pdbfw/classes_model.hpp"

namespace pdbfw {

inline constexpr std::string_view kClassesMagic = "pdbfw-classes";

// `lines` stands behind the first word of the first line.
[[nodiscard]] ClassesModel read_classes_text(TextLines& lines);

// Throws InputError for a model that could not be read back.
void check_classes_model(const ClassesModel& model);

// Checks first, so a model that breaks a rule leaves no text.
void write_classes_text(TextSink& sink, const ClassesModel& model);

// Leaves the commit to the caller; what is wrong with the model begins with the file's name.
void write_model_to(OutputFile& file, const ClassesModel& model);

}  // namespace pdbfw
