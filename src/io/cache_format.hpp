// How a cache file is laid out; docs/cache-file.md has it byte by byte.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "pdbfw/errors.hpp"

namespace pdbfw {

// As PNG has it: no text begins like this, and whoever changes line ends or the eighth bit on the way shows.
inline constexpr std::string_view kCacheMagic = "\x89PDB\r\n\x1a\n";
inline constexpr std::uint32_t kCacheVersion = 1;
inline constexpr std::uint64_t kCacheAlignment = 64;

// In this order in the file.
enum class CacheSection {
  row_offsets,
  row_indices,
  row_values,
  column_offsets,
  column_indices,
  column_values,
  targets
};
inline constexpr std::size_t kCacheSections = 7;

enum class CacheLayout : std::uint8_t { sparse = 0, dense = 1 };

// The first bytes of the file, as they are: all members are little-endian and lie at their natural places.
struct CacheHeader {
  struct Section {
    std::uint64_t begin;  // in the file
    std::uint64_t bytes;
    bool operator==(const Section&) const = default;
  };
  using Sections = std::array<Section, kCacheSections>;

  std::array<char, kCacheMagic.size()> magic;
  std::uint32_t version;
  std::uint32_t header_bytes;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t entries;
  std::uint64_t file_bytes;
  CacheLayout layout;
  std::uint8_t value_bytes;         // 4: float32, 8: float64
  std::uint8_t row_index_bytes;     // of the column numbers in the rows: 4 or 8; 0 when dense
  std::uint8_t column_index_bytes;  // of the row numbers in the columns
  std::uint32_t reserved;           // 0
  std::uint64_t payload_checksum;   // chunked_checksum() of all that follows the header
  Sections sections;
  std::uint64_t reserved_too;     // 0
  std::uint64_t header_checksum;  // checksum() of all above
};
inline constexpr std::size_t kCacheHeaderBytes = 192;
static_assert(sizeof(CacheHeader) == kCacheHeaderBytes);
static_assert(offsetof(CacheHeader, sections) == 64);
static_assert(offsetof(CacheHeader, header_checksum) == kCacheHeaderBytes - sizeof(std::uint64_t));

// Fills in what follows from rows, columns, entries, layout and widths: the sections and the length of the file. The
// three counts must be at most kMostCacheCount, which keeps all sums far from 2^64.
void lay_out(CacheHeader& header);
inline constexpr Index kMostCacheCount = Index{1} << 48U;

[[nodiscard]] std::uint64_t header_checksum(const CacheHeader& header);

// Throws InputError unless the numbers in memory have the byte order of the file.
void require_little_endian(const std::string& name, std::endian machine = std::endian::native);

}  // namespace pdbfw
