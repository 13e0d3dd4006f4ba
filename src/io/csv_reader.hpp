// Comma-separated values: a row a record, one column of it the label, all of them numbers (docs/data-formats.md).
#pragma once

#include <string>

#include "io/byte_source.hpp"
#include "io/targets.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {

// With given targets every column is a feature.
[[nodiscard]] Dataset read_csv(ByteSource& source, const std::string& name, const ReadOptions& options,
                               GivenTargets targets);

}  // namespace pdbfw
