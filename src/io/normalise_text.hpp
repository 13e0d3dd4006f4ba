// Normalisations from any source and to any sink; those of pdbfw/features.hpp are these on files.
#pragma once

#include <string>
#include <string_view>

#include "io/byte_source.hpp"
#include "io/text_sink.hpp"
#include "pdbfw/features.hpp"

namespace pdbfw {

[[nodiscard]] Normalisation read_normalisation_from(ByteSource& source, const std::string& name);
[[nodiscard]] Normalisation parse_normalisation(std::string_view text, const std::string& name);

// Checks first, so a map that breaks a rule leaves no text.
void write_normalisation_to(TextSink& sink, const Normalisation& map);

}  // namespace pdbfw
