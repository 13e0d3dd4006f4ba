// Norms of linear maps.                                                                                       [M23d]
#pragma once

#include <functional>
#include <mutex>

#include "pdbfw/linear_map.hpp"

namespace pdbfw {

// A number that is computed when somebody asks for it, once, whoever asks.
class CachedNorm {
 public:
  double value(const std::function<double()>& compute) const {
    std::call_once(is_known_, [&] { value_ = compute(); });
    return value_;
  }

 private:
  mutable std::once_flag is_known_;
  mutable double value_ = 0;
};

// |a_i|^2 of all rows.
[[nodiscard]] Vector squared_row_norms(const DataMatrix& A);

// A bound from above, at most 2 % above it: on sigma_1(A)^2, and on |A|^2 of a map with one output, where `trace` is
// the sum of its samples' squared norms.
[[nodiscard]] double largest_squared_singular_value(const DataMatrix& A);
[[nodiscard]] double largest_squared_singular_value(const LinearMap& map, double trace);

}  // namespace pdbfw
