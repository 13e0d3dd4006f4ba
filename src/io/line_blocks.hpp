// Cuts a stream of bytes into blocks of whole lines.
#pragma once

#include <cstddef>
#include <string>

#include "io/byte_source.hpp"

namespace pdbfw {

class LineBlocks {
 public:
  // Blocks are about this long; a longer line makes a longer block.
  LineBlocks(ByteSource& source, std::size_t block_bytes) : source_(source), block_bytes_(block_bytes) {}

  // The next block. It ends with a newline, which is added after a last line that has none. False at the end.
  [[nodiscard]] bool next(std::string& block);

 private:
  void append_from_source(std::string& block);

  ByteSource& source_;
  std::size_t block_bytes_;
  std::string rest_;  // the beginning of the next block: a line that was cut
};

}  // namespace pdbfw
