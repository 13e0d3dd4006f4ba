// Weights in the order in which people ask for them.
#pragma once

#include <string>
#include <vector>

#include "pdbfw/model.hpp"

namespace pdbfw::cli {

struct Weight {
  Index feature;  // 0-based
  double value;
};

// The non-zeros, largest magnitude first, ties by index; at most `top` of them.
[[nodiscard]] std::vector<Weight> strongest(const SparseVector& weights, std::size_t top);

// Lines feature<TAB>weight, 1-based, 17 digits.
[[nodiscard]] std::string weight_lines(const std::vector<Weight>& weights);

}  // namespace pdbfw::cli
