#include "linalg/products.hpp"

#include <algorithm>
#include <variant>
#include <vector>

#include "base/parallel.hpp"
#include "linalg/above.hpp"
#include "linalg/kernels.hpp"

namespace pdbfw {
namespace {

// Below this many entries the start of a thread costs more than it saves.
constexpr Index kWorthThreads = 200'000;
constexpr Index kShards = 64;

// out_i = <line i, v>. Shards of lines with about equal numbers of entries would balance better than equal numbers of
// lines; many small shards come close without knowing the offsets.
void dots(const Lines& lines, std::span<const double> v, std::span<double> out, int threads) {
  std::visit(
      [&](const auto& own) {
        const int used = static_cast<Index>(own.value.size()) < kWorthThreads ? 1 : threads;
        const Index shards = used == 1 ? 1 : std::min(kShards, own.count);
        parallel_for(used, shards, [&](Index shard) {
          const Index end = own.count * (shard + 1) / shards;
          for (Index i = own.count * shard / shards; i < end; ++i)
            out[static_cast<std::size_t>(i)] = dot(own[i], v.data());
        });
      },
      lines);
}

// The entries of a line whose indices are first .. last - 1, added to out.
template <class Line>
void add_part(const Line& line, Index first, Index last, double scale, double* out) {
  if constexpr (requires { line.at; }) {
    Index k = std::lower_bound(line.at, line.at + line.size, first) - line.at;
    for (; k < line.size && line.index(k) < last; ++k) out[line.index(k)] += scale * static_cast<double>(line.value[k]);
  } else {
    dense_add_scaled(line.value + first, scale, out + first, last - first);
  }
}

// out += sum_k coefficient_k (entries first .. last - 1 of line number at(k)), k < count.
template <class LineBundle, class At>
void add_parts(const LineBundle& lines, Index count, const At& at, const double* coefficient, Index first, Index last,
               double* out) {
  const bool are_whole = first == 0 && last == lines.length;
  for (Index k = 0; k < count; ++k) {
    if (coefficient[k] == 0) continue;
    if (are_whole)
      add_scaled(lines[at(k)], coefficient[k], out);
    else
      add_part(lines[at(k)], first, last, coefficient[k], out);
  }
}

// Without the columns: every thread adds up the rows in a range of columns, so any number of threads gives the same
// bits.
void add_rows(const Lines& rows, std::span<const double> y, std::span<double> z, int threads) {
  std::visit(
      [&](const auto& own) {
        const Index shards =
            static_cast<Index>(own.value.size()) < kWorthThreads ? 1 : std::clamp<Index>(threads, 1, own.length);
        parallel_for(threads, shards, [&](Index s) {
          const Index first = own.length * s / shards, last = own.length * (s + 1) / shards;
          add_parts(
              own, own.count, [](Index i) { return i; }, y.data(), first, last, z.data());
        });
      },
      rows);
}

Index entries_of(const DataMatrix& A, std::span<const Index> columns) {
  return std::visit(
      [&](const auto& lines) {
        Index sum = 0;
        for (const Index j : columns) sum += lines[j].size;
        return sum;
      },
      A.by_column());
}

}  // namespace

void multiply(const DataMatrix& A, std::span<const double> x, std::span<double> w, int threads) {
  A.visit_rows(
      [&](Index first, const Lines& rows) { dots(rows, x, w.subspan(static_cast<std::size_t>(first)), threads); });
}

void multiply_transposed(const DataMatrix& A, std::span<const double> y, std::span<double> z, int threads) {
  if (!A.is_streamed()) return dots(A.by_column(), y, z, threads);
  std::fill(z.begin(), z.end(), 0.0);
  A.visit_rows(
      [&](Index first, const Lines& rows) { add_rows(rows, y.subspan(static_cast<std::size_t>(first)), z, threads); });
}

double add_lines(const Lines& lines, std::span<const Index> at, std::span<const double> coefficient,
                 std::span<double> out) {
  return std::visit(
      [&](const auto& own) {
        Index touched = 0;
        for (std::size_t k = 0; k < at.size(); ++k) {
          const auto line = own[at[k]];
          add_scaled(line, coefficient[k], out.data());
          touched += line.size;
        }
        return static_cast<double>(touched);
      },
      lines);
}

double add_columns(const DataMatrix& A, std::span<const Index> at, std::span<const double> coefficient,
                   std::span<double> out) {
  if (!A.is_streamed()) return add_lines(A.by_column(), at, coefficient, out);
  std::vector<double> x(static_cast<std::size_t>(A.columns())), w(out.size());
  for (std::size_t k = 0; k < at.size(); ++k) x[static_cast<std::size_t>(at[k])] += coefficient[k];
  multiply(A, x, w);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += w[i];
  return static_cast<double>(A.nonzeros());
}

void row_squared_norms(const DataMatrix& A, std::span<double> out) {
  A.visit_rows([&](Index first, const Lines& rows) {
    const auto count = static_cast<std::size_t>(std::visit([](const auto& own) { return own.count; }, rows));
    squared_norms(rows, {}, out.subspan(static_cast<std::size_t>(first), count));
  });
}

void squared_norms(const Lines& lines, std::span<const double> scale, std::span<double> out) {
  std::visit(
      [&](const auto& own) {
        for (Index i = 0; i < own.count; ++i) {
          const auto line = own[i];
          double sum = 0;
          if (scale.empty()) {
            sum = squared_norm(line);
          } else {
            for (Index k = 0; k < line.size; ++k) {
              const auto value = static_cast<double>(line.value[k]);
              sum += value * value * scale[static_cast<std::size_t>(line.index(k))];
            }
          }
          out[static_cast<std::size_t>(i)] = sum;
        }
      },
      lines);
}

double multiply_support(const DataMatrix& A, std::span<const double> x, std::span<double> w, int threads) {
  const std::vector<Index> support = nonzero_positions(x, threads);
  std::vector<double> values;
  for (const Index j : support) values.push_back(x[static_cast<std::size_t>(j)]);
  return multiply_columns(A, support, values, w, threads);
}

double multiply_columns(const DataMatrix& A, std::span<const Index> columns, std::span<const double> x,
                        std::span<double> w, int threads) {
  const Index entries = A.is_streamed() ? A.nonzeros() : entries_of(A, columns);
  if (A.is_streamed() || 2 * entries > A.nonzeros()) {
    std::vector<double> all(static_cast<std::size_t>(A.columns()), 0.0);
    for (std::size_t k = 0; k < columns.size(); ++k) all[static_cast<std::size_t>(columns[k])] = x[k];
    multiply(A, all, w, threads);
    return static_cast<double>(A.nonzeros());
  }
  std::visit(
      [&](const auto& lines) {
        const auto at = [&](Index k) { return columns[static_cast<std::size_t>(k)]; };
        // Shards are ranges of rows: every w_i adds the columns in the same order, however many shards there are.
        const Index shards = entries < kWorthThreads ? 1 : threads;
        parallel_for(threads, shards, [&](Index s) {
          const Index first = A.rows() * s / shards, last = A.rows() * (s + 1) / shards;
          std::fill(w.begin() + first, w.begin() + last, 0.0);
          add_parts(lines, static_cast<Index>(columns.size()), at, x.data(), first, last, w.data());
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
  const Index entries = entries_of(A, columns), count = static_cast<Index>(columns.size());
  const Index shards = entries < kWorthThreads ? 1 : kShards;
  std::visit(
      [&](const auto& lines) {
        parallel_for(threads, shards, [&](Index s) {
          for (Index k = count * s / shards; k < count * (s + 1) / shards; ++k) {
            const auto at = static_cast<std::size_t>(k);
            z[at] = dot(lines[columns[at]], y.data());
          }
        });
      },
      A.by_column());
  return static_cast<double>(entries);
}

}  // namespace pdbfw
