#include "io/cache/cache_format.hpp"

#include <algorithm>
#include <span>

#include "base/checksum.hpp"

namespace pdbfw {
namespace {

std::uint64_t aligned(std::uint64_t position) { return (position + kCacheAlignment - 1) & ~(kCacheAlignment - 1); }

}  // namespace

void lay_out(CacheHeader& header) {
  const auto rows = static_cast<std::uint64_t>(header.rows);
  const auto columns = static_cast<std::uint64_t>(header.columns);
  const auto entries = static_cast<std::uint64_t>(header.entries);
  const bool is_sparse = header.layout == CacheLayout::sparse;
  const std::array<std::uint64_t, kCacheSections> bytes = {
      is_sparse ? (rows + 1) * sizeof(Index) : 0,
      entries * header.row_index_bytes,
      entries * header.value_bytes,
      is_sparse ? (columns + 1) * sizeof(Index) : 0,
      entries * header.column_index_bytes,
      entries * header.value_bytes,
      rows * sizeof(double),
  };
  std::uint64_t position = kCacheHeaderBytes;
  for (std::size_t k = 0; k < kCacheSections; ++k) {
    header.sections[k] = {position, bytes[k]};
    position = aligned(position + bytes[k]);
  }
  header.file_bytes = position;
}

std::uint64_t header_checksum(const CacheHeader& header) {
  return checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(CacheHeader, header_checksum)));
}

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
