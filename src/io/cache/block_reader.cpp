#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <future>
#include <limits>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "base/checksum.hpp"
#include "base/clock.hpp"
#include "base/machine_memory.hpp"
#include "io/bytes/checked_file.hpp"
#include "io/bytes/text.hpp"
#include "io/cache/block_file.hpp"
#include "io/data/read_options.hpp"
#include "io/data/row_store.hpp"
#include "linalg/check_lines.hpp"
#include "linalg/chosen_rows.hpp"

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

// Values of one kind, whatever that of the blocks: wide enough for all.
Dataset load(const BlockSource& source) {
  const auto blocks = source.blocks();
  const bool are_narrow = std::all_of(blocks.begin(), blocks.end(),
                                      [](const BlockEntry& block) { return block.value_bytes == sizeof(float); });
  const std::unique_ptr<RowStore> store = make_row_store(are_narrow);
  const std::vector<double> targets = source.targets();
  RowPiece piece;
  source.visit([&](Index first, const Lines& lines) {
    clear(piece);
    const auto add_all = [&](const auto& rows) {
      for (Index i = 0; i < rows.count; ++i) add_row(targets[static_cast<std::size_t>(first + i)], rows[i], piece);
    };
    std::visit(add_all, lines);
    store->append(piece);
  });
  return store->finish(source.columns());
}

Index entries_of(const Lines& lines) {
  return std::visit([](const auto& own) { return static_cast<Index>(own.value.size()); }, lines);
}

}  // namespace

void BlockFile::read_ends() {
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
  if (bytes_.size() < kBlockedHeaderBytes + kBlockedTrailerBytes)
    fail(name_,
         fmt::format("{} bytes are too few for the ends of a cache file in blocks (truncated file?)", bytes_.size()));
  BlockedHeader header{};
  bytes_.read(0, std::as_writable_bytes(std::span(&header, 1)));
  if (header.checksum != checksum_of(header)) fail(name_, "the header is damaged (its checksum does not match)");
  const BlockedHeader expected = blocked_header();
  if (std::memcmp(&header, &expected, sizeof(header)) != 0)
    fail(name_, "the header is not that of a cache file in blocks");
}

void BlockFile::read_trailer() {
  bytes_.read(bytes_.size() - sizeof(trailer_), std::as_writable_bytes(std::span(&trailer_, 1)));
  if (!std::equal(kBlockedEnd.begin(), kBlockedEnd.end(), trailer_.end.begin()))
    fail(name_, "does not end like a cache file in blocks (truncated file?)");
  if (trailer_.checksum != checksum_of(trailer_)) fail(name_, "the end is damaged (its checksum does not match)");
  const auto& [rows, columns, entries, blocks, directory, directory_checksum, bytes, reserved, own, end] = trailer_;
  for (const Index count : {rows, columns, entries, blocks})
    if (!is_count(count))
      fail(name_, fmt::format("the end says {} rows, {} features, {} entries and {} blocks; each must be in 0 .. 2^48",
                              rows, columns, entries, blocks));
  if (bytes != bytes_.size()) fail(name_, fmt::format("{} bytes, but {} by its end", bytes_.size(), bytes));
  const std::uint64_t directory_bytes = static_cast<std::uint64_t>(blocks) * sizeof(BlockEntry);
  if (directory < sizeof(BlockedHeader) || directory > bytes || bytes - directory < sizeof(trailer_) ||
      bytes - directory - sizeof(trailer_) != directory_bytes)
    fail(name_, fmt::format("the directory of {} blocks does not fit into {} bytes", blocks, bytes));
  require_usable(rows, columns, name_);
}

void BlockFile::read_directory() {
  blocks_.resize(static_cast<std::size_t>(trailer_.blocks));
  bytes_.read(trailer_.directory_begin, std::as_writable_bytes(std::span(blocks_)));
  if (checksum(std::as_bytes(std::span(blocks_))) != trailer_.directory_checksum)
    fail(name_, "the directory is damaged (its checksum does not match)");
  std::uint64_t position = sizeof(BlockedHeader);
  Index rows = 0, entries = 0;
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const BlockEntry& block = blocks_[k];
    if (!is_possible(block, trailer_.columns) || block.begin != position || block.first_row != rows)
      fail_at(k, "its entry in the directory cannot be true");
    // Counts are at most 2^48: the end of a block does not overflow, and no sum goes on beyond the directory.
    position += parts_of(block).end;
    rows += block.rows;
    entries += block.entries;
    if (position > trailer_.directory_begin) fail_at(k, "its entry in the directory cannot be true");
  }
  if (position != trailer_.directory_begin || rows != trailer_.rows || entries != trailer_.entries)
    fail(name_, "the directory does not fit the end of the file");
}

Lines BlockFile::read(std::size_t k, Index columns, BlockBuffer& buffer) const {
  const BlockEntry& block = blocks_[k];
  const auto bytes = static_cast<std::size_t>(parts_of(block).targets);
  buffer.bytes.resize_down(0);
  static_cast<void>(buffer.bytes.extend(bytes));
  const std::span<std::byte> place(buffer.bytes.data(), bytes);
  bytes_.read(block.begin, place);
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
  bytes_.read(block.begin + parts.targets, bytes);
  if (checksum(bytes) != block.target_checksum)
    throw DataLost(fmt::format("{}: the targets of block {} of {} are damaged (their checksum does not match)", name_,
                               k + 1, blocks_.size()));
  std::memcpy(targets.data(), bytes.data(), targets.size_bytes());
  for (const double target : targets)
    if (!std::isfinite(target))
      throw DataLost(fmt::format("{}: block {} of {}: target: {} breaks the rule: a finite number", name_, k + 1,
                                 blocks_.size(), target));
}

void BlockFile::fail_at(std::size_t block, std::string_view what) const {
  fail(name_, fmt::format("block {} of {}: {}", block + 1, blocks_.size(), what));
}

bool is_blocked(std::string_view head) {
  std::uint32_t version = 0;
  if (head.size() < kBlockedHeadBytes || !head.starts_with(kCacheMagic)) return false;
  std::memcpy(&version, head.data() + kCacheMagic.size(), sizeof(version));
  return version == kBlockedVersion;
}

bool is_block_file(const std::string& path) {
  std::error_code error;
  return path != "-" && std::filesystem::is_regular_file(path, error) &&
         is_blocked(RawInput(path).peek(kBlockedHeadBytes));
}

std::optional<BlockedShape> blocked_shape(const std::string& path) {
  if (!is_block_file(path)) return std::nullopt;
  const BlockFile file(path);
  const BlockedTrailer& trailer = file.trailer();
  constexpr double kCopies = 3;  // by row, by column, and as some solvers pack it
  const auto bytes = static_cast<double>(trailer.file_bytes);
  return BlockedShape{trailer.rows, trailer.columns, trailer.entries, trailer.blocks, bytes, kCopies * bytes};
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
    Dataset data = load(*source);
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

BlockSource::BlockSource(std::shared_ptr<const BlockFile> file, ReadOptions::RowRange range, Index columns, double room)
    : file_(std::move(file)), range_(range), columns_(columns), room_(room) {
  const std::span<const BlockEntry> blocks = file_->blocks();
  const auto first = std::partition_point(blocks.begin(), blocks.end(), [&](const BlockEntry& block) {
    return block.first_row + block.rows <= range_.first;
  });
  const auto last =
      std::partition_point(first, blocks.end(), [&](const BlockEntry& block) { return block.first_row < range_.last; });
  first_block_ = static_cast<std::size_t>(first - blocks.begin());
  last_block_ = static_cast<std::size_t>(last - blocks.begin());
  for (std::size_t k = first_block_; k < last_block_; ++k) {
    BlockBuffer buffer;
    nonzeros_ += part_of(blocks[k]).is_whole ? blocks[k].entries : entries_of(read(k, buffer));
  }
}

BlockSource::Part BlockSource::part_of(const BlockEntry& block) const {
  const Index begin = std::max<Index>(0, range_.first - block.first_row);
  const Index end = std::min(block.rows, range_.last - block.first_row);
  return {begin, end, block.first_row + begin - range_.first, begin == 0 && end == block.rows};
}

Lines BlockSource::read(std::size_t k, BlockBuffer& buffer) const {
  const Part part = part_of(file_->blocks()[k]);
  Lines lines = file_->read(k, columns_, buffer);
  if (!part.is_whole) lines = some_lines(lines, part.begin, part.end, buffer.offsets);
  return lines;
}

// While one block is looked at, the next is read, on a thread of its own. Where the system gives no thread, blocks are
// read when they are asked for.
void BlockSource::visit(const RowVisitor& visitor) const {
  // One block alone has nothing to be read beside.
  const std::launch beside = last_block_ - first_block_ < 2 ? std::launch::deferred : std::launch::async;
  std::array<BlockBuffer, 2> buffers;
  const auto start_reading = [&](std::size_t k) {
    return std::async(beside | std::launch::deferred, [this, k, &buffer = buffers[k % 2]] {
      const Stopwatch watch;
      const Lines lines = read(k, buffer);
      count({.bytes = static_cast<double>(buffer.bytes.size()), .seconds = watch.seconds()});
      return lines;
    });
  };
  std::future<Lines> ahead;
  if (first_block_ < last_block_) ahead = start_reading(first_block_);
  for (std::size_t k = first_block_; k < last_block_; ++k) {
    const Stopwatch watch;
    const Lines lines = ahead.get();
    count({.waited = watch.seconds()});
    if (k + 1 < last_block_) ahead = start_reading(k + 1);
    visitor(part_of(file_->blocks()[k]).first, lines);
  }
  count({.passes = 1});
}

std::vector<double> BlockSource::targets() const {
  std::vector<double> targets(static_cast<std::size_t>(rows()));
  std::vector<double> of_block;
  for (std::size_t k = first_block_; k < last_block_; ++k) {
    const BlockEntry& block = file_->blocks()[k];
    of_block.resize(static_cast<std::size_t>(block.rows));
    file_->read_targets(k, of_block);
    const Part part = part_of(block);
    std::copy(of_block.begin() + part.begin, of_block.begin() + part.end, targets.begin() + part.first);
  }
  return targets;
}

RowSource::Traffic BlockSource::traffic() const {
  const std::lock_guard<std::mutex> lock(guard_);
  return traffic_;
}

void BlockSource::count(const Traffic& more) const {
  const std::lock_guard<std::mutex> lock(guard_);
  traffic_.bytes += more.bytes;
  traffic_.seconds += more.seconds;
  traffic_.waited += more.waited;
  traffic_.passes += more.passes;
}

}  // namespace pdbfw
