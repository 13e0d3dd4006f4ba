// The rows of A here on a working set W of features, in blocks: one block that is packed in memory, or, where A is
// streamed, those of the stream, which stay in memory where there is room.                                     [M16]
#pragma once

#include <utility>
#include <vector>

#include "solvers/sweeps/packed_blocks.hpp"
#include "solvers/sweeps/packed_rows.hpp"

namespace pdbfw {

class SweptRows {
 public:
  SweptRows(const DataMatrix& A, int threads)
      : rows_(A.rows()), is_streamed_(A.is_streamed()), in_memory_(A, threads), streamed_(A) {}

  // How many entries each feature has in the rows here, and in those of all members of a team. A streamed A needs that
  // before W is chosen; without a team, one in memory knows it from its columns.
  void know_entries(std::vector<Index> here, std::vector<double> of_all);

  // W = the given features, ascending. `as_float`: keep values as float32, where their rounding does not matter.
  void choose(std::vector<Index> features, bool as_float);
  // Keeps the features of W at the given positions, ascending.
  void shrink(std::span<const Index> positions);

  [[nodiscard]] const std::vector<Index>& features() const {
    return is_streamed_ ? streamed_.features() : in_memory_.features();
  }
  [[nodiscard]] Index width() const { return static_cast<Index>(features().size()); }
  [[nodiscard]] Index entries() const { return is_streamed_ ? streamed_.entries() : in_memory_.entries(); }
  // What a visit touches.
  [[nodiscard]] Index cost() const { return is_streamed_ ? streamed_.cost() : in_memory_.entries(); }
  // Of all members, so that all decide alike: the entries of W, and those of the feature at a position.
  [[nodiscard]] double entries_of_all() const { return entries_of_all_; }
  [[nodiscard]] double entries_of_all(std::size_t position) const;

  // Calls work(first, count, rows) for all blocks in the order of their rows: rows[r] is row first + r.
  template <class Work>
  void visit(const Work& work) {
    if (is_streamed_)
      streamed_.visit([&](const auto& block) { work(block.first, block.rows(), block); });
    else
      std::visit([&](const auto& rows) { work(Index{0}, rows_, rows); }, in_memory_.rows());
  }

  // For what works on all rows at once; not streamed.
  [[nodiscard]] const PackedRows& in_memory() const { return in_memory_; }

 private:
  void add_up_entries();

  Index rows_;
  bool is_streamed_;
  PackedRows in_memory_;
  PackedBlocks streamed_;
  std::vector<double> feature_entries_;  // of all members; empty where the columns tell
  double entries_of_all_ = 0;
};

}  // namespace pdbfw
