#include "io/matrix_market_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "io/matrix_market_parser.hpp"
#include "io/owned_lines.hpp"
#include "io/read_options.hpp"

namespace pdbfw {
namespace {

using Kind = MatrixMarketKind;
using Sizes = MatrixMarketSizes;

// Entries as they come, in any order.
template <class Value, class Entry>
struct Triplets {
  GrowingArray<Entry> row, column;
  GrowingArray<Value> value;

  void add(Index i, Index j, double v) {
    row.push_back(static_cast<Entry>(i));
    column.push_back(static_cast<Entry>(j));
    value.push_back(static_cast<Value>(v));
  }
};

template <class Value, class Entry>
Triplets<Value, Entry> read_triplets(MatrixMarketParser& parser, const Kind& kind, const Sizes& sizes) {
  Triplets<Value, Entry> triplets;
  for (Index k = 0; k < sizes.entries; ++k) {
    parser.next_entry(k, sizes.entries);
    const Index i = parser.read_index("row", sizes.rows);
    const Index j = parser.read_index("column", sizes.columns);
    const double value = kind.is_pattern ? 1 : parser.read_value();
    parser.end_entry();
    if (kind.is_symmetric && i < j) parser.fail_entry("an entry above the diagonal of a symmetric matrix");
    triplets.add(i, j, value);
    if (kind.is_symmetric && i != j) triplets.add(j, i, value);
  }
  parser.expect_end(sizes.entries);
  return triplets;
}

// Sorted by row by counting; own_lines sorts inside the rows.
template <class Value, class Entry>
OwnedLines<Value, Entry> by_row(const Triplets<Value, Entry>& triplets, Index rows) {
  const std::size_t entries = triplets.value.size();
  OwnedLines<Value, Entry> lines;
  Index* const offset = lines.offsets.extend(static_cast<std::size_t>(rows) + 1);
  std::fill_n(offset, rows + 1, Index{0});
  for (const Entry i : triplets.row.view()) ++offset[i + 1];
  for (Index i = 0; i < rows; ++i) offset[i + 1] += offset[i];
  Entry* const at = lines.at.extend(entries);
  Value* const value = lines.value.extend(entries);
  std::vector<Index> next(offset, offset + rows);
  for (std::size_t k = 0; k < entries; ++k) {
    const Index place = next[static_cast<std::size_t>(triplets.row.view()[k])]++;
    at[place] = triplets.column.view()[k];
    value[place] = triplets.value.view()[k];
  }
  return lines;
}

template <class Value, class Entry>
void fail_if_repeated(const OwnedLines<Value, Entry>& lines, Index rows, const std::string& name) {
  for (Index i = 0; i < rows; ++i) {
    const auto first = static_cast<std::size_t>(lines.offsets.view()[static_cast<std::size_t>(i)]);
    const auto last = static_cast<std::size_t>(lines.offsets.view()[static_cast<std::size_t>(i) + 1]);
    for (std::size_t k = first + 1; k < last; ++k)
      if (lines.at.view()[k] == lines.at.view()[k - 1])
        throw InputError(
            fmt::format("{}: the entry of row {}, column {} stands twice", name, i + 1, lines.at.view()[k] + 1));
  }
}

template <class Value, class Entry>
MatrixPtr read_sparse(MatrixMarketParser& parser, const Kind& kind, const Sizes& sizes, const std::string& name) {
  OwnedLines<Value, Entry> lines = by_row(read_triplets<Value, Entry>(parser, kind, sizes), sizes.rows);
  sort_lines(lines, sizes.rows);
  fail_if_repeated(lines, sizes.rows, name);
  return own_lines(DataMatrix::Orientation::by_row, sizes.rows, sizes.columns, std::move(lines));
}

// The lower triangle, column after column, as a whole matrix.
template <class Value>
GrowingArray<Value> mirrored(const GrowingArray<Value>& triangle, Index size) {
  GrowingArray<Value> square;
  Value* const to = square.extend(static_cast<std::size_t>(size * size));
  const Value* from = triangle.view().data();
  for (Index j = 0; j < size; ++j)
    for (Index i = j; i < size; ++i) to[j * size + i] = to[i * size + j] = *from++;
  return square;
}

template <class Value>
MatrixPtr read_dense(MatrixMarketParser& parser, const Kind& kind, const Sizes& sizes) {
  GrowingArray<Value> values;
  for (Index k = 0; k < sizes.entries; ++k) {
    parser.next_entry(k, sizes.entries);
    values.push_back(static_cast<Value>(parser.read_value()));
    parser.end_entry();
  }
  parser.expect_end(sizes.entries);
  if (kind.is_symmetric) values = mirrored(values, sizes.rows);
  const auto storage = std::make_shared<const GrowingArray<Value>>(std::move(values));
  return std::make_shared<const DataMatrix>(DenseLines<Value>{sizes.columns, sizes.rows, storage->view()},
                                            DataMatrix::Orientation::by_column, storage);
}

template <class Value>
MatrixPtr read_matrix(MatrixMarketParser& parser, const Kind& kind, const Sizes& sizes, const std::string& name) {
  if (kind.is_dense) return read_dense<Value>(parser, kind, sizes);
  constexpr Index kLargestNarrow = std::numeric_limits<std::int32_t>::max();
  if (std::max(sizes.rows, sizes.columns) <= kLargestNarrow)
    return read_sparse<Value, std::int32_t>(parser, kind, sizes, name);
  return read_sparse<Value, std::int64_t>(parser, kind, sizes, name);
}

}  // namespace

Dataset read_matrix_market(ByteSource& source, const std::string& name, const ReadOptions& options,
                           GivenTargets targets) {
  MatrixMarketParser parser(source, name, options.float32);
  const Kind kind = parser.read_banner();
  const Sizes sizes = parser.read_sizes(kind);
  Dataset data{nullptr, targets_for(sizes.rows, std::move(targets), name, options.needs_targets)};
  data.A =
      options.float32 ? read_matrix<float>(parser, kind, sizes, name) : read_matrix<double>(parser, kind, sizes, name);
  data.A = fitted(data.A, options);
  return data;
}

}  // namespace pdbfw
