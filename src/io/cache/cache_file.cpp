#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <variant>

#include "base/checksum.hpp"
#include "io/bytes/checked_file.hpp"
#include "io/bytes/output_file.hpp"
#include "io/bytes/text.hpp"
#include "io/cache/block_file.hpp"
#include "io/cache/cache_format.hpp"
#include "io/data/read_options.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {
namespace {

std::uint64_t aligned(std::uint64_t position) { return (position + kCacheAlignment - 1) & ~(kCacheAlignment - 1); }

template <class T>
std::span<const T> numbers(const std::byte* begin, Index count) {
  return {reinterpret_cast<const T*>(begin), static_cast<std::size_t>(count)};
}

template <class Value, class Entry>
Lines sparse_at(const StoredLines& s) {
  return SparseLines<Value, Entry>{s.count, s.length, numbers<Index>(s.offsets, s.count + 1),
                                   numbers<Entry>(s.indices, s.entries), numbers<Value>(s.values, s.entries)};
}

template <class Value>
Lines typed_lines_at(const StoredLines& s) {
  if (s.layout == CacheLayout::dense) return DenseLines<Value>{s.count, s.length, numbers<Value>(s.values, s.entries)};
  return s.index_bytes == sizeof(std::int32_t) ? sparse_at<Value, std::int32_t>(s) : sparse_at<Value, std::int64_t>(s);
}

void check_version(const CacheHeader& header, const std::string& name) {
  if (header.version > kBlockedVersion)
    fail(name, fmt::format(
                   "written by a newer pdbfw: this is version {} of the cache format, and versions up to {} are known",
                   header.version, kBlockedVersion));
  if (header.version != kCacheVersion)
    fail(name, fmt::format("version {} of the cache format does not exist", header.version));
}

void check_kinds(const CacheHeader& header, const std::string& name) {
  const bool is_dense = header.layout == CacheLayout::dense;
  const bool has_indices = is_width(header.row_index_bytes) && is_width(header.column_index_bytes);
  const bool has_no_indices = header.row_index_bytes == 0 && header.column_index_bytes == 0;
  if ((!is_dense && header.layout != CacheLayout::sparse) || !is_width(header.value_bytes) ||
      !(is_dense ? has_no_indices : has_indices))
    fail(name,
         fmt::format("the header names no storage that there is (layout {}, values of {} bytes, indices of {} and {})",
                     static_cast<int>(header.layout), header.value_bytes, header.row_index_bytes,
                     header.column_index_bytes));
}

void check_counts(const CacheHeader& header, const std::string& name) {
  for (const Index count : {header.rows, header.columns, header.entries})
    if (count < 0 || count > kMostCacheCount)
      fail(name, fmt::format("the header says {} rows, {} features and {} entries; each must be in 0 .. 2^48",
                             header.rows, header.columns, header.entries));
  require_usable(header.rows, header.columns, name);
}

void check_sections(const CacheHeader& header, const std::string& name) {
  CacheHeader expected = header;
  expected.header_bytes = kCacheHeaderBytes;
  expected.reserved = 0;
  expected.reserved_too = 0;
  lay_out(expected);
  if (std::memcmp(&expected, &header, sizeof(header)) != 0)
    fail(name, fmt::format("the sections in the header do not fit {} rows, {} features and {} entries", header.rows,
                           header.columns, header.entries));
}

// The header, once all of it has been found true that can be judged without the rest.
CacheHeader checked_header(std::span<const std::byte> head, const std::string& name) {
  require_little_endian(name);
  if (head.size() < kCacheHeaderBytes)
    fail(name, fmt::format("{} bytes are too few for the header of a cache file (truncated file?)", head.size()));
  CacheHeader header{};
  std::memcpy(&header, head.data(), sizeof(header));
  if (std::string_view(header.magic.data(), header.magic.size()) != kCacheMagic) fail(name, "not a cache file");
  check_version(header, name);
  if (header.checksum != checksum_of(header)) fail(name, "the header is damaged (its checksum does not match)");
  check_kinds(header, name);
  check_counts(header, name);
  check_sections(header, name);
  return header;
}

void check_length(const CacheHeader& header, std::size_t bytes, const std::string& name) {
  if (bytes < header.file_bytes)
    fail(name, fmt::format("{} bytes, but {} by its header (truncated file?)", bytes, header.file_bytes));
  if (bytes > header.file_bytes) fail(name, fmt::format("longer than the {} bytes by its header", header.file_bytes));
}

template <class T = std::byte>
const T* section(const CacheHeader& header, const LoadedFile& file, CacheSection which) {
  return reinterpret_cast<const T*>(file.bytes.data() + header.sections[static_cast<std::size_t>(which)].begin);
}

// Section after section, each padded with zeros to the alignment.
void write_payload(TextSink& sink, const Dataset& data) {
  const auto add = [&](const auto& numbers) {
    write_numbers(sink, numbers);
    sink.write(std::string((kCacheAlignment - numbers.size_bytes() % kCacheAlignment) % kCacheAlignment, '\0'));
  };
  const auto add_lines = [&](const auto& lines) {
    if constexpr (requires { lines.offsets; }) {
      add(lines.offsets);
      add(lines.at);
    }
    add(lines.value);
  };
  std::visit(add_lines, data.A->by_row());
  std::visit(add_lines, data.A->by_column());
  add(std::span<const double>(data.target));
}

// 0 when dense.
std::uint8_t index_bytes(const Lines& lines) {
  const auto bytes = [](const auto& own) -> std::uint8_t {
    if constexpr (requires { own.at; })
      return sizeof(own.at[0]);
    else
      return 0;
  };
  return std::visit(bytes, lines);
}

std::uint8_t value_bytes(const Lines& lines) {
  return std::visit([](const auto& own) { return static_cast<std::uint8_t>(sizeof(own.value[0])); }, lines);
}

CacheHeader header_of(const Dataset& data) {
  CacheHeader header{};
  std::copy(kCacheMagic.begin(), kCacheMagic.end(), header.magic.begin());
  header.version = kCacheVersion;
  header.header_bytes = kCacheHeaderBytes;
  header.rows = data.A->rows();
  header.columns = data.A->columns();
  header.entries = data.A->nonzeros();
  header.layout = data.A->is_dense() ? CacheLayout::dense : CacheLayout::sparse;
  header.value_bytes = value_bytes(data.A->by_row());
  header.row_index_bytes = index_bytes(data.A->by_row());
  header.column_index_bytes = index_bytes(data.A->by_column());
  lay_out(header);
  ChecksumSink payload;
  write_payload(payload, data);
  header.payload_checksum = payload.value();
  header.checksum = checksum_of(header);
  return header;
}

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

bool is_width(int bytes) { return bytes == sizeof(float) || bytes == sizeof(double); }

Lines lines_at(const StoredLines& s) {
  return s.value_bytes == sizeof(float) ? typed_lines_at<float>(s) : typed_lines_at<double>(s);
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

// In the order of trust: the header's version, its checksum, its numbers, the length of the file, the checksum of the
// rest, and only then the rules of the matrix. Nothing is read that has not been found to lie inside the file.

Dataset open_cache(const LoadedFile& file, const std::string& name, const ReadOptions& options) {
  check_read_options(options);
  if (is_blocked({reinterpret_cast<const char*>(file.bytes.data()), std::min(file.bytes.size(), kBlockedHeadBytes)}))
    return read_blocks(std::make_shared<const BlockFile>(file, name), options);
  const CacheHeader header = checked_header(file.bytes, name);
  check_length(header, file.bytes.size(), name);
  if (header.payload_checksum != chunked_checksum(file.bytes.subspan(kCacheHeaderBytes), options.threads))
    fail(name, "the data are damaged (their checksum does not match)");
  const auto at = [&](CacheSection which) { return section(header, file, which); };
  const auto* const target = section<double>(header, file, CacheSection::targets);
  Dataset data{nullptr, {target, target + header.rows}};
  try {
    const Lines rows = lines_at({header.layout, header.value_bytes, header.row_index_bytes, header.rows, header.columns,
                                 header.entries, at(CacheSection::row_offsets), at(CacheSection::row_indices),
                                 at(CacheSection::row_values)});
    const Lines columns = lines_at({header.layout, header.value_bytes, header.column_index_bytes, header.columns,
                                    header.rows, header.entries, at(CacheSection::column_offsets),
                                    at(CacheSection::column_indices), at(CacheSection::column_values)});
    data.A = std::make_shared<const DataMatrix>(rows, columns, file.storage, options.threads);
    check_targets(data);
    data.A = fitted(data.A, options);
  } catch (const InputError& error) {
    fail(name, error.what());
  }
  return data;
}

void write_cache_to(TextSink& sink, const std::string& name, const Dataset& data) {
  require_little_endian(name);
  check_targets(data);
  if (data.target.empty()) throw InputError("matrix rows", "0", "a cache file has at least one");
  const CacheHeader header = header_of(data);
  write_one(sink, header);
  write_payload(sink, data);
}

void write_cache(const std::string& path, const Dataset& data) {
  write_whole_file(path, [&](OutputFile& file) { write_cache_to(file, file.name(), data); });
}

}  // namespace pdbfw
