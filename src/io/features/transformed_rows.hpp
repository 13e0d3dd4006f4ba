// Rows of a data file, transformed one after the other, to LIBSVM's text.
#pragma once

#include <functional>

#include "io/bytes/byte_streams.hpp"
#include "io/row_blocks.hpp"

namespace pdbfw {

struct RowTransformation {
  std::function<MatrixPtr(const DataMatrix&)> apply;    // called by several threads at once
  std::function<Index(Index nonzeros)> entries_of_row;  // at most; decides how many rows are transformed at a time
};

struct TransformedRows {
  Index rows = 0;
  Index columns = 0;   // of what was read
  Index nonzeros = 0;  // of what was written
};

// The targets stay. Memory for some million new entries, or those of one row, beyond that of `rows`. Any number of
// threads gives the same text. What `apply` throws is passed on with the file and the rows in front.
[[nodiscard]] TransformedRows write_transformed(const RowBlocks& rows, const RowTransformation& transformation,
                                                int threads, TextSink& sink);

}  // namespace pdbfw
