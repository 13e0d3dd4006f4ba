#include "io/cache_format.hpp"

#include <fmt/format.h>

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

void require_little_endian(const std::string& name, std::endian machine) {
  if (machine != std::endian::little)
    throw InputError(fmt::format("{}: cache files need a little-endian machine, and this one is not", name));
}

}  // namespace pdbfw
