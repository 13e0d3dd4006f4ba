// Matrix Market's text format: coordinate (sparse) or array (dense), real, integer or pattern, general or symmetric.
#pragma once

#include <string>

#include "io/byte_source.hpp"
#include "io/targets.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {

[[nodiscard]] Dataset read_matrix_market(ByteSource& source, const std::string& name, const ReadOptions& options,
                                         GivenTargets targets);

}  // namespace pdbfw
