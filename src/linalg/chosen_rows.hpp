// Some of the rows, as a matrix of their own.
#pragma once

#include <span>
#include <vector>

#include "pdbfw/matrix.hpp"

namespace pdbfw {

// Rows at[0], at[1], ... in that order (repeats allowed), copied.
[[nodiscard]] MatrixPtr chosen_rows(const DataMatrix& A, std::span<const Index> at);

// Some rows that follow one another, as a matrix of their own.

// Lines first .. last - 1. Values and indices are shared; `offsets` becomes those of sparse lines, also in place.
[[nodiscard]] Lines some_lines(const Lines& lines, Index first, Index last, std::vector<Index>& offsets);

// Rows first .. last - 1. Values and indices are shared: A must outlive what is given back.
[[nodiscard]] MatrixPtr row_range(const DataMatrix& A, Index first, Index last);
// The same, and keeps A.
[[nodiscard]] MatrixPtr row_range(const MatrixPtr& A, Index first, Index last);

}  // namespace pdbfw
