// The rows of A here on a working set W of features, in blocks: one block that is packed in memory, or, where A is
// streamed, those of the stream: kept in memory where there is room, else packed anew at every visit.          [M16]
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "solvers/sweeps/packed_rows.hpp"

namespace pdbfw {

template <class Value>
struct PackedBlock {
  Index first = 0;             // number of its first row
  std::vector<Index> offsets;  // row first + r holds entries offsets[r] .. offsets[r + 1] - 1
  std::vector<std::uint32_t> at;
  std::vector<Value> value;
  [[nodiscard]] Index rows() const { return static_cast<Index>(offsets.size()) - 1; }
  [[nodiscard]] typename SparseLines<Value, std::uint32_t>::Line operator[](Index r) const {
    const Index begin = offsets[static_cast<std::size_t>(r)];
    return {at.data() + begin, value.data() + begin, offsets[static_cast<std::size_t>(r) + 1] - begin};
  }
};

class SweptRows {
 public:
  SweptRows(const DataMatrix& A, int threads) : A_(A), is_streamed_(A.is_streamed()), in_memory_(A, threads) {}

  // How many entries each feature has in the rows here, and in those of all members of a team. A streamed A needs that
  // before W is chosen; without a team, one in memory knows it from its columns.
  void know_entries(std::vector<Index> here, std::vector<double> of_all);

  // W = the given features, ascending. `as_float`: keep values as float32, where their rounding does not matter. Of a
  // stream that costs nothing before the next visit, which packs them on its way.
  void choose(std::vector<Index> features, bool as_float);
  // Keeps the features of W at the given positions, ascending.
  void shrink(std::span<const Index> positions);

  [[nodiscard]] const std::vector<Index>& features() const { return is_streamed_ ? features_ : in_memory_.features(); }
  [[nodiscard]] Index width() const { return static_cast<Index>(features().size()); }
  [[nodiscard]] Index entries() const { return is_streamed_ ? entries_ : in_memory_.entries(); }
  // What a visit touches: all of a stream while it is not packed.
  [[nodiscard]] Index cost() const { return is_streamed_ && !is_packed_ ? A_.nonzeros() : entries(); }
  // Of all members, so that all decide alike: the entries of W, and those of the feature at a position.
  [[nodiscard]] double entries_of_all() const { return entries_of_all_; }
  [[nodiscard]] double entries_of_all(std::size_t position) const;

  // Calls work(first, count, rows) for all blocks in the order of their rows: rows[r] is row first + r.
  template <class Work>
  void visit(const Work& work) {
    if (is_streamed_)
      std::visit([&](auto& blocks) { visit_blocks(blocks, work); }, blocks_);
    else
      std::visit([&](const auto& rows) { work(Index{0}, A_.rows(), rows); }, in_memory_.rows());
  }

  // For what works on all rows at once; not streamed.
  [[nodiscard]] const PackedRows& in_memory() const { return in_memory_; }

 private:
  template <class Value>
  using Blocks = std::vector<PackedBlock<Value>>;

  template <class Value, class Work>
  void visit_blocks(Blocks<Value>& blocks, const Work& work) {
    if (is_packed_) {
      for (const PackedBlock<Value>& block : blocks) work(block.first, block.rows(), block);
      return;
    }
    blocks.clear();
    A_.visit_rows([&](Index first, const Lines& rows) {
      PackedBlock<Value> block = pack<Value>(first, rows);
      work(first, block.rows(), block);
      if (has_room_) blocks.push_back(std::move(block));
    });
    is_packed_ = has_room_;
  }

  template <class Value>
  [[nodiscard]] PackedBlock<Value> pack(Index first, const Lines& rows) const;
  void choose_of_stream(std::vector<Index> features, bool as_float);
  void add_up_entries();

  const DataMatrix& A_;
  bool is_streamed_;
  PackedRows in_memory_;
  std::vector<double> feature_entries_;  // of all members; empty where the columns tell
  double entries_of_all_ = 0;

  // Of a stream:
  std::vector<Index> entries_here_, features_;
  Index entries_ = 0;                    // of W
  std::vector<std::uint32_t> position_;  // of a feature in W
  std::variant<Blocks<float>, Blocks<double>> blocks_;
  bool is_packed_ = false, has_room_ = true;
};

extern template PackedBlock<float> SweptRows::pack(Index, const Lines&) const;
extern template PackedBlock<double> SweptRows::pack(Index, const Lines&) const;

}  // namespace pdbfw
