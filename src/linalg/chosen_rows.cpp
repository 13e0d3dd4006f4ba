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

}  // namespace pdbfw
