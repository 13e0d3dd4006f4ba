#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/parallel.hpp"
#include "linalg/dense_product.hpp"
#include "linalg/kernels.hpp"
#include "linalg/processor.hpp"
#include "linalg/products.hpp"

namespace pdbfw {
namespace {

// Below this many multiply-adds the start of a thread costs more than it saves.
constexpr double kWorthThreads = 1e6;
constexpr Index kShards = 64;
// The number of lines of dense float data that are turned into double at a time.
constexpr Index kConverted = 512;

// out_i += scale sum_k value_k V_{index(k)} over the entries k of line i: a row of V for every entry, asked for some
// entries ahead, since these rows lie anywhere.
struct AddRows {
  template <class Sparse>
  [[gnu::always_inline]] static inline void run(const Sparse& lines, Index first, Index last, const double* V,
                                                Index columns, double scale, double* out) {
    constexpr Index kAhead = 2;
    constexpr Index kPerCacheLine = 8;
    for (Index i = first; i < last; ++i) {
      const auto line = lines[i];
      double* const __restrict sum = out + i * columns;
      for (Index k = 0; k < line.size; ++k) {
        if (k + kAhead < line.size) {
          const double* const next = V + line.index(k + kAhead) * columns;
          for (Index j = 0; j < columns; j += kPerCacheLine) __builtin_prefetch(next + j);
        }
        const double* const __restrict row = V + line.index(k) * columns;
        const double factor = scale * static_cast<double>(line.value[k]);
        for (Index j = 0; j < columns; ++j) sum[j] += factor * row[j];
      }
    }
  }
};

template <class Value, class Entry>
void add_lines_times(const SparseLines<Value, Entry>& lines, const Matrix& V, double scale, Matrix& out, int threads) {
  const double work = static_cast<double>(lines.value.size()) * static_cast<double>(V.cols());
  const Index shards = work < kWorthThreads ? 1 : std::min(kShards, lines.count);
  parallel_for(threads, shards, [&](Index shard) {
    const Index first = lines.count * shard / shards, last = lines.count * (shard + 1) / shards;
    if (V.cols() == 1) {
      for (Index i = first; i < last; ++i) out.data()[i] += scale * dot(lines[i], V.data());
    } else {
      run_wide<AddRows>(lines, first, last, V.data(), V.cols(), scale, out.data());
    }
  });
}

// Calls use(lines first .. last - 1 as a dense matrix of double, first), block after block.
template <class Value, class Use>
void for_dense_blocks(const DenseLines<Value>& lines, const Use& use) {
  using Values = Eigen::Matrix<Value, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Values> all(lines.value.data(), lines.count, lines.length);
  if constexpr (std::is_same_v<Value, double>) {
    use(ConstView(all), 0);
  } else {
    Matrix block;
    for (Index first = 0; first < lines.count; first += kConverted) {
      block = all.middleRows(first, std::min(kConverted, lines.count - first)).template cast<double>();
      use(ConstView(block), first);
    }
  }
}

template <class Value>
void add_lines_times(const DenseLines<Value>& lines, const Matrix& V, double scale, Matrix& out, int threads) {
  for_dense_blocks(lines, [&](const ConstView& block, Index first) {
    add_times(scale, block, V, out.middleRows(first, block.rows()), threads);
  });
}

template <class Value>
void add_lines_transposed_times(const DenseLines<Value>& lines, const Matrix& V, double scale, Matrix& out,
                                int threads) {
  for_dense_blocks(lines, [&](const ConstView& block, Index first) {
    add_transposed_times(scale, block, V.middleRows(first, block.rows()), out, threads);
  });
}

}  // namespace

void add_product(const Lines& L, const Matrix& V, double scale, Matrix& out, int threads) {
  if (V.cols() == 0) return;
  std::visit([&](const auto& lines) { add_lines_times(lines, V, scale, out, threads); }, L);
}

void multiply(const DataMatrix& A, const Matrix& V, Matrix& out, int threads) {
  out.setZero(A.rows(), V.cols());
  add_product(A.by_row(), V, 1, out, threads);
}

void multiply_transposed(const DataMatrix& A, const Matrix& V, Matrix& out, int threads) {
  out.setZero(A.columns(), V.cols());
  add_transposed_product(A, V, 1, out, threads);
}

// Sparse data is read by column: to scatter rows is slower, and threads would get in each other's way. Dense data need
// not be turned round.
void add_transposed_product(const DataMatrix& A, const Matrix& V, double scale, Matrix& out, int threads) {
  if (V.cols() == 0) return;
  if (!A.is_dense()) {
    add_product(A.by_column(), V, scale, out, threads);
    return;
  }
  std::visit(
      [&](const auto& lines) {
        if constexpr (!requires { lines.at; }) add_lines_transposed_times(lines, V, scale, out, threads);
      },
      A.by_row());
}

double multiply_rows(const DataMatrix& A, std::span<const Index> at, const Matrix& V, Matrix& out, int threads) {
  constexpr std::int32_t kNone = -1;
  out.setZero(A.rows(), V.cols());
  std::vector<std::int32_t> place(static_cast<std::size_t>(A.columns()), kNone);
  for (std::size_t k = 0; k < at.size(); ++k) place[static_cast<std::size_t>(at[k])] = static_cast<std::int32_t>(k);
  std::vector<Index> touched(kShards, 0);
  const auto add_block = [&](Index first_row, const auto& rows) {
    parallel_for(threads, kShards, [&](Index shard) {
      Index entries = 0;
      for (Index i = rows.count * shard / kShards; i < rows.count * (shard + 1) / kShards; ++i) {
        const auto line = rows[i];
        double* const __restrict sum = out.data() + (first_row + i) * V.cols();
        for (Index k = 0; k < line.size; ++k) {
          const std::int32_t row = place[static_cast<std::size_t>(line.index(k))];
          const auto factor = static_cast<double>(line.value[k]);
          if (row == kNone || factor == 0) continue;
          const double* const __restrict from = V.data() + row * V.cols();
          for (Index j = 0; j < V.cols(); ++j) sum[j] += factor * from[j];
          ++entries;
        }
      }
      touched[static_cast<std::size_t>(shard)] += entries;
    });
  };
  A.visit_rows([&](Index first_row, const Lines& block) {
    std::visit([&](const auto& rows) { add_block(first_row, rows); }, block);
  });
  Index all = 0;
  for (const Index entries : touched) all += entries;
  return static_cast<double>(all);
}

Matrix dense_rows(const DataMatrix& A, Index first, Index last) {
  Matrix rows = Matrix::Zero(last - first, A.columns());
  std::visit(
      [&](const auto& lines) {
        for (Index i = first; i < last; ++i) add_scaled(lines[i], 1, rows.row(i - first).data());
      },
      A.by_row());
  return rows;
}

}  // namespace pdbfw
