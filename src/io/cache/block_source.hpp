// The rows of a cache file in blocks, streamed.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "io/cache/block_reader.hpp"
#include "pdbfw/data_file.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {

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
  friend class BlockAhead;
  // The rows of a block that are in the range; `first` is the number of the first of them, counted in the range.
  [[nodiscard]] Lines read(std::size_t block, BlockBuffer& buffer, Index& first) const;
  void count(double bytes, double seconds, double waited, Index passes) const;

  std::shared_ptr<const BlockFile> file_;
  ReadOptions::RowRange range_;
  Index columns_;
  double room_;
  std::size_t first_block_ = 0, last_block_ = 0;  // first .. last - 1
  Index nonzeros_ = 0;
  mutable std::mutex guard_;
  mutable Traffic traffic_;
};

}  // namespace pdbfw
