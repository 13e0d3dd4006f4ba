// Rows that are collected while they are read, and what becomes a matrix of them.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "io/bytes/growing_array.hpp"
#include "linalg/check_lines.hpp"
#include "pdbfw/data_file.hpp"
#include "pdbfw/dataset.hpp"
#include "pdbfw/errors.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {

// Some rows of a data file, as a reader hands them on. Cleared before its first row.
struct RowPiece {
  Index features = 0;           // the largest index, counted from 1
  GrowingArray<double> target;  // a row each
  GrowingArray<Index> offsets;  // 0, then the entries of this piece up to and with the row
  GrowingArray<Index> at;       // 0-based
  GrowingArray<double> value;

  [[nodiscard]] SparseLines<double, Index> rows() const {
    return {static_cast<Index>(target.size()), features, offsets.view(), at.view(), value.view()};
  }
};

// Keeps the memory.
inline void clear(RowPiece& piece) {
  piece.features = 0;
  piece.target.resize_down(0);
  piece.offsets.resize_down(0);
  piece.offsets.push_back(0);
  piece.at.resize_down(0);
  piece.value.resize_down(0);
}

// One more row, whose indices ascend.
template <class Line>
void add_row(double target, const Line& line, RowPiece& piece) {
  Index* const at = piece.at.extend(static_cast<std::size_t>(line.size));
  double* const value = piece.value.extend(static_cast<std::size_t>(line.size));
  for (Index k = 0; k < line.size; ++k) {
    at[k] = line.index(k);
    value[k] = static_cast<double>(line.value[k]);
  }
  if (line.size > 0) piece.features = std::max(piece.features, at[line.size - 1] + 1);
  piece.offsets.push_back(static_cast<Index>(piece.at.size()));
  piece.target.push_back(target);
}

// Collects rows, in their order, and becomes a data set: the arrays of the matrix grow in place, so reading needs
// little more memory than the result.
class RowStore {
 public:
  RowStore() = default;
  RowStore(const RowStore&) = delete;
  RowStore& operator=(const RowStore&) = delete;
  virtual ~RowStore() = default;

  virtual void append(const RowPiece& piece) = 0;

  // Dense when every row holds every feature, sparse otherwise. The store is empty afterwards.
  [[nodiscard]] virtual Dataset finish(Index min_features) = 0;

  // The same for rows of `width` features whose zeros were left out: dense, with its zeros, as soon as half of the
  // values are not 0 (and no more features are asked for).
  [[nodiscard]] virtual Dataset finish_table(Index width, Index min_features) = 0;
};

[[nodiscard]] std::unique_ptr<RowStore> make_row_store(bool float32);

// Rows of a format that states every value (CSV, idx): zeros are left out while they are collected.
class TableStore {
 public:
  explicit TableStore(const ReadOptions& options);

  [[nodiscard]] Index rows() const { return rows_; }
  void add(Index column, double value) {
    if (value == 0) return;
    piece_.at.push_back(column);
    piece_.value.push_back(value);
    piece_.features = std::max(piece_.features, column + 1);
  }
  void end_row(double target);

  // Dense when at least half of the values are not 0. The store is empty afterwards.
  [[nodiscard]] Dataset finish(Index width);

 private:
  void hand_on();

  Index min_features_;
  Index rows_ = 0;
  std::unique_ptr<RowStore> store_;
  RowPiece piece_;
};

// Throws InputError unless finite numbers stay so as floats.
void require_floats(std::span<const double> values);

// Sparse lines whose arrays were read in whole, made into a matrix that keeps them.
template <class Value, class Entry>
struct OwnedLines {
  GrowingArray<Index> offsets;
  GrowingArray<Entry> at;
  GrowingArray<Value> value;

  [[nodiscard]] SparseLines<Value, Entry> view(Index count, Index length) const {
    return {count, length, offsets.view(), at.view(), value.view()};
  }
};

// Orders one line by its indices; most are so already.
template <class Value, class Entry>
void sort_line(Entry* at, Value* value, std::size_t size, std::vector<std::pair<Entry, Value>>& work) {
  if (std::is_sorted(at, at + size)) return;
  work.clear();
  for (std::size_t k = 0; k < size; ++k) work.emplace_back(at[k], value[k]);
  std::stable_sort(work.begin(), work.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t k = 0; k < size; ++k) std::tie(at[k], value[k]) = work[k];
}

// The offsets must be sound.
template <class Value, class Entry>
void sort_lines(OwnedLines<Value, Entry>& lines, Index count) {
  std::vector<std::pair<Entry, Value>> work;
  for (Index i = 0; i < count; ++i) {
    const Index first = lines.offsets.view()[static_cast<std::size_t>(i)];
    const Index last = lines.offsets.view()[static_cast<std::size_t>(i) + 1];
    sort_line(lines.at.data() + first, lines.value.data() + first, static_cast<std::size_t>(last - first), work);
  }
}

// The entries of a line may be in any order. Throws InputError for lines that break another rule of SparseLines.
template <class Value, class Entry>
MatrixPtr own_lines(DataMatrix::Orientation orientation, Index count, Index length, OwnedLines<Value, Entry> lines) {
  const auto storage = std::make_shared<OwnedLines<Value, Entry>>(std::move(lines));
  const SparseLines<Value, Entry> view = storage->view(count, length);
  check_sizes(view);
  sort_lines(*storage, count);
  return std::make_shared<const DataMatrix>(view, orientation, storage);
}

}  // namespace pdbfw
