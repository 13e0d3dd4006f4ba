// Ratings from any source; read_ratings and read_pairs (pdbfw/data_file.hpp) are these on files.
#pragma once

#include <string>

#include "io/byte_source.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {

// `options.format` is csv for any text with separators, or matrix_market; `name` is what messages call the source.
[[nodiscard]] Ratings read_ratings_from(ByteSource& source, const std::string& name, const RatingsOptions& options);
[[nodiscard]] Pairs read_pairs_from(ByteSource& source, const std::string& name, const Ids& rows, const Ids& columns,
                                    const RatingsOptions& options);

}  // namespace pdbfw
