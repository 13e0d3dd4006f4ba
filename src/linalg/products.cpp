#include "linalg/products.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "linalg/kernels.hpp"

namespace pdbfw {
namespace {

// out_i = <line i, v>. Shards of lines with about equal numbers of entries would balance better than equal numbers of
// lines; many small shards come close without knowing the offsets.
void dots(const Lines& lines, std::span<const double> v, std::span<double> out, int threads) {
  // Below this many entries the start of a thread costs more than it saves.
  constexpr std::size_t kWorthThreads = 200'000;
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

}  // namespace

void multiply(const DataMatrix& A, std::span<const double> x, std::span<double> w, int threads) {
  dots(A.by_row(), x, w, threads);
}

void multiply_transposed(const DataMatrix& A, std::span<const double> y, std::span<double> z, int threads) {
  dots(A.by_column(), y, z, threads);
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
