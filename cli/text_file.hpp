// Text that the tool writes beside models and data sets.
#pragma once

#include <string>
#include <string_view>

namespace pdbfw::cli {

// To a temporary name, then renamed; "-" is standard output. Throws InputError when it cannot be written.
void write_text_file(const std::string& path, std::string_view text);

}  // namespace pdbfw::cli
