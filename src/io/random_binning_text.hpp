// Maps of random binning from any source and to any sink; those of pdbfw/features.hpp are these on files.
#pragma once

#include <string>
#include <string_view>

#include "io/byte_source.hpp"
#include "io/text_sink.hpp"
#include "pdbfw/features.hpp"

namespace pdbfw {

[[nodiscard]] RandomBinning read_random_binning_from(ByteSource& source, const std::string& name);
[[nodiscard]] RandomBinning parse_random_binning(std::string_view text, const std::string& name);

// Checks first, so a map that breaks a rule leaves no text.
void write_random_binning_to(TextSink& sink, const RandomBinning& map);

}  // namespace pdbfw
