// How cache files are laid out: whole (version 1) and in blocks of rows (version 2); docs/cache-file.md has it byte by
// byte.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/checksum.hpp"
#include "io/bytes/byte_streams.hpp"
#include "io/bytes/input.hpp"
#include "io/data/read_options.hpp"
#include "pdbfw/data_file.hpp"
#include "pdbfw/dataset.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {

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
  };

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
  std::array<Section, kCacheSections> sections;
  std::uint64_t reserved_too;  // 0
  std::uint64_t checksum;      // checksum() of all above
};
inline constexpr std::size_t kCacheHeaderBytes = 192;
static_assert(sizeof(CacheHeader) == kCacheHeaderBytes);
static_assert(offsetof(CacheHeader, sections) == 64);
static_assert(offsetof(CacheHeader, checksum) == kCacheHeaderBytes - sizeof(std::uint64_t));

// Fills in what follows from rows, columns, entries, layout and widths: the sections and the length of the file. The
// three counts must be at most kMostCacheCount, which keeps all sums far from 2^64.
void lay_out(CacheHeader& header);
inline constexpr Index kMostCacheCount = Index{1} << 48U;

// Whether values or indices can be this wide.
[[nodiscard]] bool is_width(int bytes);

// Lines that lie in memory as in a cache file.
struct StoredLines {
  CacheLayout layout;
  int value_bytes, index_bytes;
  Index count, length, entries;
  const std::byte *offsets, *indices, *values;  // of dense ones the values alone
};
[[nodiscard]] Lines lines_at(const StoredLines& stored);

// The checksum() of all that stands before the checksum of a header or a trailer.
template <class Head>
[[nodiscard]] std::uint64_t checksum_of(const Head& head) {
  return checksum(std::as_bytes(std::span(&head, 1)).first(offsetof(Head, checksum)));
}

// In blocks of rows (version 2). Such a file can be written from front to back without knowing what is to come, so all
// that is known only in the end stands there.

inline constexpr std::uint32_t kBlockedVersion = 2;
inline constexpr std::string_view kBlockedEnd = "PDBEND\r\n";

// The first bytes of the file.
struct BlockedHeader {
  std::array<char, kCacheMagic.size()> magic;
  std::uint32_t version;
  std::uint32_t header_bytes;
  std::array<std::uint64_t, 5> reserved;  // 0
  std::uint64_t checksum;                 // of all above
};
inline constexpr std::size_t kBlockedHeaderBytes = 64;
static_assert(sizeof(BlockedHeader) == kBlockedHeaderBytes);

// A block: row offsets (from 0), indices, values and targets, each from a multiple of 64 on. Dense blocks have values
// and targets only.
struct BlockEntry {
  std::uint64_t begin;  // in the file
  std::int64_t first_row;
  std::int64_t rows;
  std::int64_t entries;
  std::int64_t columns;  // all indices are smaller; dense: the length of a row
  CacheLayout layout;
  std::uint8_t value_bytes;              // 4: float32, 8: float64
  std::uint8_t index_bytes;              // 4 or 8; 0 when dense
  std::array<std::uint8_t, 5> reserved;  // 0
  std::uint64_t matrix_checksum;         // of all but the targets
  std::uint64_t target_checksum;
};
inline constexpr std::size_t kBlockEntryBytes = 64;
static_assert(sizeof(BlockEntry) == kBlockEntryBytes);

// The last bytes of the file, behind the directory, which has an entry for each block.
struct BlockedTrailer {
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t entries;
  std::int64_t blocks;
  std::uint64_t directory_begin;
  std::uint64_t directory_checksum;
  std::uint64_t file_bytes;
  std::array<std::uint64_t, 7> reserved;  // 0
  std::uint64_t checksum;                 // of all above
  std::array<char, kBlockedEnd.size()> end;
};
inline constexpr std::size_t kBlockedTrailerBytes = 128;
static_assert(sizeof(BlockedTrailer) == kBlockedTrailerBytes);

// Where the parts of a block begin, counted from its own first byte.
struct BlockParts {
  std::uint64_t indices;
  std::uint64_t values;
  std::uint64_t targets;
  std::uint64_t end;
};
// The counts must be at most kMostCacheCount.
[[nodiscard]] BlockParts parts_of(const BlockEntry& block);

[[nodiscard]] BlockedHeader blocked_header();

// What read_dataset (pdbfw/data_file.hpp) does with a file that begins like a cache file. The data set lies in the
// file's memory and keeps it. `name` is what messages call the file.
[[nodiscard]] Dataset open_cache(const LoadedFile& file, const std::string& name, const ReadOptions& options);

// What write_cache (pdbfw/data_file.hpp) does with a file. `name` is what messages call the sink.
void write_cache_to(TextSink& sink, const std::string& name, const Dataset& data);

}  // namespace pdbfw
