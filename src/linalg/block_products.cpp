#include "linalg/block_products.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/parallel.hpp"
#include "linalg/dense_kernels.hpp"

namespace pdbfw {
namespace {

using Block = Eigen::Map<Matrix>;
using ConstBlock = Eigen::Map<const Matrix>;

// Below this many multiply-adds the start of a thread costs more than it saves.
constexpr double kWorthThreads = 1e6;
constexpr Index kShards = 64;
constexpr Index kPanels = 16;
// Dense data of float is turned into double so many lines at a time.
constexpr Index kConverted = 64;

template <class Value, class Entry>
void add_rows(const SparseLines<Value, Entry>& lines, Index first, Index last, const Matrix& V, double scale,
              double* out) {
  const Index s = V.cols();
  for (Index i = first; i < last; ++i) {
    const auto line = lines[i];
    double* const sum = out + (i - first) * s;
    for (Index k = 0; k < line.size; ++k)
      dense_add_scaled(V.data() + line.index(k) * s, scale * static_cast<double>(line.value[k]), sum, s);
  }
}

template <class Value, class Use>
void by_blocks(const DenseLines<Value>& lines, Index first, Index last, const Use& use) {
  if constexpr (std::is_same_v<Value, double>) {
    use(ConstBlock(lines[first].value, last - first, lines.length), first);
  } else {
    for (Index from = first; from < last; from += kConverted) {
      const Index count = std::min(kConverted, last - from);
      const Matrix block = Eigen::Map<const Eigen::Matrix<Value, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
                               lines[from].value, count, lines.length)
                               .template cast<double>();
      use(ConstBlock(block.data(), count, lines.length), from);
    }
  }
}

template <class Value>
void add_rows(const DenseLines<Value>& lines, Index first, Index last, const Matrix& V, double scale, double* out) {
  by_blocks(lines, first, last, [&](const ConstBlock& rows, Index from) {
    Block(out + (from - first) * V.cols(), rows.rows(), V.cols()).noalias() += scale * (rows * V);
  });
}

template <class Value, class Entry>
void add_columns(const SparseLines<Value, Entry>& lines, Index first, Index last, const double* V, double scale,
                 Matrix& out) {
  const Index s = out.cols();
  for (Index i = first; i < last; ++i) {
    const auto line = lines[i];
    for (Index k = 0; k < line.size; ++k)
      dense_add_scaled(V + (i - first) * s, scale * static_cast<double>(line.value[k]), out.data() + line.index(k) * s,
                       s);
  }
}

template <class Value>
void add_columns(const DenseLines<Value>& lines, Index first, Index last, const double* V, double scale, Matrix& out) {
  by_blocks(lines, first, last, [&](const ConstBlock& rows, Index from) {
    out.noalias() += scale * (rows.transpose() * ConstBlock(V + (from - first) * out.cols(), rows.rows(), out.cols()));
  });
}

// Columns first .. last - 1 of dense lines.
template <class Value>
void add_panel(const DenseLines<Value>& lines, Index first, Index last, const Matrix& V, double scale, Matrix& out) {
  if (V.cols() == 0 || lines.count == 0) return;
  using Values = Eigen::Matrix<Value, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Values> rows(lines.value.data(), lines.count, lines.length);
  const auto panel = rows.middleCols(first, last - first);
  auto target = out.middleRows(first, last - first);
  if constexpr (std::is_same_v<Value, double>) {
    target.noalias() += scale * (panel.transpose() * V);
  } else {
    Matrix converted;
    for (Index from = 0; from < lines.count; from += kConverted) {
      const Index count = std::min(kConverted, lines.count - from);
      converted = panel.middleRows(from, count).template cast<double>();
      target.noalias() += scale * (converted.transpose() * V.middleRows(from, count));
    }
  }
}
template <class Value, class Entry>
void add_panel(const SparseLines<Value, Entry>&, Index, Index, const Matrix&, double, Matrix&) {}

template <class Own>
double entries(const Own& lines) {
  return static_cast<double>(lines.value.size());
}

void add_in_shards(const Lines& lines, const Matrix& V, double scale, Matrix& out, int threads) {
  std::visit(
      [&](const auto& own) {
        if (V.cols() == 0 || own.count == 0) return;
        const double work = entries(own) * static_cast<double>(V.cols());
        const Index shards = work < kWorthThreads ? 1 : std::min(kShards, own.count);
        parallel_for(threads, shards, [&](Index shard) {
          const Index first = own.count * shard / shards, last = own.count * (shard + 1) / shards;
          add_rows(own, first, last, V, scale, out.data() + first * V.cols());
        });
      },
      lines);
}

}  // namespace

void add_product(const Lines& lines, Index first, Index last, const Matrix& V, double scale, double* out) {
  if (V.cols() == 0 || first == last) return;
  std::visit([&](const auto& own) { add_rows(own, first, last, V, scale, out); }, lines);
}

void add_transposed_product(const Lines& lines, Index first, Index last, const double* V, double scale, Matrix& out) {
  if (out.cols() == 0 || first == last) return;
  std::visit([&](const auto& own) { add_columns(own, first, last, V, scale, out); }, lines);
}

void multiply(const Lines& lines, const Matrix& V, Matrix& out, int threads) {
  out.setZero(std::visit([](const auto& own) { return own.count; }, lines), V.cols());
  add_in_shards(lines, V, 1, out, threads);
}

void multiply(const DataMatrix& A, const Matrix& V, Matrix& out, int threads) { multiply(A.by_row(), V, out, threads); }

void multiply_transposed(const DataMatrix& A, const Matrix& V, Matrix& out, int threads) {
  out.setZero(A.columns(), V.cols());
  add_transposed_product(A, V, 1, out, threads);
}

void multiply_transposed(const Matrix& A, const Matrix& V, Matrix& out, int threads) {
  // Chunks of rows, each with a sum of its own: a block has many rows and few columns.
  constexpr Index kChunk = 2048;
  const Index chunks = std::max<Index>(1, (A.rows() + kChunk - 1) / kChunk);
  std::vector<Matrix> sums(static_cast<std::size_t>(chunks));
  parallel_for(threads, chunks, [&](Index chunk) {
    const Index first = chunk * kChunk, count = std::min(kChunk, A.rows() - first);
    sums[static_cast<std::size_t>(chunk)].noalias() =
        A.middleRows(first, count).transpose() * V.middleRows(first, count);
  });
  out = std::move(sums.front());
  for (std::size_t chunk = 1; chunk < sums.size(); ++chunk) out += sums[chunk];
}

void add_transposed_product(const DataMatrix& A, const Matrix& V, double scale, Matrix& out, int threads) {
  if (!A.is_dense()) {
    add_in_shards(A.by_column(), V, scale, out, threads);
    return;
  }
  // Dense data need not be turned round: shards are ranges of columns.
  const double work = static_cast<double>(A.nonzeros()) * static_cast<double>(V.cols());
  const Index shards = work < kWorthThreads ? 1 : std::min<Index>(kPanels, A.columns());
  parallel_for(threads, shards, [&](Index shard) {
    const Index first = A.columns() * shard / shards, last = A.columns() * (shard + 1) / shards;
    std::visit([&](const auto& own) { add_panel(own, first, last, V, scale, out); }, A.by_row());
  });
}

}  // namespace pdbfw
