// Which format a file is in.
#pragma once

#include <cstddef>
#include <string_view>

#include "pdbfw/data_file.hpp"

namespace pdbfw {

// So many of the first bytes decide.
inline constexpr std::size_t kFormatBytes = 16;

// How a cache file begins. As PNG has it: no text begins like this, and a changed line end or eighth bit shows.
inline constexpr std::string_view kCacheMagic = "\x89PDB\r\n\x1a\n";

// By the first bytes (unpacked), then by the name (.csv, .npy.gz ...), else LIBSVM's.
[[nodiscard]] DataFormat recognise_format(std::string_view head, std::string_view path);

}  // namespace pdbfw
