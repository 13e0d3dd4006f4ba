#include "io/line_blocks.hpp"

#include <span>
#include <utility>

namespace pdbfw {

bool LineBlocks::next(std::string& block) {
  block.swap(rest_);
  rest_.clear();
  for (;;) {
    const std::size_t old_size = block.size();
    block.resize(old_size + block_bytes_);
    const std::size_t got = source_.read(std::span(block).subspan(old_size));
    block.resize(old_size + got);
    if (got == 0) {
      if (!block.empty()) block += '\n';
      return !block.empty();
    }
    const std::size_t newline = block.rfind('\n');
    // Only the new part can hold one.
    if (newline == std::string::npos || newline < old_size) continue;
    rest_.assign(block, newline + 1);
    block.resize(newline + 1);
    return true;
  }
}

}  // namespace pdbfw
