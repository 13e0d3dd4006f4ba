// What random binning has learnt, in a file: for rows that come later. docs/random-binning.md specifies the format.
#pragma once

#include <string>

#include "pdbfw/random_binning.hpp"

namespace pdbfw {

// Every number so that it reads back exactly; to a temporary name, then renamed. "-" is standard output. Throws
// InputError for a map that learn_random_binning cannot have made.
void write_random_binning(const std::string& path, const RandomBinning& map);

// Throws InputError "file:line:column: what is wrong"; memory grows with the file's length, never with a number it
// states. Compressed files are read too; "-" is standard input.
[[nodiscard]] RandomBinning read_random_binning(const std::string& path);

}  // namespace pdbfw
