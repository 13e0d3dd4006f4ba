#include "linalg/products.hpp"

#include <algorithm>
#include <variant>
#include <vector>

#include "base/parallel.hpp"
#include "linalg/kernels.hpp"

namespace pdbfw {
namespace {

// Below this many entries the start of a thread costs more than it saves.
constexpr std::size_t kWorthThreads = 200'000;

// out_i = <line i, v>. Shards of lines with about equal numbers of entries would balance better than equal numbers of
// lines; many small shards come close without knowing the offsets.
void dots(const Lines& lines, std::span<const double> v, std::span<double> out, int threads) {
  constexpr Index kShards = 64;
  std::visit(
      [&](const auto& own) {
        const int used = own.value.size() < kWorthThreads ? 1 : threads;
        const Index shards = used == 1 ? 1 : std::min(kShards, own.count);
        parallel_for(used, shards, [&](Index shard) {
          const Index end = own.count * (shard + 1) / shards;
          for (Index i = own.count * shard / shards; i < end; ++i)
            out[static_cast<std::size_t>(i)] = dot(own[i], v.data());
        });
      },
      lines);
}

// out += sum_i y_i * (entries first .. last - 1 of line i).
template <class Value, class Entry>
void add_part(const SparseLines<Value, Entry>& lines, const double* y, Index first, Index last, double* out) {
  const bool is_whole = first == 0 && last == lines.length;
  for (Index i = 0; i < lines.count; ++i) {
    const auto line = lines[i];
    if (y[i] == 0) continue;
    if (is_whole) {
      add_scaled(line, y[i], out);
      continue;
    }
    Index k = std::lower_bound(line.at, line.at + line.size, first) - line.at;
    for (; k < line.size && line.index(k) < last; ++k) out[line.index(k)] += y[i] * static_cast<double>(line.value[k]);
  }
}

template <class Value>
void add_part(const DenseLines<Value>& lines, const double* y, Index first, Index last, double* out) {
  for (Index i = 0; i < lines.count; ++i) dense_add_scaled(lines[i].value + first, y[i], out + first, last - first);
}

// Without the columns: every thread adds up the rows in a range of columns, so any number of threads gives the same
// bits.
void add_rows(const Lines& rows, std::span<const double> y, std::span<double> z, int threads) {
  std::visit(
      [&](const auto& own) {
        const Index shards = own.value.size() < kWorthThreads ? 1 : std::clamp<Index>(threads, 1, own.length);
        parallel_for(threads, shards, [&](Index shard) {
          add_part(own, y.data(), own.length * shard / shards, own.length * (shard + 1) / shards, z.data());
        });
      },
      rows);
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

}  // namespace pdbfw
