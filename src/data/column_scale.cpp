#include "data/column_scale.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace pdbfw {
namespace {

constexpr std::size_t kMostRows = 1'000;  // of a sample

template <class Line, class Term>
double distance(const Line& a, const Line& b, std::span<const double> scale, const Term& term) {
  double sum = 0;
  Index p = 0, q = 0;
  while (p < a.size || q < b.size) {
    const bool has_a = p < a.size && (q == b.size || a.index(p) <= b.index(q));
    const bool has_b = q < b.size && (p == a.size || b.index(q) <= a.index(p));
    const auto j = static_cast<std::size_t>(has_a ? a.index(p) : b.index(q));
    const double of_a = has_a ? static_cast<double>(a.value[p++]) : 0.0;
    const double of_b = has_b ? static_cast<double>(b.value[q++]) : 0.0;
    sum += term((of_a - of_b) / scale[j]);
  }
  return sum;
}

template <class Term>
double median_over_pairs(const DataMatrix& A, std::span<const double> scale, const Term& term) {
  constexpr int kPairs = 1'000;
  constexpr std::uint64_t kSeed = 2008;  // of its own: what is found depends on the data alone
  std::vector<double> distances;
  std::visit(
      [&](const auto& rows) {
        Random random(kSeed);
        for (int pair = 0; pair < kPairs; ++pair) {
          const auto i = static_cast<Index>(random.below(static_cast<std::uint64_t>(rows.count)));
          const auto k = static_cast<Index>(random.below(static_cast<std::uint64_t>(rows.count)));
          if (const double found = distance(rows[i], rows[k], scale, term); found > 0) distances.push_back(found);
        }
      },
      A.by_row());
  if (distances.empty()) return 1;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  // Wide enough for any data of sense; then the reciprocal is positive and finite too.
  return std::clamp(*middle, 1e-300, 1e300);
}

}  // namespace

void ColumnMoments::add(const DataMatrix& rows, std::span<const double> weight) {
  rows_ += rows.rows();
  if (rows.columns() > columns()) columns_.resize(static_cast<std::size_t>(rows.columns()));
  for_each_row(rows, [&](Index i, const auto& row) {
    const long double w = weight.empty() ? 1 : weight[static_cast<std::size_t>(i)];
    weight_ += w;
    if (!(w > 0)) return;
    for_each_nonzero(row, [&](Index j, double value) {
      Column& column = columns_[static_cast<std::size_t>(j)];
      // Welford's update.
      const long double before = value - column.mean;
      column.weight += w;
      column.mean += w * before / column.weight;
      column.squares += w * before * (value - column.mean);
      column.largest = std::max(column.largest, std::abs(value));
    });
  });
}

template <class Number>
std::vector<double> ColumnMoments::of_columns(const Number& number) const {
  std::vector<double> numbers;
  numbers.reserve(columns_.size());
  for (const Column& column : columns_) numbers.push_back(number(column));
  return numbers;
}

std::vector<double> ColumnMoments::means() const {
  return of_columns([&](const Column& column) { return static_cast<double>(column.mean * column.weight / weight_); });
}

std::vector<double> ColumnMoments::deviations() const {
  // What rounding leaves of a constant column is not a spread.
  constexpr double kRounding = 1e-14;
  return of_columns([&](const Column& column) {
    // The zeros differ from the mean of the others by that mean.
    const long double c = column.weight;
    const long double squares = column.squares + column.mean * column.mean * c * (weight_ - c) / weight_;
    const auto found = static_cast<double>(std::sqrt(squares / weight_));
    return found > kRounding * column.largest ? found : 1;
  });
}

std::vector<double> ColumnMoments::maxima() const {
  return of_columns([](const Column& column) { return column.largest > 0 ? column.largest : 1; });
}

std::vector<double> standard_deviations(const DataMatrix& A, std::span<const double> weight) {
  ColumnMoments moments;
  moments.add(A, weight);
  return moments.deviations();
}

double median_distance(const DataMatrix& A, std::span<const double> scale) {
  return median_over_pairs(A, scale, [](double difference) { return std::abs(difference); });
}

double median_squared_distance(const DataMatrix& A, std::span<const double> scale) {
  return median_over_pairs(A, scale, [](double difference) { return difference * difference; });
}

MadeRow* RowSample::place() {
  ++seen_;
  if (kept_.size() < kMostRows) return &kept_.emplace_back();
  const std::uint64_t at = random_.below(static_cast<std::uint64_t>(seen_));
  return at < kMostRows ? &kept_[at] : nullptr;
}

void RowSample::add(const DataMatrix& rows) {
  for_each_row(rows, [&](Index, const auto& row) {
    MadeRow* const kept = place();
    if (kept == nullptr) return;
    kept->clear();
    for_each_nonzero(row, [&](Index j, double value) { kept->push_back({j, value}); });
  });
}

MatrixPtr RowSample::matrix(Index columns) const { return joined_rows(kept_, columns); }

}  // namespace pdbfw
