// Writes a cache file in blocks, row after row, from front to back.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "io/bytes/byte_streams.hpp"
#include "io/cache/cache_format.hpp"
#include "io/data/row_store.hpp"
#include "pdbfw/data_file.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {

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
