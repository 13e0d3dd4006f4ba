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

}  // namespace pdbfw::cli
