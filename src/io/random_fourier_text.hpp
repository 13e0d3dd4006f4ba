// Maps of random Fourier features from any source and to any sink; those of pdbfw/features.hpp are these on
// files.
#pragma once

#include <string>
#include <string_view>

#include "io/byte_source.hpp"
#include "io/text_sink.hpp"
#include "pdbfw/features.hpp"

namespace pdbfw {

[[nodiscard]] RandomFourier read_random_fourier_from(ByteSource& source, const std::string& name);
[[nodiscard]] RandomFourier parse_random_fourier(std::string_view text, const std::string& name);

// Checks first, so a map that breaks a rule leaves no text.
void write_random_fourier_to(TextSink& sink, const RandomFourier& map);

}  // namespace pdbfw
