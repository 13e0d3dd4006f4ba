#include "cli/weight_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/fit_rules.hpp"
#include "pdbfw/fit.hpp"

namespace pdbfw::cli {
namespace {

bool is_stronger(const Weight& a, const Weight& b) {
  const double size_a = std::abs(a.value), size_b = std::abs(b.value);
  if (size_a != size_b) return size_a > size_b;
  return a.feature != b.feature ? a.feature < b.feature : a.output < b.output;
}

std::vector<Weight> nonzeros(const std::vector<SparseVector>& columns) {
  std::vector<Weight> all;
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (std::size_t e = 0; e < columns[k].at.size(); ++e)
      all.push_back({columns[k].at[e], static_cast<Index>(k), columns[k].value[e]});
  return all;
}

// The strongest entries in no order, found row by row in memory for twice as many.
std::vector<Weight> strongest_entries(const Factors& X, std::size_t top) {
  constexpr std::size_t kMost = 10'000'000;
  const auto all = static_cast<std::size_t>(X.rows()) * static_cast<std::size_t>(X.columns());
  if (std::min(all, top) > kMost)
    throw InputError("top", all > top ? fmt::format("{}", top) : "not given",
                     fmt::format("at most {}, because the model has {} weights", kMost, all));
  std::vector<Weight> kept;
  const Matrix scaled = X.V * X.s.asDiagonal();
  for (Index i = 0; i < X.rows(); ++i) {
    const Vector row = scaled * X.U.row(i).transpose();
    for (Index j = 0; j < X.columns(); ++j)
      if (row[j] != 0) kept.push_back({i, j, row[j]});
    if (kept.size() / 2 <= top) continue;
    std::nth_element(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(top), kept.end(), is_stronger);
    kept.resize(top);
  }
  return kept;
}

}  // namespace

std::vector<Weight> strongest(const Model& model, std::size_t top) {
  std::vector<Weight> weights =
      model.kind == ModelKind::matrix ? strongest_entries(model.factors, top) : nonzeros(model.weights);
  std::sort(weights.begin(), weights.end(), is_stronger);
  if (weights.size() > top) weights.resize(top);
  return weights;
}

std::string weight_lines(const Model& model, const std::vector<Weight>& weights) {
  const std::vector<double> names = names_of(model);
  std::string lines;
  for (const auto& [feature, output, value] : weights) {
    lines += fmt::format("{}\t", feature + 1);
    if (model.kind != ModelKind::vector)
      lines += fmt::format("{}\t",
                           names.empty() ? static_cast<double>(output + 1) : names[static_cast<std::size_t>(output)]);
    lines += fmt::format("{:.17g}\n", value);
  }
  return lines;
}

}  // namespace pdbfw::cli
