// Matrix Market's text format: coordinate (sparse) or array (dense), real, integer or pattern, general or symmetric.
#pragma once

#include <string>
#include <string_view>

#include "io/byte_source.hpp"
#include "io/targets.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {

// By the first bytes of a file.
[[nodiscard]] bool is_matrix_market(std::string_view head);

[[nodiscard]] Dataset read_matrix_market(ByteSource& source, const std::string& name, const ReadOptions& options,
                                         GivenTargets targets);

}  // namespace pdbfw
