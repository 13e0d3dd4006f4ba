// A data file in blocks of rows, so that what is made row by row needs no memory for all of them; and such rows,
// transformed one after the other, as LIBSVM's text.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "io/bytes/byte_streams.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {

struct RowBlock {
  const Dataset& data;    // as wide as its rows need
  std::string_view text;  // the lines that hold them, as they stand in the file; empty for other formats and pipes
};

class RowBlocks {
 public:
  using Visit = std::function<void(const RowBlock&)>;

  // What cannot be read twice (standard input, a pipe), other formats, and what options change (labels, classes) are
  // read here, by read_dataset, and kept as one block.
  RowBlocks(std::string path, const ReadOptions& options);

  // How messages call the file.
  [[nodiscard]] std::string name() const { return path_ == "-" ? "standard input" : path_; }

  // Calls visit for every block in order; all of them together are what read_dataset gives, and it throws what that
  // throws. Can be called again and gives the same rows. LIBSVM's text in a file, compressed or not, is read anew, one
  // block at a time.
  void for_each(const Visit& visit) const;

 private:
  std::string path_;
  ReadOptions options_;
  bool is_streamed_;
  std::optional<Dataset> kept_;
};

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
