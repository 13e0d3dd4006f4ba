// Cache files, whole or in blocks, opened and written.
#pragma once

#include <string>
#include <string_view>

#include "io/bytes/byte_streams.hpp"
#include "io/bytes/raw_input.hpp"
#include "pdbfw/data_file.hpp"
#include "pdbfw/dataset.hpp"

namespace pdbfw {

// Cache files; read_dataset (pdbfw/data_file.hpp) is this on a file that begins like one.

[[nodiscard]] Dataset read_cache(RawInput& input, const ReadOptions& options);

// The data set lies in the file's memory and keeps it. `name` is what messages call the file.
[[nodiscard]] Dataset open_cache(const LoadedFile& file, const std::string& name, const ReadOptions& options);

// Cache files to any sink; write_cache (pdbfw/data_file.hpp) is this on a file.

// `name` is what messages call the sink.
void write_cache_to(TextSink& sink, const std::string& name, const Dataset& data);

}  // namespace pdbfw
