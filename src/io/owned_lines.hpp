// Sparse lines whose arrays were read in whole, made into a matrix that keeps them.
#pragma once

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "io/growing_array.hpp"
#include "linalg/check_lines.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {

template <class Value, class Entry>
struct OwnedLines {
  GrowingArray<Index> offsets;
  GrowingArray<Entry> at;
  GrowingArray<Value> value;
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
  const SparseLines<Value, Entry> view{count, length, storage->offsets.view(), storage->at.view(),
                                       storage->value.view()};
  check_sizes(view);
  sort_lines(*storage, count);
  return std::make_shared<const DataMatrix>(view, orientation, storage);
}

}  // namespace pdbfw
