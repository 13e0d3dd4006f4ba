#include "io/block_format.hpp"

#include <algorithm>
#include <span>

#include "base/checksum.hpp"

namespace pdbfw {
namespace {

std::uint64_t aligned(std::uint64_t position) { return (position + kCacheAlignment - 1) & ~(kCacheAlignment - 1); }

}  // namespace

BlockParts parts_of(const BlockEntry& block) {
  const auto rows = static_cast<std::uint64_t>(block.rows);
  const auto entries = static_cast<std::uint64_t>(block.entries);
  BlockParts parts{};
  parts.indices = block.layout == CacheLayout::sparse ? aligned((rows + 1) * sizeof(Index)) : 0;
  parts.values = aligned(parts.indices + entries * block.index_bytes);
  parts.targets = aligned(parts.values + entries * block.value_bytes);
  parts.end = aligned(parts.targets + rows * sizeof(double));
  return parts;
}

BlockedHeader blocked_header() {
  BlockedHeader header{};
  std::copy(kCacheMagic.begin(), kCacheMagic.end(), header.magic.begin());
  header.version = kBlockedVersion;
  header.header_bytes = kBlockedHeaderBytes;
  header.checksum = checksum_of(header);
  return header;
}

std::uint64_t checksum_of(const BlockedHeader& header) {
  return checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(BlockedHeader, checksum)));
}

std::uint64_t checksum_of(const BlockedTrailer& trailer) {
  return checksum(std::as_bytes(std::span(&trailer, 1)).first(offsetof(BlockedTrailer, checksum)));
}

}  // namespace pdbfw
