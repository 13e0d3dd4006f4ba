#include "data/column_scale.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "base/random.hpp"

namespace pdbfw {
namespace {

// Calls visit(j, value) for every entry that is not 0: sparse and dense storage then give the same bits.
template <class Visit>
void for_each_nonzero(const DataMatrix& A, const Visit& visit) {
  std::visit(
      [&](const auto& rows) {
        for (Index i = 0; i < rows.count; ++i) {
          const auto line = rows[i];
          for (Index k = 0; k < line.size; ++k)
            if (line.value[k] != 0) visit(static_cast<std::size_t>(line.index(k)), static_cast<double>(line.value[k]));
        }
      },
      A.by_row());
}

template <class Line>
double distance(const Line& a, const Line& b, std::span<const double> scale) {
  double sum = 0;
  Index p = 0, q = 0;
  while (p < a.size || q < b.size) {
    const bool has_a = p < a.size && (q == b.size || a.index(p) <= b.index(q));
    const bool has_b = q < b.size && (p == a.size || b.index(q) <= a.index(p));
    const auto j = static_cast<std::size_t>(has_a ? a.index(p) : b.index(q));
    const double of_a = has_a ? static_cast<double>(a.value[p++]) : 0.0;
    const double of_b = has_b ? static_cast<double>(b.value[q++]) : 0.0;
    sum += std::abs(of_a - of_b) / scale[j];
  }
  return sum;
}

}  // namespace

std::vector<double> standard_deviations(const DataMatrix& A) {
  const auto columns = static_cast<std::size_t>(A.columns());
  const auto rows = static_cast<double>(A.rows());
  // In units of the column's largest entry no square overflows.
  std::vector<double> largest(columns, 0.0), mean(columns, 0.0), squares(columns, 0.0), nonzeros(columns, 0.0);
  for_each_nonzero(A, [&](std::size_t j, double value) { largest[j] = std::max(largest[j], std::abs(value)); });
  for_each_nonzero(A, [&](std::size_t j, double value) { mean[j] += value / largest[j] / rows; });
  for_each_nonzero(A, [&](std::size_t j, double value) {
    squares[j] += std::pow(value / largest[j] - mean[j], 2);
    ++nonzeros[j];
  });
  std::vector<double> deviation(columns, 1.0);
  for (std::size_t j = 0; j < columns; ++j) {
    const double variance = (squares[j] + (rows - nonzeros[j]) * mean[j] * mean[j]) / rows;
    const double found = largest[j] * std::sqrt(variance);
    // What rounding leaves of a constant column is not a spread.
    constexpr double kRounding = 1e-14;
    if (found > kRounding * largest[j]) deviation[j] = found;
  }
  return deviation;
}

double median_distance(const DataMatrix& A, std::span<const double> scale) {
  constexpr int kPairs = 1'000;
  constexpr std::uint64_t kSeed = 2008;  // of its own: what is found depends on the data alone
  std::vector<double> distances;
  std::visit(
      [&](const auto& rows) {
        Random random(kSeed);
        for (int pair = 0; pair < kPairs; ++pair) {
          const auto i = static_cast<Index>(random.below(static_cast<std::uint64_t>(rows.count)));
          const auto k = static_cast<Index>(random.below(static_cast<std::uint64_t>(rows.count)));
          if (const double found = distance(rows[i], rows[k], scale); found > 0) distances.push_back(found);
        }
      },
      A.by_row());
  if (distances.empty()) return 1;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  // Wide enough for any data of sense; then the reciprocal is positive and finite too.
  return std::clamp(*middle, 1e-300, 1e300);
}

}  // namespace pdbfw
