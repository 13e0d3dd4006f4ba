// Some of the rows, as a matrix of their own.
#pragma once

#include <span>

#include "pdbfw/matrix.hpp"

namespace pdbfw {

// Rows at[0], at[1], ... in that order (repeats allowed), copied.
[[nodiscard]] MatrixPtr chosen_rows(const DataMatrix& A, std::span<const Index> at);

// Some rows that follow one another, as a matrix of their own.

// Rows first .. last - 1. Values and indices are shared: A must outlive what is given back.
[[nodiscard]] MatrixPtr row_range(const DataMatrix& A, Index first, Index last);

}  // namespace pdbfw
