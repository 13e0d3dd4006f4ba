#include "data/split_columns.hpp"

#include <cmath>
#include <memory>
#include <utility>
#include <variant>

namespace pdbfw {
namespace {

using Orientation = DataMatrix::Orientation;

// Where a column goes: its number among those that stay, or ~(its number among those that are taken).
std::vector<Index> places(Index count, std::span<const Index> columns) {
  std::vector<Index> place;
  place.reserve(static_cast<std::size_t>(count));
  std::size_t taken = 0;
  for (Index j = 0; j < count; ++j) {
    const bool is_taken = taken < columns.size() && columns[taken] == j;
    place.push_back(is_taken ? ~static_cast<Index>(taken) : j - static_cast<Index>(taken));
    if (is_taken) ++taken;
  }
  return place;
}

// Calls visit(row, place of the column, value) for all entries line by line, and end_of(line) after each.
template <class OneLines, class Visit, class End>
void for_each(const OneLines& lines, Orientation orientation, std::span<const Index> place, const Visit& visit,
              const End& end_of) {
  const bool is_by_row = orientation == Orientation::by_row;
  for (Index i = 0; i < lines.count; ++i) {
    const auto line = lines[i];
    for (Index k = 0; k < line.size; ++k) {
      const Index other = line.index(k);
      visit(is_by_row ? i : other, place[static_cast<std::size_t>(is_by_row ? other : i)], line.value[k]);
    }
    end_of(i);
  }
}

template <class Value, class Entry>
struct SparseStorage {
  std::vector<Index> offsets{0};
  std::vector<Entry> at;
  std::vector<Value> value;
};

template <class Value, class Entry>
SplitColumns split(const SparseLines<Value, Entry>& lines, Orientation orientation, Index n,
                   std::span<const Index> place, Index taken) {
  const bool is_by_row = orientation == Orientation::by_row;
  SplitColumns out{std::vector<double>(static_cast<std::size_t>(n * taken), 0.0), {}};
  auto storage = std::make_shared<SparseStorage<Value, Entry>>();
  storage->at.reserve(lines.at.size());
  storage->value.reserve(lines.value.size());
  for_each(
      lines, orientation, place,
      [&](Index row, Index column, Value value) {
        if (column < 0) {
          out.taken[static_cast<std::size_t>(~column * n + row)] = static_cast<double>(value);
          return;
        }
        storage->at.push_back(static_cast<Entry>(is_by_row ? column : row));
        storage->value.push_back(value);
      },
      [&](Index line) {
        if (is_by_row || place[static_cast<std::size_t>(line)] >= 0)
          storage->offsets.push_back(static_cast<Index>(storage->at.size()));
      });
  const Index rest = static_cast<Index>(place.size()) - taken;
  const SparseLines<Value, Entry> left{is_by_row ? n : rest, is_by_row ? rest : n, storage->offsets, storage->at,
                                       storage->value};
  out.rest = std::make_shared<const DataMatrix>(left, orientation, storage);
  return out;
}

template <class Value>
SplitColumns split(const DenseLines<Value>& lines, Orientation orientation, Index n, std::span<const Index> place,
                   Index taken) {
  const bool is_by_row = orientation == Orientation::by_row;
  const Index rest = static_cast<Index>(place.size()) - taken;
  SplitColumns out{std::vector<double>(static_cast<std::size_t>(n * taken)), {}};
  auto storage = std::make_shared<std::vector<Value>>();
  storage->reserve(static_cast<std::size_t>(n * rest));
  for_each(
      lines, orientation, place,
      [&](Index row, Index column, Value value) {
        if (column < 0)
          out.taken[static_cast<std::size_t>(~column * n + row)] = static_cast<double>(value);
        else
          storage->push_back(value);
      },
      [](Index) {});
  const DenseLines<Value> left{is_by_row ? n : rest, is_by_row ? rest : n, *storage};
  out.rest = std::make_shared<const DataMatrix>(left, orientation, storage);
  return out;
}

struct Storage {
  MatrixPtr A;  // has the indices
  std::vector<double> by_row, by_column;
};

template <class Value, class Entry>
Lines with_values(const SparseLines<Value, Entry>& lines, std::span<const double> value) {
  return SparseLines<double, Entry>{lines.count, lines.length, lines.offsets, lines.at, value};
}

template <class Value>
Lines with_values(const DenseLines<Value>& lines, std::span<const double> value) {
  return DenseLines<double>{lines.count, lines.length, value};
}

// The values of all lines, one after the other, each times the factor of its column.
std::vector<double> scaled_values(const Lines& lines, std::span<const double> factor, bool are_columns) {
  return std::visit(
      [&](const auto& own) {
        std::vector<double> out;
        out.reserve(own.value.size());
        for (Index i = 0; i < own.count; ++i) {
          const auto line = own[i];
          for (Index k = 0; k < line.size; ++k)
            out.push_back(static_cast<double>(line.value[k]) *
                          factor[static_cast<std::size_t>(are_columns ? i : line.index(k))]);
        }
        return out;
      },
      lines);
}

}  // namespace

SplitColumns split_columns(const DataMatrix& A, std::span<const Index> columns) {
  const std::vector<Index> place = places(A.columns(), columns);
  const Orientation given = A.orientation();
  return std::visit(
      [&](const auto& lines) { return split(lines, given, A.rows(), place, static_cast<Index>(columns.size())); },
      given == Orientation::by_row ? A.by_row() : A.by_column());
}

std::vector<double> without_entries(std::span<const double> values, std::span<const Index> columns) {
  const std::vector<Index> place = places(static_cast<Index>(values.size()), columns);
  std::vector<double> rest;
  rest.reserve(values.size() - columns.size());
  for (std::size_t j = 0; j < values.size(); ++j)
    if (place[j] >= 0) rest.push_back(values[j]);
  return rest;
}

std::vector<double> with_entries(std::span<const double> rest, std::span<const Index> columns,
                                 std::span<const double> taken) {
  std::vector<double> values;
  values.reserve(rest.size() + columns.size());
  for (const Index place : places(static_cast<Index>(rest.size() + columns.size()), columns))
    values.push_back(place < 0 ? taken[static_cast<std::size_t>(~place)] : rest[static_cast<std::size_t>(place)]);
  return values;
}

MatrixPtr scaled_columns(MatrixPtr A, std::span<const double> factor) {
  const auto storage = std::make_shared<Storage>();
  storage->by_row = scaled_values(A->by_row(), factor, false);
  storage->by_column = scaled_values(A->by_column(), factor, true);
  for (const double value : storage->by_row)
    if (!std::isfinite(value))
      throw InputError("data", "a value that is beyond the largest double once its column is scaled",
                       "columns whose values are of one order");
  const auto remade = [](const Lines& lines, std::span<const double> value) {
    return std::visit([&](const auto& own) { return with_values(own, value); }, lines);
  };
  const Lines rows = remade(A->by_row(), storage->by_row), columns = remade(A->by_column(), storage->by_column);
  storage->A = std::move(A);
  return std::make_shared<const DataMatrix>(rows, columns, storage);
}

}  // namespace pdbfw
