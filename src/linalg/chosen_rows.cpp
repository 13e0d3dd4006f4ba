#include "linalg/chosen_rows.hpp"

#include <memory>
#include <utility>
#include <variant>

namespace pdbfw {
namespace {

template <class Value, class Entry>
MatrixPtr chosen(const SparseLines<Value, Entry>& lines, std::span<const Index> rows) {
  std::vector<Index> offsets{0};
  offsets.reserve(rows.size() + 1);
  for (const Index i : rows) offsets.push_back(offsets.back() + lines[i].size);
  std::vector<Entry> at;
  std::vector<Value> value;
  at.reserve(static_cast<std::size_t>(offsets.back()));
  value.reserve(static_cast<std::size_t>(offsets.back()));
  for (const Index i : rows) {
    const auto line = lines[i];
    at.insert(at.end(), line.at, line.at + line.size);
    value.insert(value.end(), line.value, line.value + line.size);
  }
  return own_csr(static_cast<Index>(rows.size()), lines.length, std::move(offsets), std::move(at), std::move(value));
}

template <class Value>
MatrixPtr chosen(const DenseLines<Value>& lines, std::span<const Index> rows) {
  std::vector<Value> value;
  value.reserve(rows.size() * static_cast<std::size_t>(lines.length));
  for (const Index i : rows) value.insert(value.end(), lines[i].value, lines[i].value + lines.length);
  return own_dense_rows(static_cast<Index>(rows.size()), lines.length, std::move(value));
}

template <class Value, class Entry>
Lines some(const SparseLines<Value, Entry>& lines, Index first, Index last, std::vector<Index>& offsets) {
  const auto begin = static_cast<std::size_t>(lines.offsets[static_cast<std::size_t>(first)]);
  const auto size = static_cast<std::size_t>(lines.offsets[static_cast<std::size_t>(last)]) - begin;
  std::vector<Index> from_zero(lines.offsets.begin() + first, lines.offsets.begin() + last + 1);
  for (Index& offset : from_zero) offset -= static_cast<Index>(begin);
  offsets = std::move(from_zero);
  return SparseLines<Value, Entry>{last - first, lines.length, offsets, lines.at.subspan(begin, size),
                                   lines.value.subspan(begin, size)};
}

template <class Value>
Lines some(const DenseLines<Value>& lines, Index first, Index last, std::vector<Index>&) {
  return DenseLines<Value>{last - first, lines.length,
                           lines.value.subspan(static_cast<std::size_t>(first * lines.length),
                                               static_cast<std::size_t>((last - first) * lines.length))};
}

}  // namespace

MatrixPtr chosen_rows(const DataMatrix& A, std::span<const Index> at) {
  return std::visit([&](const auto& lines) { return chosen(lines, at); }, A.by_row());
}

Lines some_lines(const Lines& lines, Index first, Index last, std::vector<Index>& offsets) {
  return std::visit([&](const auto& own) { return some(own, first, last, offsets); }, lines);
}

MatrixPtr row_range(const DataMatrix& A, Index first, Index last) {
  const auto offsets = std::make_shared<std::vector<Index>>();
  return std::make_shared<const DataMatrix>(some_lines(A.by_row(), first, last, *offsets),
                                            DataMatrix::Orientation::by_row, offsets);
}

MatrixPtr row_range(const MatrixPtr& A, Index first, Index last) {
  const auto both = std::make_shared<const std::pair<MatrixPtr, MatrixPtr>>(A, row_range(*A, first, last));
  return {both, both->second.get()};
}

}  // namespace pdbfw
