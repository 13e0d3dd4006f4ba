// Norms of linear maps.                                                                                       [M23d]
#pragma once

#include <functional>
#include <mutex>

#include "pdbfw/factors.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {

// A number that is computed at the first request, once, whichever thread asks.
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

// sigma_1(A)^2 from above, at most 2 % above.
[[nodiscard]] double largest_squared_singular_value(const DataMatrix& A);

}  // namespace pdbfw
