#include "io/cache/block_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "base/checksum.hpp"
#include "base/machine_memory.hpp"
#include "io/bytes/checked_file.hpp"
#include "io/data/read_options.hpp"
#include "linalg/check_lines.hpp"

namespace pdbfw {

// In the order of trust, as for other cache files: the ends by their checksums, their numbers against the length of the
// file, the directory, and of every block the checksum before the rules of its lines.

namespace {

bool is_count(Index count) { return count >= 0 && count <= kMostCacheCount; }

// Whether the numbers of an entry of the directory can be those of a block.
bool is_possible(const BlockEntry& block, Index columns) {
  const bool is_dense = block.layout == CacheLayout::dense;
  const bool is_known =
      is_width(block.value_bytes) && (is_dense ? block.index_bytes == 0 : is_width(block.index_bytes));
  const bool is_counted = block.rows > 0 && is_count(block.rows) && is_count(block.entries) && is_count(block.columns);
  const bool is_reserved =
      std::all_of(block.reserved.begin(), block.reserved.end(), [](auto byte) { return byte == 0; });
  if ((!is_dense && block.layout != CacheLayout::sparse) || !is_known || !is_counted || !is_reserved) return false;
  if (block.columns > columns) return false;
  return !is_dense ||
         (block.columns > 0 && block.entries % block.columns == 0 && block.entries / block.columns == block.rows);
}

// Dense rows among wider ones.
template <class Value, class Entry>
Lines among_wider(const DenseLines<Value>& rows, Index columns, std::vector<Entry>& at, std::vector<Index>& offsets) {
  offsets.resize(static_cast<std::size_t>(rows.count) + 1);
  at.resize(rows.value.size());
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = static_cast<Index>(i) * rows.length;
  for (std::size_t k = 0; k < at.size(); ++k) at[k] = static_cast<Entry>(static_cast<Index>(k) % rows.length);
  return SparseLines<Value, Entry>{rows.count, columns, offsets, at, rows.value};
}

template <class Value>
Lines widened(const DenseLines<Value>& rows, Index columns, BlockBuffer& buffer) {
  if (rows.length <= std::numeric_limits<std::int32_t>::max())
    return among_wider(rows, columns, buffer.narrow, buffer.offsets);
  return among_wider(rows, columns, buffer.wide, buffer.offsets);
}

template <class Value, class Entry>
Lines widened(SparseLines<Value, Entry> rows, Index columns, BlockBuffer&) {
  rows.length = columns;
  return rows;
}

Lines lines_of(const BlockEntry& block, Index columns, BlockBuffer& buffer) {
  const BlockParts parts = parts_of(block);
  const std::byte* const bytes = buffer.bytes.data();
  const Lines lines = lines_at({block.layout, block.value_bytes, block.index_bytes, block.rows, block.columns,
                                block.entries, bytes, bytes + parts.indices, bytes + parts.values});
  if (block.columns == columns) return lines;
  return std::visit([&](const auto& rows) { return widened(rows, columns, buffer); }, lines);
}

}  // namespace

BlockFile::BlockFile(std::unique_ptr<const FixedBytes> bytes, std::string name)
    : bytes_(std::move(bytes)), name_(std::move(name)) {
  require_little_endian(name_);
  try {
    check_header();
    read_trailer();
    read_directory();
  } catch (const DataLost& error) {
    throw InputError(error.what());
  }
  is_sound_ = std::make_unique<std::atomic<bool>[]>(blocks_.size());
}

bool BlockFile::is_dense() const {
  return std::all_of(blocks_.begin(), blocks_.end(), [&](const BlockEntry& block) {
    return block.layout == CacheLayout::dense && block.columns == trailer_.columns;
  });
}

void BlockFile::check_header() const {
  if (bytes_->size() < kBlockedHeaderBytes + kBlockedTrailerBytes)
    fail(fmt::format("{} bytes are too few for the ends of a cache file in blocks (truncated file?)", bytes_->size()));
  BlockedHeader header{};
  bytes_->read(0, std::as_writable_bytes(std::span(&header, 1)));
  if (header.checksum != checksum_of(header)) fail("the header is damaged (its checksum does not match)");
  const BlockedHeader expected = blocked_header();
  if (std::memcmp(&header, &expected, sizeof(header)) != 0) fail("the header is not that of a cache file in blocks");
}

void BlockFile::read_trailer() {
  bytes_->read(bytes_->size() - sizeof(trailer_), std::as_writable_bytes(std::span(&trailer_, 1)));
  if (!std::equal(kBlockedEnd.begin(), kBlockedEnd.end(), trailer_.end.begin()))
    fail("does not end like a cache file in blocks (truncated file?)");
  if (trailer_.checksum != checksum_of(trailer_)) fail("the end is damaged (its checksum does not match)");
  const auto& [rows, columns, entries, blocks, directory, directory_checksum, bytes, reserved, own, end] = trailer_;
  for (const Index count : {rows, columns, entries, blocks})
    if (!is_count(count))
      fail(fmt::format("the end says {} rows, {} features, {} entries and {} blocks; each must be in 0 .. 2^48", rows,
                       columns, entries, blocks));
  if (bytes != bytes_->size()) fail(fmt::format("{} bytes, but {} by its end", bytes_->size(), bytes));
  const std::uint64_t directory_bytes = static_cast<std::uint64_t>(blocks) * sizeof(BlockEntry);
  if (directory < sizeof(BlockedHeader) || directory > bytes || bytes - directory < sizeof(trailer_) ||
      bytes - directory - sizeof(trailer_) != directory_bytes)
    fail(fmt::format("the directory of {} blocks does not fit into {} bytes", blocks, bytes));
  if (rows == 0) fail("no samples");
  if (columns > most_features_in_memory())
    fail(fmt::format("weights for {} features do not fit into this machine's memory", columns));
}

void BlockFile::read_directory() {
  blocks_.resize(static_cast<std::size_t>(trailer_.blocks));
  bytes_->read(trailer_.directory_begin, std::as_writable_bytes(std::span(blocks_)));
  if (checksum(std::as_bytes(std::span(blocks_))) != trailer_.directory_checksum)
    fail("the directory is damaged (its checksum does not match)");
  std::uint64_t position = sizeof(BlockedHeader);
  Index rows = 0, entries = 0;
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const BlockEntry& block = blocks_[k];
    if (!is_possible(block, trailer_.columns) || block.begin != position || block.first_row != rows)
      fail(k, "its entry in the directory cannot be true");
    // Counts are at most 2^48: the end of a block does not overflow, and no sum goes on beyond the directory.
    position += parts_of(block).end;
    rows += block.rows;
    entries += block.entries;
    if (position > trailer_.directory_begin) fail(k, "its entry in the directory cannot be true");
  }
  if (position != trailer_.directory_begin || rows != trailer_.rows || entries != trailer_.entries)
    fail("the directory does not fit the end of the file");
}

Lines BlockFile::read(std::size_t k, Index columns, BlockBuffer& buffer) const {
  const BlockEntry& block = blocks_[k];
  const auto bytes = static_cast<std::size_t>(parts_of(block).targets);
  buffer.bytes.resize_down(0);
  static_cast<void>(buffer.bytes.extend(bytes));
  const std::span<std::byte> place(buffer.bytes.data(), bytes);
  bytes_->read(block.begin, place);
  if (checksum(place) != block.matrix_checksum)
    throw DataLost(
        fmt::format("{}: block {} of {} is damaged (its checksum does not match)", name_, k + 1, blocks_.size()));
  Lines lines = lines_of(block, columns, buffer);
  if (is_sound_[k]) return lines;
  try {
    std::visit([](const auto& own) { check(own, 1); }, lines);
  } catch (const InputError& error) {
    throw DataLost(fmt::format("{}: block {} of {}: {}", name_, k + 1, blocks_.size(), error.what()));
  }
  is_sound_[k] = true;
  return lines;
}

void BlockFile::read_targets(std::size_t k, std::span<double> targets) const {
  const BlockEntry& block = blocks_[k];
  const BlockParts parts = parts_of(block);
  std::vector<std::byte> bytes(static_cast<std::size_t>(parts.end - parts.targets));
  bytes_->read(block.begin + parts.targets, bytes);
  if (checksum(bytes) != block.target_checksum)
    throw DataLost(fmt::format("{}: the targets of block {} of {} are damaged (their checksum does not match)", name_,
                               k + 1, blocks_.size()));
  std::memcpy(targets.data(), bytes.data(), targets.size_bytes());
  for (const double target : targets)
    if (!std::isfinite(target))
      throw DataLost(fmt::format("{}: block {} of {}: target: {} breaks the rule: a finite number", name_, k + 1,
                                 blocks_.size(), target));
}

void BlockFile::fail(std::string_view what) const { throw InputError(fmt::format("{}: {}", name_, what)); }

void BlockFile::fail(std::size_t block, std::string_view what) const {
  fail(fmt::format("block {} of {}: {}", block + 1, blocks_.size(), what));
}

namespace {

// What a solve takes that keeps no row: vectors over rows and features, the program, its buffers and threads.
double memory_besides(Index rows, Index columns) {
  constexpr double kVectors = 12, kFixed = 0x1p28;
  return kFixed + kVectors * sizeof(double) * static_cast<double>(rows + columns);
}

std::shared_ptr<const BlockSource> make_source(std::shared_ptr<const BlockFile> file, const ReadOptions& options) {
  check_read_options(options);
  const BlockedTrailer& trailer = file->trailer();
  const ReadOptions::RowRange range = checked_range(options, trailer.rows, file->name());
  const Index columns = std::max(trailer.columns, options.min_features);
  const auto memory = static_cast<double>(options.memory > 0 ? options.memory : usable_memory());
  const double room = memory - memory_besides(range.last - range.first, columns);
  return std::make_shared<const BlockSource>(std::move(file), range, columns, std::max(0.0, room));
}

// Indices and values of one kind, whatever that of the blocks: wide enough for all.
template <class Value, class Entry>
MatrixPtr load_sparse(const BlockSource& source) {
  std::vector<Index> offsets{0};
  std::vector<Entry> at;
  std::vector<Value> value;
  offsets.reserve(static_cast<std::size_t>(source.rows()) + 1);
  at.reserve(static_cast<std::size_t>(source.nonzeros()));
  value.reserve(static_cast<std::size_t>(source.nonzeros()));
  source.visit([&](Index, const Lines& lines) {
    std::visit(
        [&](const auto& rows) {
          for (Index i = 0; i < rows.count; ++i) {
            const auto row = rows[i];
            for (Index k = 0; k < row.size; ++k) {
              at.push_back(static_cast<Entry>(row.index(k)));
              value.push_back(static_cast<Value>(row.value[k]));
            }
            offsets.push_back(static_cast<Index>(at.size()));
          }
        },
        lines);
  });
  return own_csr<Value, Entry>(source.rows(), source.columns(), std::move(offsets), std::move(at), std::move(value));
}

template <class Value>
MatrixPtr load_dense(const BlockSource& source) {
  std::vector<Value> value;
  value.reserve(static_cast<std::size_t>(source.nonzeros()));
  source.visit([&](Index, const Lines& lines) {
    std::visit([&](const auto& rows) { value.insert(value.end(), rows.value.begin(), rows.value.end()); }, lines);
  });
  return own_dense_rows<Value>(source.rows(), source.columns(), std::move(value));
}

template <class Value>
MatrixPtr load(const BlockSource& source) {
  if (source.is_dense()) return load_dense<Value>(source);
  const auto blocks = source.blocks();
  const bool is_wide = std::any_of(blocks.begin(), blocks.end(),
                                   [](const BlockEntry& block) { return block.index_bytes == sizeof(std::int64_t); });
  return is_wide ? load_sparse<Value, std::int64_t>(source) : load_sparse<Value, std::int32_t>(source);
}

}  // namespace

bool is_blocked(std::string_view head) {
  std::uint32_t version = 0;
  if (head.size() < kBlockedHeadBytes || !head.starts_with(kCacheMagic)) return false;
  std::memcpy(&version, head.data() + kCacheMagic.size(), sizeof(version));
  return version == kBlockedVersion;
}

ReadOptions::RowRange checked_range(const ReadOptions& options, Index rows, const std::string& name) {
  if (!options.rows) return {0, rows};
  const auto [first, last] = *options.rows;
  if (first < 0 || first >= last || last > rows)
    throw InputError(fmt::format("{}: rows", name), fmt::format("{} .. {}", first, last - 1),
                     fmt::format("at least one of 0 .. {}", rows - 1));
  return {first, last};
}

Dataset read_blocks(std::shared_ptr<const BlockFile> file, const ReadOptions& options) {
  const std::string name = file->name();
  try {
    const std::shared_ptr<const BlockSource> source = make_source(std::move(file), options);
    const auto blocks = source->blocks();
    const bool is_narrow = std::all_of(blocks.begin(), blocks.end(),
                                       [](const BlockEntry& block) { return block.value_bytes == sizeof(float); });
    Dataset data{is_narrow ? load<float>(*source) : load<double>(*source), source->targets()};
    if (options.float32) data.A = fitted(data.A, {.float32 = true});
    return data;
  } catch (const DataLost& error) {
    throw InputError(error.what());
  }
}

Dataset stream_blocks(std::shared_ptr<const BlockFile> file, const ReadOptions& options) {
  try {
    const std::shared_ptr<const BlockSource> source = make_source(std::move(file), options);
    std::vector<double> target = source->targets();
    return {std::make_shared<const DataMatrix>(source), std::move(target)};
  } catch (const DataLost& error) {
    throw InputError(error.what());
  }
}

}  // namespace pdbfw
