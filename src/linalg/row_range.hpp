// Some rows that follow one another, as a matrix of their own.
#pragma once

#include "pdbfw/matrix.hpp"

namespace pdbfw {

// Rows first .. last - 1. Values and indices are shared: A must outlive what is given back.
[[nodiscard]] MatrixPtr row_range(const DataMatrix& A, Index first, Index last);

}  // namespace pdbfw
