// A map of random Fourier features in a file: for rows that come later. docs/features.md specifies the format.
#pragma once

#include <string>

#include "pdbfw/random_fourier.hpp"

namespace pdbfw {

// Every number so that it reads back exactly; to a temporary name, then renamed. "-" is standard output. Throws
// InputError for a map that cannot have been learnt.
void write_random_fourier(const std::string& path, const RandomFourier& map);

// Throws InputError "file:line:column: what is wrong"; memory grows with the file's length, never with a number it
// states. Compressed files are read too; "-" is standard input.
[[nodiscard]] RandomFourier read_random_fourier(const std::string& path);

}  // namespace pdbfw
