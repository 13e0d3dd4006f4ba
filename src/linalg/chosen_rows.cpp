#include "linalg/chosen_rows.hpp"

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

}  // namespace

MatrixPtr chosen_rows(const DataMatrix& A, std::span<const Index> at) {
  return std::visit([&](const auto& lines) { return chosen(lines, at); }, A.by_row());
}

namespace {

template <class Value, class Entry>
MatrixPtr range(const SparseLines<Value, Entry>& lines, Index first, Index last) {
  const auto offsets =
      lines.offsets.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first) + 1);
  const auto begin = static_cast<std::size_t>(offsets.front());
  const auto size = static_cast<std::size_t>(offsets.back()) - begin;
  std::vector<Index> from_zero(offsets.begin(), offsets.end());
  for (Index& offset : from_zero) offset -= static_cast<Index>(begin);
  return borrow_csr<Value, Entry, Index>(last - first, lines.length, from_zero, lines.at.subspan(begin, size),
                                         lines.value.subspan(begin, size));
}

template <class Value>
MatrixPtr range(const DenseLines<Value>& lines, Index first, Index last) {
  return borrow_dense_rows<Value>(last - first, lines.length,
                                  lines.value.subspan(static_cast<std::size_t>(first * lines.length),
                                                      static_cast<std::size_t>((last - first) * lines.length)));
}

}  // namespace

MatrixPtr row_range(const DataMatrix& A, Index first, Index last) {
  return std::visit([&](const auto& lines) { return range(lines, first, last); }, A.by_row());
}

}  // namespace pdbfw
