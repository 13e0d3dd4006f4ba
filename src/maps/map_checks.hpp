// What every linear map asks of its data.
#pragma once

#include <span>
#include <string_view>

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

}  // namespace pdbfw
