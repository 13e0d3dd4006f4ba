// Cuts a stream of bytes into blocks of whole lines.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "io/byte_source.hpp"

namespace pdbfw {

class LineBlocks {
 public:
  static constexpr std::size_t kMostLineBytes = std::size_t{1} << 30U;  // a file without line ends is no text

  // Blocks are about this long; a longer line makes a longer block. `name` is for messages.
  LineBlocks(ByteSource& source, std::string name, std::size_t block_bytes,
             std::size_t most_line_bytes = kMostLineBytes)
      : source_(source), name_(std::move(name)), block_bytes_(block_bytes), most_line_bytes_(most_line_bytes) {}

  // The next block. It ends with a newline, which is added after a last line that has none. False at the end. Throws
  // InputError for a line that is too long.
  [[nodiscard]] bool next(std::string& block);

 private:
  void append_from_source(std::string& block);

  ByteSource& source_;
  std::string name_;
  std::size_t block_bytes_;
  std::size_t most_line_bytes_;
  std::string rest_;  // the beginning of the next block: a line that was cut
};

}  // namespace pdbfw
