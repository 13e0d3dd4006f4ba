// The rows of A on a working set W of features, block by block: kept in memory where there is room, else packed anew
// from the stream at every visit.                                                                              [M16]
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "pdbfw/matrix.hpp"

namespace pdbfw {

template <class Value>
struct PackedBlock {
  struct Line {
    const std::uint32_t* at;  // positions in W
    const Value* value;
    Index size;
    [[nodiscard]] Index index(Index k) const { return static_cast<Index>(at[k]); }
  };
  Index first = 0;             // number of its first row
  std::vector<Index> offsets;  // row first + r holds entries offsets[r] .. offsets[r + 1] - 1
  std::vector<std::uint32_t> at;
  std::vector<Value> value;
  [[nodiscard]] Index rows() const { return static_cast<Index>(offsets.size()) - 1; }
  [[nodiscard]] Line operator[](Index r) const {
    const Index begin = offsets[static_cast<std::size_t>(r)];
    return {at.data() + begin, value.data() + begin, offsets[static_cast<std::size_t>(r) + 1] - begin};
  }
};

class PackedBlocks {
 public:
  explicit PackedBlocks(const DataMatrix& A) : A_(A) {}

  // How many entries each feature has in the rows here; to be told before W is chosen.
  void know_entries(std::vector<Index> of_features) { feature_entries_ = std::move(of_features); }

  // W = the given features, ascending. `as_float`: keep values as float32. Costs nothing before the next visit, which
  // packs them on its way.
  void choose(std::vector<Index> features, bool as_float);
  // Keeps the features of W at the given positions (ascending); packed anew from the stream.
  void shrink(std::span<const Index> positions);

  [[nodiscard]] const std::vector<Index>& features() const { return features_; }
  [[nodiscard]] Index entries() const { return entries_; }  // of W
  // What a visit touches: all of A while it is not packed.
  [[nodiscard]] Index cost() const { return is_packed_ ? entries_ : A_.nonzeros(); }

  // Calls work(block) for all blocks, in the order of rows.
  template <class Work>
  void visit(const Work& work) {
    std::visit([&](auto& blocks) { visit_typed(blocks, work); }, blocks_);
  }

 private:
  template <class Value>
  using Blocks = std::vector<PackedBlock<Value>>;

  template <class Value, class Work>
  void visit_typed(Blocks<Value>& blocks, const Work& work) {
    if (is_packed_) {
      for (const PackedBlock<Value>& block : blocks) work(block);
      return;
    }
    blocks.clear();
    visit_rows([&](Index first, const Lines& rows) {
      PackedBlock<Value> block = pack<Value>(first, rows);
      work(block);
      if (has_room_) blocks.push_back(std::move(block));
    });
    is_packed_ = has_room_;
  }

  void visit_rows(const std::function<void(Index, const Lines&)>& visit) const;
  template <class Value>
  [[nodiscard]] PackedBlock<Value> pack(Index first, const Lines& rows) const;

  const DataMatrix& A_;
  std::vector<Index> feature_entries_;
  std::vector<Index> features_;
  Index entries_ = 0;
  std::vector<std::uint32_t> position_;  // of a feature in W
  std::variant<Blocks<float>, Blocks<double>> blocks_;
  bool is_packed_ = false, has_room_ = true;
};

extern template PackedBlock<float> PackedBlocks::pack(Index, const Lines&) const;
extern template PackedBlock<double> PackedBlocks::pack(Index, const Lines&) const;

}  // namespace pdbfw
