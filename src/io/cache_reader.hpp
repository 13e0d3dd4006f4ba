// Cache files; read_dataset (pdbfw/data_file.hpp) is this on a file that begins like one.
#pragma once

#include <string>
#include <string_view>

#include "io/loaded_file.hpp"
#include "io/raw_input.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {

// By the first bytes of a file.
[[nodiscard]] bool is_cache(std::string_view head);

[[nodiscard]] Dataset read_cache(RawInput& input, const ReadOptions& options);

// The data set lies in the file's memory and keeps it. `name` is what messages call the file.
[[nodiscard]] Dataset open_cache(const LoadedFile& file, const std::string& name, const ReadOptions& options);

}  // namespace pdbfw
