#include <algorithm>
#include <type_traits>
#include <vector>

#include "base/parallel.hpp"
#include "linalg/above.hpp"
#include "linalg/kernels.hpp"
#include "linalg/products.hpp"

namespace pdbfw {
namespace {

// Below this many entries the start of a thread costs more than it saves.
constexpr Index kWorthThreads = 200'000;
constexpr Index kShards = 64;

// The entries of a column in rows first .. last - 1, added to w.
template <class Line>
void add_part(const Line& line, Index first, Index last, double scale, double* w) {
  Index k = first, end = last;  // a dense line holds row k at place k
  if constexpr (requires { line.at; }) {
    k = std::lower_bound(line.at, line.at + line.size, first) - line.at;
    end = std::lower_bound(line.at + k, line.at + line.size, last) - line.at;
  }
  for (; k < end; ++k) w[line.index(k)] += scale * static_cast<double>(line.value[k]);
}

}  // namespace

double multiply_support(const DataMatrix& A, std::span<const double> x, std::span<double> w, int threads) {
  const std::vector<Index> support = nonzero_positions(x, threads);
  std::vector<double> values;
  for (const Index j : support) values.push_back(x[static_cast<std::size_t>(j)]);
  return multiply_columns(A, support, values, w, threads);
}

double multiply_columns(const DataMatrix& A, std::span<const Index> columns, std::span<const double> x,
                        std::span<double> w, int threads) {
  const Index entries = A.is_streamed() ? A.nonzeros()
                                        : std::visit(
                                              [&](const auto& lines) {
                                                Index sum = 0;
                                                for (const Index j : columns) sum += lines[j].size;
                                                return sum;
                                              },
                                              A.by_column());
  if (A.is_streamed() || 2 * entries > A.nonzeros()) {
    std::vector<double> all(static_cast<std::size_t>(A.columns()), 0.0);
    for (std::size_t k = 0; k < columns.size(); ++k) all[static_cast<std::size_t>(columns[k])] = x[k];
    multiply(A, all, w, threads);
    return static_cast<double>(A.nonzeros());
  }
  std::visit(
      [&](const auto& lines) {
        // Shards are ranges of rows: every w_i adds the columns in the same order, however many shards there are.
        const Index shards = entries < kWorthThreads ? 1 : threads;
        parallel_for(threads, shards, [&](Index s) {
          const Index first = A.rows() * s / shards, last = A.rows() * (s + 1) / shards;
          std::fill(w.begin() + first, w.begin() + last, 0.0);
          for (std::size_t k = 0; k < columns.size(); ++k) add_part(lines[columns[k]], first, last, x[k], w.data());
        });
      },
      A.by_column());
  return static_cast<double>(entries);
}

double multiply_transposed_on(const DataMatrix& A, std::span<const Index> columns, std::span<const double> y,
                              std::span<double> z, int threads) {
  if (A.is_streamed()) {
    std::vector<double> all(static_cast<std::size_t>(A.columns()));
    multiply_transposed(A, y, all, threads);
    for (std::size_t k = 0; k < columns.size(); ++k) z[k] = all[static_cast<std::size_t>(columns[k])];
    return static_cast<double>(A.nonzeros());
  }
  return std::visit(
      [&](const auto& lines) {
        Index entries = 0;
        for (const Index j : columns) entries += lines[j].size;
        const auto count = static_cast<Index>(columns.size());
        const Index shards = entries < kWorthThreads ? 1 : kShards;
        parallel_for(threads, shards, [&](Index s) {
          for (Index k = count * s / shards; k < count * (s + 1) / shards; ++k) {
            const auto at = static_cast<std::size_t>(k);
            z[at] = dot(lines[columns[at]], y.data());
          }
        });
        return static_cast<double>(entries);
      },
      A.by_column());
}

}  // namespace pdbfw
