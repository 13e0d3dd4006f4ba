// Weights in the order in which people ask for them.
#pragma once

#include <string>
#include <vector>

#include "pdbfw/model.hpp"

namespace pdbfw::cli {

struct Weight {
  Index feature, output;  // 0-based
  double value;
};

// The non-zeros, largest magnitude first, ties by feature, then by output; at most `top` of them. Throws InputError for
// a matrix with more than ten million of them unless fewer are asked for.
[[nodiscard]] std::vector<Weight> strongest(const Model& model, std::size_t top);

// Lines feature<TAB>weight, or feature<TAB>label<TAB>weight for the kinds with several outputs: features count from 1,
// weights have 17 digits; outputs that are numbers count from 1 too.
[[nodiscard]] std::string weight_lines(const Model& model, const std::vector<Weight>& weights);

}  // namespace pdbfw::cli
