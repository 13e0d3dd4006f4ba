// W_i = X[row_i, column_i]. The adjoint is the sparse matrix with Y_i at [row_i, column_i].                    [M23b]
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/parallel.hpp"
#include "linalg/lanes.hpp"
#include "linalg/operators.hpp"
#include "linalg/processor.hpp"
#include "linalg/products.hpp"
#include "maps/map_checks.hpp"
#include "pdbfw/linear_map.hpp"

namespace pdbfw {
namespace {

using Position = std::int32_t;
constexpr Index kMostPositions = std::numeric_limits<Position>::max();
// Below this many multiply-adds the start of a thread costs more than it saves.
constexpr double kWorthThreads = 1e6;
constexpr Index kShards = 64;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// The entries line by line (rows or columns), ascending inside a line.
struct EntryLines {
  std::vector<Index> offsets;    // line i holds entries offsets[i] .. offsets[i + 1] - 1
  std::vector<Position> across;  // where in the line
  std::vector<Position> sample;  // which sample

  [[nodiscard]] Index count() const { return static_cast<Index>(offsets.size()) - 1; }
  // With the value of its sample at every entry.
  [[nodiscard]] std::vector<double> gathered(const Matrix& Y) const {
    std::vector<double> value(sample.size());
    for (std::size_t e = 0; e < value.size(); ++e) value[e] = Y.data()[sample[e]];
    return value;
  }
};

// W[sample_e] = <p, V_{across_e}> for the entries e of a row.
struct InnerProducts {
  [[gnu::always_inline]] static inline void run(const double* p, const double* V, Index rank, const Position* across,
                                                const Position* sample, Index size, double* W) {
    for (Index e = 0; e < size; ++e) {
      const double* const v = V + across[e] * rank;
      W[sample[e]] = sum_in_lanes(
          rank, [=](Index k) __attribute__((always_inline)) { return p[k] * v[k]; });
    }
  }
};

// `order` lists the samples by ascending `across`; a stable counting sort by `line` keeps that inside a line.
EntryLines sorted_by(const std::vector<Position>& line, const std::vector<Position>& across, Index lines,
                     const std::vector<Position>& order) {
  EntryLines out;
  out.offsets.assign(at(lines) + 1, 0);
  for (const Position l : line) ++out.offsets[at(l) + 1];
  for (std::size_t l = 1; l < out.offsets.size(); ++l) out.offsets[l] += out.offsets[l - 1];
  out.across.resize(line.size());
  out.sample.resize(line.size());
  std::vector<Index> next(out.offsets.begin(), out.offsets.end() - 1);
  for (const Position sample : order) {
    const auto place = at(next[at(line[at(sample)])]++);
    out.across[place] = across[at(sample)];
    out.sample[place] = sample;
  }
  return out;
}

class EntriesAdjoint final : public Operator {
 public:
  EntriesAdjoint(const EntryLines& by_row, const EntryLines& by_column, const Matrix& Y)
      : row_value_(by_row.gathered(Y)),
        column_value_(by_column.gathered(Y)),
        by_row_(SparseLines<double, Position>{by_row.count(), by_column.count(), by_row.offsets, by_row.across,
                                              row_value_}),
        by_column_(SparseLines<double, Position>{by_column.count(), by_row.count(), by_column.offsets, by_column.across,
                                                 column_value_}) {}
  [[nodiscard]] Index rows() const override { return std::get<0>(by_row_).count; }
  [[nodiscard]] Index columns() const override { return std::get<0>(by_column_).count; }
  void times(const Matrix& V, Matrix& out, int threads) const override {
    out.setZero(rows(), V.cols());
    add_product(by_row_, V, 1, out, threads);
  }
  void transposed_times(const Matrix& U, Matrix& out, int threads) const override {
    out.setZero(columns(), U.cols());
    add_product(by_column_, U, 1, out, threads);
  }
  [[nodiscard]] double cost() const override { return static_cast<double>(row_value_.size()); }

 private:
  std::vector<double> row_value_, column_value_;
  Lines by_row_, by_column_;
};

class EntriesMap final : public LinearMap {
 public:
  EntriesMap(Index rows, Index columns, std::vector<Position> row, std::vector<Position> column)
      : row_(std::move(row)), column_(std::move(column)) {
    std::vector<Position> given(row_.size());
    for (std::size_t i = 0; i < given.size(); ++i) given[i] = static_cast<Position>(i);
    by_column_ = sorted_by(column_, row_, columns, given);
    by_row_ = sorted_by(row_, column_, rows, by_column_.sample);
    by_column_ = sorted_by(column_, row_, columns, by_row_.sample);
  }

  [[nodiscard]] std::string_view name() const override { return "entries"; }
  [[nodiscard]] Index samples() const override { return static_cast<Index>(row_.size()); }
  [[nodiscard]] Index outputs() const override { return 1; }
  [[nodiscard]] Index rows() const override { return by_row_.count(); }
  [[nodiscard]] Index columns() const override { return by_column_.count(); }

  // Row after row: U_i diag(s) is used for all entries of the row.
  void apply(const Factors& X, Matrix& W, int threads) const override {
    const Index rank = X.rank();
    W.resize(samples(), 1);
    for_rows(apply_cost(rank), threads, [&](Index first, Index last) {
      Vector scaled(rank);
      for (Index i = first; i < last; ++i) {
        for (Index k = 0; k < rank; ++k) scaled(k) = X.U(i, k) * X.s(k);
        const Index first_entry = by_row_.offsets[at(i)], entries = by_row_.offsets[at(i) + 1] - first_entry;
        run_wide<InnerProducts>(scaled.data(), X.V.data(), rank, by_row_.across.data() + first_entry,
                                by_row_.sample.data() + first_entry, entries, W.data());
      }
    });
  }
  void apply(const Matrix& X, Matrix& W, int threads) const override {
    W.resize(samples(), 1);
    for_entries(threads, [&](Index i, Position j, Position sample) { W.data()[sample] = X(i, j); });
  }
  void add_adjoint(const Matrix& Y, double scale, Matrix& Z, int threads) const override {
    for_entries(threads, [&](Index i, Position j, Position sample) { Z(i, j) += scale * Y.data()[sample]; });
  }
  [[nodiscard]] std::unique_ptr<const Operator> adjoint(const Matrix& Y) const override {
    return std::make_unique<EntriesAdjoint>(by_row_, by_column_, Y);
  }
  [[nodiscard]] std::shared_ptr<const LinearMap> subset(std::span<const Index> samples) const override {
    check_samples(samples, this->samples());
    std::vector<Position> row, column;
    for (const Index i : samples) {
      row.push_back(row_[at(i)]);
      column.push_back(column_[at(i)]);
    }
    return std::make_shared<EntriesMap>(rows(), columns(), std::move(row), std::move(column));
  }

  // How often the most frequent pair occurs: the squared norm of its column of the map's matrix, and columns of
  // different pairs are orthogonal.
  [[nodiscard]] double squared_norm() const override {
    Index most = 1;
    for (Index i = 0; i < by_row_.count(); ++i) {
      Index run = 1;
      for (Index e = by_row_.offsets[at(i)] + 1; e < by_row_.offsets[at(i) + 1]; ++e) {
        run = by_row_.across[at(e)] == by_row_.across[at(e) - 1] ? run + 1 : 1;
        most = std::max(most, run);
      }
    }
    return static_cast<double>(most);
  }
  [[nodiscard]] double largest_squared_sample_norm() const override { return 1; }

  [[nodiscard]] double apply_cost(Index rank) const override { return cells(samples(), rank); }
  [[nodiscard]] double pass_cost() const override { return static_cast<double>(samples()); }

 private:
  template <class Work>
  void for_rows(double cost, int threads, const Work& work) const {
    const Index shards = cost < kWorthThreads ? 1 : std::min(kShards, rows());
    parallel_for(threads, shards, [&](Index shard) { work(rows() * shard / shards, rows() * (shard + 1) / shards); });
  }
  // use(row, column, sample), row after row.
  template <class Use>
  void for_entries(int threads, const Use& use) const {
    for_rows(pass_cost(), threads, [&](Index first, Index last) {
      for (Index i = first; i < last; ++i)
        for (Index e = by_row_.offsets[at(i)]; e < by_row_.offsets[at(i) + 1]; ++e)
          use(i, by_row_.across[at(e)], by_row_.sample[at(e)]);
    });
  }

  std::vector<Position> row_, column_;  // as given
  EntryLines by_row_, by_column_;
};

std::vector<Position> positions(std::string_view name, const std::vector<Index>& given, Index size) {
  std::vector<Position> out;
  out.reserve(given.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] < 0 || given[i] >= size)
      throw InputError(fmt::format("{}[{}]", name, i), fmt::format("{}", given[i]), fmt::format("0 .. {}", size - 1));
    out.push_back(static_cast<Position>(given[i]));
  }
  return out;
}

}  // namespace

MapPtr entries_map(Index rows, Index columns, const std::vector<Index>& row, const std::vector<Index>& column) {
  const auto count = [](std::string_view name, Index value) {
    if (value < 1 || value > kMostPositions)
      throw InputError(name, fmt::format("{}", value), fmt::format("1 .. {}", kMostPositions));
  };
  count("rows", rows);
  count("columns", columns);
  count("entries", static_cast<Index>(row.size()));
  if (row.size() != column.size())
    throw InputError("column", fmt::format("{} indices", column.size()), fmt::format("{}, one an entry", row.size()));
  return std::make_shared<EntriesMap>(rows, columns, positions("row", row, rows), positions("column", column, columns));
}

}  // namespace pdbfw
