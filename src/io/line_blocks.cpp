#include "io/line_blocks.hpp"

#include <fmt/format.h>

#include <span>
#include <string_view>

#include "pdbfw/errors.hpp"

namespace pdbfw {

bool LineBlocks::next(std::string& block) {
  block.swap(rest_);
  rest_.clear();
  for (;;) {
    const std::size_t old_size = block.size();
    append_from_source(block);
    if (block.size() == old_size) {
      if (!block.empty()) block += '\n';
      return !block.empty();
    }
    const std::size_t newline = std::string_view(block).substr(old_size).rfind('\n');
    if (newline == std::string_view::npos) {
      if (block.size() <= most_line_bytes_) continue;
      throw InputError(fmt::format("{}: a line of more than {} bytes", name_, most_line_bytes_));
    }
    rest_.assign(block, old_size + newline + 1);
    block.resize(old_size + newline + 1);
    return true;
  }
}

// A source may give less than it is asked for; small blocks would cost more than they hold.
void LineBlocks::append_from_source(std::string& block) {
  std::size_t filled = block.size();
  block.resize(filled + block_bytes_);
  while (filled < block.size()) {
    const std::size_t got = source_.read(std::span(block).subspan(filled));
    if (got == 0) break;
    filled += got;
  }
  block.resize(filled);
}

}  // namespace pdbfw
