// Small data as tables, and the matrices that store them in every way.
#pragma once

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "base/random.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw::test {

using Table = std::vector<std::vector<double>>;  // rows of equal length

// Uniform in [-1, 1], the given share of zeros, and some rows twice.
inline Table random_table(Index rows, Index columns, std::uint64_t seed, double zeros = 0.3) {
  Random random(seed);
  Table table;
  for (Index i = 0; i < rows; ++i) {
    std::vector<double> row;
    for (Index j = 0; j < columns; ++j) row.push_back(random.uniform() < zeros ? 0 : 2 * random.uniform() - 1);
    table.push_back(i % 7 == 6 ? table.front() : row);
  }
  return table;
}

template <class Value>
MatrixPtr dense(const Table& table) {
  std::vector<Value> value;
  for (const std::vector<double>& row : table)
    for (const double v : row) value.push_back(static_cast<Value>(v));
  return own_dense_rows(static_cast<Index>(table.size()), static_cast<Index>(table.front().size()), std::move(value));
}

template <class Value, class Entry>
MatrixPtr sparse(const Table& table) {
  std::vector<Index> offsets{0};
  std::vector<Entry> at;
  std::vector<Value> value;
  for (const std::vector<double>& row : table) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] == 0) continue;
      at.push_back(static_cast<Entry>(j));
      value.push_back(static_cast<Value>(row[j]));
    }
    offsets.push_back(static_cast<Index>(at.size()));
  }
  return own_csr(static_cast<Index>(table.size()), static_cast<Index>(table.front().size()), offsets, at, value);
}

// The entries of a matrix, stored in whatever way.
inline Table table_of(const DataMatrix& A) {
  Table table(static_cast<std::size_t>(A.rows()), std::vector<double>(static_cast<std::size_t>(A.columns())));
  std::visit(
      [&](const auto& rows) {
        for (Index i = 0; i < rows.count; ++i) {
          const auto line = rows[i];
          for (Index k = 0; k < line.size; ++k)
            table[static_cast<std::size_t>(i)][static_cast<std::size_t>(line.index(k))] =
                static_cast<double>(line.value[k]);
        }
      },
      A.by_row());
  return table;
}

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

// Values that a float holds exactly.
inline Table rounded(Table table) {
  for (std::vector<double>& row : table)
    for (double& value : row) value = static_cast<double>(static_cast<int>(value * 64)) / 64;
  return table;
}

// One table stored in every way but the first, which is dense<double>.
inline std::vector<MatrixPtr> other_storages(const Table& table) {
  return {dense<float>(table), sparse<double, std::int32_t>(table), sparse<float, std::int32_t>(table),
          sparse<double, std::int64_t>(table)};
}

}  // namespace pdbfw::test
