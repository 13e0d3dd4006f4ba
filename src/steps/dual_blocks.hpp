// Which rows a dual step takes (`block_rule`).                                                                 [M11c]
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "linalg/select.hpp"
#include "pdbfw/settings.hpp"

namespace pdbfw {

class DualBlocks {
 public:
  DualBlocks(Index rows, const Settings& settings)
      : rule_(settings.block_rule), random_(settings.seed), order_(static_cast<std::size_t>(rows)) {
    std::iota(order_.begin(), order_.end(), Index{0});
  }

  // k rows (all of them for the rule full), ascending. `change` says how far a row's step would go; only gs_r asks.
  template <class Change>
  [[nodiscard]] std::vector<Index> next(Index k, const Change& change) {
    const auto rows = static_cast<Index>(order_.size());
    if (rule_ == "gs_r") return largest(rows, k, change);
    if (rule_ == "full" || k >= rows) return largest(rows, rows, change);
    std::vector<Index> block;
    for (Index m = 0; m < k; ++m) {
      if (rule_ == "random") {  // the first k of a shuffle
        std::swap(order_[static_cast<std::size_t>(m)],
                  order_[static_cast<std::size_t>(m) + random_.below(static_cast<std::uint64_t>(rows - m))]);
        block.push_back(order_[static_cast<std::size_t>(m)]);
      } else {
        block.push_back((first_ + m) % rows);
      }
    }
    first_ = (first_ + k) % rows;
    std::sort(block.begin(), block.end());
    return block;
  }

 private:
  const std::string rule_;
  Random random_;
  std::vector<Index> order_;
  Index first_ = 0;  // of the next cyclic block
};

}  // namespace pdbfw
