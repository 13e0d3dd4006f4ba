#include "io/data/matrix_market_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <utility>

#include "base/machine_memory.hpp"
#include "io/bytes/text.hpp"
#include "io/data/read_options.hpp"
#include "io/data/row_store.hpp"

namespace pdbfw {
namespace {

constexpr std::string_view kBanner = "%%matrixmarket";

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

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
  Triplets<Value, Entry> triplets;
  parser.for_each_entry(kind, sizes, [&](Index i, Index j, double value) { triplets.add(i, j, value); });
  OwnedLines<Value, Entry> lines = by_row(triplets, sizes.rows);
  triplets = {};
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
  parser.for_each_value(sizes, [&](double value) { values.push_back(static_cast<Value>(value)); });
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

bool is_matrix_market(std::string_view head) { return lower_case(head).starts_with(kBanner); }

std::size_t MatrixMarketParser::choose(std::string_view what, const std::vector<std::string_view>& names) {
  const std::string_view found = lines_.word();
  const auto at = std::find(names.begin(), names.end(), lower_case(found));
  if (at == names.end())
    lines_.fail(found,
                fmt::format("{} {} cannot be read; known are: {}", what, in_quotes(found), fmt::join(names, ", ")));
  return static_cast<std::size_t>(at - names.begin());
}

MatrixMarketKind MatrixMarketParser::read_banner() {
  if (!lines_.next()) throw InputError(fmt::format("{}: the file is empty", name_));
  const std::string_view banner = lines_.word();
  if (lower_case(banner) != kBanner) lines_.fail(banner, "no '%%MatrixMarket' at the beginning");
  static_cast<void>(choose("object", {"matrix"}));
  MatrixMarketKind kind;
  kind.is_dense = choose("format", {"coordinate", "array"}) == 1;
  kind.is_pattern = choose("field", {"real", "integer", "double", "pattern"}) == 3;
  kind.is_symmetric = choose("symmetry", {"general", "symmetric"}) == 1;
  lines_.end_line();
  if (kind.is_dense && kind.is_pattern) lines_.fail_line("an array has values; 'pattern' is for coordinates");
  return kind;
}

MatrixMarketSizes MatrixMarketParser::read_sizes(const MatrixMarketKind& kind) {
  if (!next_line()) lines_.fail_at_end("the file ends before the line with the sizes (truncated file?)");
  MatrixMarketSizes sizes;
  sizes.rows = whole_number("rows");
  sizes.columns = whole_number("columns");
  if (!kind.is_dense) sizes.entries = whole_number("entries");
  lines_.end_line();
  constexpr Index kMostRows = Index{1} << 48U;  // keeps all products far from 2^63
  if (sizes.rows == 0) throw InputError(fmt::format("{}: no samples", name_));
  if (sizes.rows > kMostRows) lines_.fail_line(fmt::format("{} rows are too many", sizes.rows));
  if (sizes.columns == 0) lines_.fail_line("no columns");
  if (sizes.columns > most_features_in_memory())
    lines_.fail_line(fmt::format("weights for {} features do not fit into this machine's memory", sizes.columns));
  if (kind.is_symmetric && sizes.rows != sizes.columns)
    lines_.fail_line(fmt::format("{} x {} is not symmetric", sizes.rows, sizes.columns));
  const double cells = static_cast<double>(sizes.rows) * static_cast<double>(sizes.columns);
  if (kind.is_dense && cells * sizeof(double) > static_cast<double>(machine_memory_bytes()))
    lines_.fail_line(fmt::format("{} x {} values do not fit into this machine's memory", sizes.rows, sizes.columns));
  if (kind.is_dense)
    sizes.entries = kind.is_symmetric ? sizes.rows * (sizes.rows + 1) / 2 : sizes.rows * sizes.columns;
  else if (static_cast<double>(sizes.entries) > cells)
    lines_.fail_line(fmt::format("{} entries are more than {} x {}", sizes.entries, sizes.rows, sizes.columns));
  return sizes;
}

bool MatrixMarketParser::next_line() {
  while (lines_.next()) {
    const std::string_view first = lines_.word();
    lines_.rewind();
    if (!first.empty() && !first.starts_with('%')) return true;
  }
  return false;
}

Index MatrixMarketParser::whole_number(std::string_view what) {
  const std::string_view text = lines_.word();
  constexpr std::size_t kMostDigits = 18;  // fit 63 bits
  if (text.empty() || text.size() > kMostDigits || !std::all_of(text.begin(), text.end(), is_digit))
    lines_.fail(text, fmt::format("{} {} is not a whole number", what, in_quotes(text)));
  Index value = 0;
  for (const char c : text) value = value * 10 + (c - '0');
  return value;
}

Index MatrixMarketParser::read_index(std::string_view what, Index most) {
  const Index index = whole_number(what);
  if (index < 1 || index > most) lines_.fail_line(fmt::format("{} {} is not in 1 .. {}", what, index, most));
  return index - 1;
}

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
