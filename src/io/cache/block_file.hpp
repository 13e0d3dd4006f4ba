// Cache files in blocks: written row after row from front to back; read block by block, and as a data set that is
// loaded or streamed.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/bytes/byte_streams.hpp"
#include "io/bytes/growing_array.hpp"
#include "io/bytes/input.hpp"
#include "io/cache/cache_format.hpp"
#include "io/data/row_store.hpp"
#include "pdbfw/data_file.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {

// Where a block lies while it is looked at; to be used again and again.
struct BlockBuffer {
  GrowingArray<std::byte> bytes;
  // For dense blocks that are narrower than the matrix, and for some rows of a block.
  std::vector<Index> offsets;
  std::vector<std::int32_t> narrow;
  std::vector<std::int64_t> wide;
};

// A cache file in blocks: what its ends say, found true, and its blocks, one at a time.
class BlockFile {
 public:
  // `name` is what messages call the file. Throw InputError for whatever is wrong with its ends.
  explicit BlockFile(const std::string& path) : bytes_(path), name_(path) { read_ends(); }
  BlockFile(LoadedFile file, std::string name) : bytes_(std::move(file)), name_(std::move(name)) { read_ends(); }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const BlockedTrailer& trailer() const { return trailer_; }
  [[nodiscard]] std::span<const BlockEntry> blocks() const { return blocks_; }
  [[nodiscard]] bool is_dense() const;  // all blocks are, and as wide as the matrix

  // The rows of a block as lines of the length `columns`, at least that of the matrix; they live in the buffer. Throws
  // DataLost unless it can be read and its checksum matches. The rules of lines are checked at the first time: later
  // the checksum vouches for them.
  [[nodiscard]] Lines read(std::size_t block, Index columns, BlockBuffer& buffer) const;

  // As many as the block has rows. Throws DataLost.
  void read_targets(std::size_t block, std::span<double> targets) const;

 private:
  void read_ends();
  void check_header() const;
  void read_trailer();
  void read_directory();
  [[noreturn]] void fail_at(std::size_t block, std::string_view what) const;

  FixedBytes bytes_;
  std::string name_;
  BlockedTrailer trailer_{};
  std::vector<BlockEntry> blocks_;
  std::unique_ptr<std::atomic<bool>[]> is_sound_;
};

// Cache files in blocks, into memory or streamed; read_dataset and open_streamed (pdbfw/data_file.hpp) are this on a
// file that begins like one.

// By the first bytes of a file, kBlockedHeadBytes of them.
[[nodiscard]] bool is_blocked(std::string_view head);
inline constexpr std::size_t kBlockedHeadBytes = 12;

// Whether a regular file is one. Throws InputError when it cannot be read.
[[nodiscard]] bool is_block_file(const std::string& path);

[[nodiscard]] Dataset read_blocks(std::shared_ptr<const BlockFile> file, const ReadOptions& options);
[[nodiscard]] Dataset stream_blocks(std::shared_ptr<const BlockFile> file, const ReadOptions& options);

// Throws InputError unless the range lies within this number of rows.
[[nodiscard]] ReadOptions::RowRange checked_range(const ReadOptions& options, Index rows, const std::string& name);

// What such a file holds, by its own account, without looking at the rows.
struct BlockedShape {
  Index rows = 0;
  Index columns = 0;
  Index nonzeros = 0;
  Index blocks = 0;
  double bytes = 0;            // of the file
  double bytes_in_memory = 0;  // about what a solver needs that has it in memory: by row, by column, and a packed copy
};

// None if the file is none in blocks, or no file. Throws InputError when it is damaged.
[[nodiscard]] std::optional<BlockedShape> blocked_shape(const std::string& path);

// Rows first .. last - 1 of the file, counted from 0, as lines of the length `columns` (at least that of the matrix).
class BlockSource final : public RowSource {
 public:
  // Throws DataLost when a block that is needed in part cannot be read.
  BlockSource(std::shared_ptr<const BlockFile> file, ReadOptions::RowRange range, Index columns, double room);

  [[nodiscard]] Index rows() const override { return range_.last - range_.first; }
  [[nodiscard]] Index columns() const override { return columns_; }
  [[nodiscard]] Index nonzeros() const override { return nonzeros_; }
  [[nodiscard]] bool is_dense() const override { return columns_ == file_->trailer().columns && file_->is_dense(); }
  [[nodiscard]] Traffic traffic() const override;
  [[nodiscard]] double room() const override { return room_; }

  // Reads a block ahead on a thread of its own.
  void visit(const RowVisitor& visitor) const override;

  // The targets of these rows. Throws DataLost.
  [[nodiscard]] std::vector<double> targets() const;

  // The blocks that hold these rows.
  [[nodiscard]] std::span<const BlockEntry> blocks() const {
    return file_->blocks().subspan(first_block_, last_block_ - first_block_);
  }

 private:
  // The rows of a block that are in the range.
  struct Part {
    Index begin = 0, end = 0;  // begin .. end - 1, counted in the block
    Index first = 0;           // the number of the first of them, counted in the range
    bool is_whole = true;
  };
  [[nodiscard]] Part part_of(const BlockEntry& block) const;
  [[nodiscard]] Lines read(std::size_t block, BlockBuffer& buffer) const;
  void count(const Traffic& more) const;

  std::shared_ptr<const BlockFile> file_;
  ReadOptions::RowRange range_;
  Index columns_;
  double room_;
  std::size_t first_block_ = 0, last_block_ = 0;  // first .. last - 1
  Index nonzeros_ = 0;
  mutable std::mutex guard_;
  mutable Traffic traffic_;
};

// Large enough that a disk is read at its full speed, small enough that several fit anywhere.
inline constexpr std::size_t kBlockBytes = std::size_t{16} << 20U;

class BlockWriter {
 public:
  // `name` is what messages call the sink. With float32 values are rounded; in any case a block whose values are all
  // exact in float32 holds them so.
  BlockWriter(TextSink& sink, const std::string& name, bool float32 = false, std::size_t block_bytes = kBlockBytes);

  // Rows with finite targets, one each.
  void append(const Lines& rows, std::span<const double> targets);

  // The last block, the directory and the end. Throws InputError when there was no row.
  void finish(Index min_features = 0);

 private:
  [[nodiscard]] bool is_full() const;
  void write_block();
  template <class To, class From>
  void write_as(std::span<const From> numbers);

  TextSink& sink_;
  const std::string name_;
  bool float32_;
  std::size_t block_bytes_;
  BlockedTrailer trailer_{};
  std::vector<BlockEntry> directory_;
  std::uint64_t position_ = 0;
  RowPiece block_;             // that is being filled
  std::vector<char> written_;  // its bytes
};

// Data files to a cache file in blocks, in a given amount of memory; write_blocks (pdbfw/data_file.hpp) is this on a
// file.

// The files that a name stands for: itself where there is such a file or it is no pattern; else those that match it
// (* ? [abc]), in the order of their names. Throws InputError when none does.
[[nodiscard]] std::vector<std::string> matching_files(const std::string& pattern);

// `name` is what messages call the sink.
void write_blocks_to(TextSink& sink, const std::string& name, const std::vector<std::string>& files,
                     const ReadOptions& options, Index memory);
void write_blocks_to(TextSink& sink, const std::string& name, const Dataset& data);

}  // namespace pdbfw
