// Cache files to any sink; write_cache (pdbfw/data_file.hpp) is this on a file.
#pragma once

#include <string>

#include "io/text_sink.hpp"
#include "pdbfw/dataset.hpp"

namespace pdbfw {

// `name` is what messages call the sink.
void write_cache_to(TextSink& sink, const std::string& name, const Dataset& data);

}  // namespace pdbfw
