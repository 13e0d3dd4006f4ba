// Weights in the order in which people ask for them.
#pragma once

#include <string>
#include <vector>

#include "pdbfw/factors.hpp"
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

// The same for the entries of a matrix, ties by feature, then by column. Throws InputError for a matrix with more than
// ten million of them unless fewer are asked for.
struct Entry {
  Index feature;  // 0-based
  Index column;
  double value;
};
[[nodiscard]] std::vector<Entry> strongest(const Factors& X, std::size_t top);
// Of sparse columns.
[[nodiscard]] std::vector<Entry> strongest(const std::vector<SparseVector>& columns, std::size_t top);

// Lines feature<TAB>label<TAB>weight.
[[nodiscard]] std::string entry_lines(const std::vector<Entry>& entries, const std::vector<double>& names);

}  // namespace pdbfw::cli
