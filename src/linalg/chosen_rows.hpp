// Some of the rows, as a matrix of their own.
#pragma once

#include <span>

#include "pdbfw/matrix.hpp"

namespace pdbfw {

// Rows at[0], at[1], ... in that order (repeats allowed), copied.
[[nodiscard]] MatrixPtr chosen_rows(const DataMatrix& A, std::span<const Index> at);

}  // namespace pdbfw
