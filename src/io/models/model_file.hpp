// Models from memory and to any sink; read_model and write_model (pdbfw/model.hpp) are these on files.
#pragma once

#include <string>
#include <string_view>

#include "io/bytes/byte_streams.hpp"
#include "io/bytes/output_file.hpp"
#include "pdbfw/model.hpp"

namespace pdbfw {

// `name` is what messages call the text.
[[nodiscard]] Model parse_model(std::string_view text, const std::string& name);
// Checks first, so a model that breaks a rule leaves no text.
void write_model_to(TextSink& sink, const Model& model, ModelFormat format = ModelFormat::pdbfw);
// Leaves the commit to the caller; what is wrong with the model begins with the file's name.
void write_model_to(OutputFile& file, const Model& model, ModelFormat format = ModelFormat::pdbfw);

}  // namespace pdbfw
