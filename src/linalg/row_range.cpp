#include "linalg/row_range.hpp"

#include <variant>

namespace pdbfw {
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
