#include "data/scaled_columns.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

namespace pdbfw {
namespace {

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

// Sums wider than double: the square of any double fits. The zeros differ from the mean by the mean.
std::vector<double> column_deviations(const DataMatrix& A, std::span<const double> weight) {
  constexpr double kRounding = 1e-14;  // what it leaves of a constant column is not a spread
  const auto weight_of = [&](Index i) -> long double {
    return weight.empty() ? 1 : static_cast<long double>(weight[static_cast<std::size_t>(i)]);
  };
  long double total = 0;
  for (Index i = 0; i < A.rows(); ++i) total += weight_of(i);
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(A.columns()));
  std::visit(
      [&](const auto& columns) {
        for (Index j = 0; j < columns.count; ++j) {
          const auto line = columns[j];
          long double sum = 0, stored = 0, squares = 0;
          double largest = 0;
          for (Index k = 0; k < line.size; ++k) {
            const long double w = weight_of(line.index(k)), value = line.value[k];
            sum += w * value;
            stored += w;
            if (w > 0) largest = std::max(largest, std::abs(static_cast<double>(value)));
          }
          const long double mean = sum / total;
          for (Index k = 0; k < line.size; ++k) {
            const long double off = line.value[k] - mean;
            squares += weight_of(line.index(k)) * off * off;
          }
          squares += (total - stored) * mean * mean;
          const auto found = static_cast<double>(std::sqrt(squares / total));
          out.push_back(found > kRounding * largest ? found : 1);
        }
      },
      A.by_column());
  return out;
}

}  // namespace pdbfw
