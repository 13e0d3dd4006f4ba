// What every linear map asks of its data.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>

#include "pdbfw/factors.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {

// Some rows and some columns.
void check_matrix(std::string_view name, const MatrixPtr& A);
// d c can be counted.
void check_cells(Index rows, Index columns);
// Some samples, each 0 .. count - 1.
void check_samples(std::span<const Index> samples, Index count);

// rows x columns, which as a count might overflow.
[[nodiscard]] inline double cells(Index rows, Index columns) {
  return static_cast<double>(rows) * static_cast<double>(columns);
}

// Norms of linear maps.                                                                                       [M23d]

// A number that is computed at the first request, once, whichever thread asks.
class CachedNorm {
 public:
  double value(const std::function<double()>& compute) const {
    const std::lock_guard lock(computing_);  // not std::call_once, see DataMatrix::lines
    if (!value_) value_ = compute();
    return *value_;
  }

 private:
  mutable std::mutex computing_;
  mutable std::optional<double> value_;
};

// |a_i|^2 of all rows.
[[nodiscard]] Vector squared_row_norms(const DataMatrix& A);

// sigma_1(A)^2 from above, at most 2 % above.
[[nodiscard]] double largest_squared_singular_value(const DataMatrix& A);

}  // namespace pdbfw
