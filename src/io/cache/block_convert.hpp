// Data files to a cache file in blocks, in a given amount of memory; write_blocks (pdbfw/data_file.hpp) is this on a
// file.
#pragma once

#include <string>
#include <vector>

#include "io/bytes/byte_streams.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {

// The files that a name stands for: itself where there is such a file or it is no pattern; else those that match it
// (* ? [abc]), in the order of their names. Throws InputError when none does.
[[nodiscard]] std::vector<std::string> matching_files(const std::string& pattern);

// `name` is what messages call the sink.
void write_blocks_to(TextSink& sink, const std::string& name, const std::vector<std::string>& files,
                     const ReadOptions& options, Index memory);
void write_blocks_to(TextSink& sink, const std::string& name, const Dataset& data);

}  // namespace pdbfw
