// What a normalisation has learnt, in a file: for rows that come later. docs/features.md specifies the format.
#pragma once

#include <string>

#include "pdbfw/normalise.hpp"

namespace pdbfw {

// Every number so that it reads back exactly; to a temporary name, then renamed. "-" is standard output. Throws
// InputError for a map that cannot have been learnt.
void write_normalisation(const std::string& path, const Normalisation& map);

// Throws InputError "file:line:column: what is wrong"; memory grows with the file's length, never with a number it
// states. Compressed files are read too; "-" is standard input.
[[nodiscard]] Normalisation read_normalisation(const std::string& path);

}  // namespace pdbfw
