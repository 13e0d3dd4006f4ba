// Rows of a data file, mapped one after the other, to LIBSVM's text.
#pragma once

#include <functional>

#include "io/row_blocks.hpp"
#include "io/text_sink.hpp"

namespace pdbfw {

struct RowMapping {
  std::function<MatrixPtr(const DataMatrix&)> apply;    // called by several threads at once
  std::function<Index(Index nonzeros)> entries_of_row;  // at most; decides how many rows are mapped at a time
};

struct MappedRows {
  Index rows = 0;
  Index columns = 0;   // of what was read
  Index nonzeros = 0;  // of what was written
};

// The targets stay. Memory for some million new entries, or those of one row, beyond that of `rows`. Any number of
// threads gives the same text. What `apply` throws is passed on with the file and the rows in front.
[[nodiscard]] MappedRows write_mapped(const RowBlocks& rows, const RowMapping& mapping, int threads, TextSink& sink);

}  // namespace pdbfw
