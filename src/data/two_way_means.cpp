// Alternately the shrunk means of what the other one leaves, which is Gauss-Seidel on a strictly convex quadratic:
//   row_i    = sum_j (value_ij - mean - column_j) / (entries of the row + shrinkage)
//   column_j = sum_i (value_ij - mean - row_i) / (entries of the column + shrinkage)
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pdbfw/dataset.hpp"

namespace pdbfw {
namespace {

constexpr int kMostSweeps = 100;
// A share of the largest effect: a hundredth of a thousandth of a star changes no prediction.
constexpr double kSettled = 1e-8;

void check_places(std::string_view name, std::span<const Index> place, Index count) {
  for (const Index at : place)
    if (at < 0 || at >= count)
      throw InputError(fmt::format("entries.{}", name), fmt::format("{}", at), fmt::format("0 .. {}", count - 1));
}

void check(const EntriesView& entries) {
  if (entries.size() == 0) throw InputError("entries", "none", "at least one");
  if (entries.column.size() != entries.row.size() || entries.value.size() != entries.row.size())
    throw InputError(
        "entries",
        fmt::format("{} rows, {} columns, {} values", entries.row.size(), entries.column.size(), entries.value.size()),
        "arrays of one length");
  check_places("row", entries.row, entries.rows);
  check_places("column", entries.column, entries.columns);
  if (!std::all_of(entries.value.begin(), entries.value.end(), [](double value) { return std::isfinite(value); }))
    throw InputError("entries.value", "not all are finite", "finite numbers");
}

// One side of the table: which line each entry lies in, and how many entries a line has.
struct Side {
  std::span<const Index> line;
  std::vector<double> weight;  // entries + shrinkage

  Side(std::span<const Index> lines, Index count, double shrinkage)
      : line(lines), weight(static_cast<std::size_t>(count), shrinkage) {
    for (const Index i : lines) weight[static_cast<std::size_t>(i)] += 1;
  }
};

// Replaces the effects of one side by the shrunk means of what the other side leaves; the largest change.
double sweep(const EntriesView& entries, double mean, const Side& side, const Side& other,
             const std::vector<double>& other_effect, std::vector<double>& effect) {
  std::vector<double> sum(effect.size());
  for (std::size_t k = 0; k < entries.value.size(); ++k)
    sum[static_cast<std::size_t>(side.line[k])] +=
        entries.value[k] - mean - other_effect[static_cast<std::size_t>(other.line[k])];
  double change = 0;
  for (std::size_t i = 0; i < effect.size(); ++i) {
    const double next = sum[i] == 0 ? 0 : sum[i] / side.weight[i];
    change = std::max(change, std::abs(next - effect[i]));
    effect[i] = next;
  }
  return change;
}

double largest(const std::vector<double>& effect) {
  double most = 0;
  for (const double value : effect) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

TwoWayMeans two_way_means(const EntriesView& entries, Means removed, double shrinkage) {
  check(entries);
  if (!(shrinkage >= 0 && std::isfinite(shrinkage)))
    throw InputError("shrinkage", fmt::format("{}", shrinkage), "a finite number >= 0");
  TwoWayMeans means;
  means.row.resize(static_cast<std::size_t>(entries.rows));
  means.column.resize(static_cast<std::size_t>(entries.columns));
  if (removed == Means::none) return means;

  // Divided first: the sum of huge values need not be a number, and their mean is.
  const auto n = static_cast<double>(entries.size());
  means.mean = std::transform_reduce(entries.value.begin(), entries.value.end(), 0.0, std::plus<>(),
                                     [n](double value) { return value / n; });
  const Side rows(entries.row, entries.rows, shrinkage);
  const Side columns(entries.column, entries.columns, shrinkage);
  for (int t = 0; t < kMostSweeps; ++t) {
    double change = 0;
    if (removed != Means::columns) change += sweep(entries, means.mean, rows, columns, means.column, means.row);
    if (removed != Means::rows) change += sweep(entries, means.mean, columns, rows, means.row, means.column);
    if (change <= kSettled * (largest(means.row) + largest(means.column))) break;
  }
  return means;
}

}  // namespace pdbfw
