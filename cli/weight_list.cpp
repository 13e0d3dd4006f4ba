#include "cli/weight_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pdbfw::cli {

std::vector<Weight> strongest(const SparseVector& weights, std::size_t top) {
  std::vector<Weight> all;
  all.reserve(weights.at.size());
  for (std::size_t k = 0; k < weights.at.size(); ++k) all.push_back({weights.at[k], weights.value[k]});
  const auto stronger = [](const Weight& a, const Weight& b) {
    const double size_a = std::abs(a.value);
    const double size_b = std::abs(b.value);
    return size_a > size_b || (size_a == size_b && a.feature < b.feature);
  };
  std::sort(all.begin(), all.end(), stronger);
  if (all.size() > top) all.resize(top);
  return all;
}

std::string weight_lines(const std::vector<Weight>& weights) {
  std::string lines;
  for (const auto& [feature, value] : weights) lines += fmt::format("{}\t{:.17g}\n", feature + 1, value);
  return lines;
}

namespace {

bool is_stronger(const Entry& a, const Entry& b) {
  const double size_a = std::abs(a.value), size_b = std::abs(b.value);
  if (size_a != size_b) return size_a > size_b;
  return a.feature != b.feature ? a.feature < b.feature : a.column < b.column;
}

}  // namespace

std::vector<Entry> strongest(const std::vector<SparseVector>& columns, std::size_t top) {
  std::vector<Entry> all;
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (std::size_t e = 0; e < columns[k].at.size(); ++e)
      all.push_back({columns[k].at[e], static_cast<Index>(k), columns[k].value[e]});
  std::sort(all.begin(), all.end(), is_stronger);
  if (all.size() > top) all.resize(top);
  return all;
}

std::vector<Entry> strongest(const Factors& X, std::size_t top) {
  constexpr std::size_t kMost = 10'000'000;
  const auto all = static_cast<std::size_t>(X.rows()) * static_cast<std::size_t>(X.columns());
  if (std::min(all, top) > kMost)
    throw InputError("top", all > top ? fmt::format("{}", top) : "not given",
                     fmt::format("at most {}, because the model has {} weights", kMost, all));
  std::vector<Entry> kept;
  const auto keep_top = [&] {
    if (kept.size() <= top) return;
    std::nth_element(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(top), kept.end(), is_stronger);
    kept.resize(top);
  };
  const Matrix scaled = X.V * X.s.asDiagonal();
  for (Index i = 0; i < X.rows(); ++i) {
    const Vector row = scaled * X.U.row(i).transpose();
    for (Index j = 0; j < X.columns(); ++j)
      if (row[j] != 0) kept.push_back({i, j, row[j]});
    if (kept.size() / 2 > top) keep_top();
  }
  keep_top();
  std::sort(kept.begin(), kept.end(), is_stronger);
  return kept;
}

std::string entry_lines(const std::vector<Entry>& entries, const std::vector<double>& names) {
  std::string lines;
  for (const auto& [feature, column, value] : entries)
    lines += fmt::format("{}\t{}\t{:.17g}\n", feature + 1, names[static_cast<std::size_t>(column)], value);
  return lines;
}

}  // namespace pdbfw::cli
