// The rows of A on a working set W of features, packed into arrays of their own: what the sweeps of the sequential
// solver stream through.                                                                                       [M16]
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "pdbfw/matrix.hpp"

namespace pdbfw {

// Value is float where the rounding does not matter (the certificate never sees it). Entry, a position in W, is 16 bits
// wide when W is small enough: the less memory a sweep moves, the sooner it is over.
template <class Value, class Entry>
struct SparsePack {
  using Line = typename SparseLines<Value, Entry>::Line;
  // There may be room between two rows: shards of rows are packed side by side, and shrunk where they lie. The arrays
  // are not touched before they are written, so that room costs nothing.
  std::vector<Index> start, size;
  std::unique_ptr<Entry[]> at;
  std::unique_ptr<Value[]> value;
  [[nodiscard]] Line operator[](Index i) const {
    const auto first = start[static_cast<std::size_t>(i)];
    return {at.get() + first, value.get() + first, size[static_cast<std::size_t>(i)]};
  }
};

template <class Value>
struct DensePack {
  using Line = typename DenseLines<Value>::Line;
  Index width = 0;
  std::unique_ptr<Value[]> own;  // null where the rows of A itself are borrowed
  const Value* value = nullptr;
  [[nodiscard]] Line operator[](Index i) const { return {value + i * width, width}; }
};

class PackedRows {
 public:
  using Rows = std::variant<SparsePack<float, std::uint16_t>, SparsePack<float, std::uint32_t>,
                            SparsePack<double, std::uint16_t>, SparsePack<double, std::uint32_t>, DensePack<float>,
                            DensePack<double>>;

  PackedRows(const DataMatrix& A, int threads);

  // Packs the given features (ascending). `as_float`: keep values as float32. All features of a dense matrix that keeps
  // its values that way are not copied but borrowed from it.
  void pack(std::vector<Index> features, bool as_float);
  // Keeps the features of W at the given positions (ascending).
  void shrink(std::span<const Index> positions);

  [[nodiscard]] const Rows& rows() const { return rows_; }
  [[nodiscard]] Index entries() const { return entries_; }
  [[nodiscard]] Index width() const { return static_cast<Index>(features_.size()); }
  [[nodiscard]] const std::vector<Index>& features() const { return features_; }

  // How many entries each feature has, by position in W.
  [[nodiscard]] const std::vector<Index>& column_entries() const { return column_entries_; }

 private:
  const DataMatrix& A_;
  int threads_;
  Rows rows_;
  std::vector<Index> features_, column_entries_;  // by position in W
  Index entries_ = 0;
};

}  // namespace pdbfw
