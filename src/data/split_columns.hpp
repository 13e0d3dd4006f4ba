// Some columns of the data taken out, and the data without them.
#pragma once

#include <span>
#include <vector>

#include "pdbfw/matrix.hpp"

namespace pdbfw {

struct SplitColumns {
  std::vector<double> taken;  // dense, one column after the other
  MatrixPtr rest;             // the other columns in their order, copied in the orientation that A was given in
};

// `columns` ascend, each once. Throws InputError when A is streamed.
[[nodiscard]] SplitColumns split_columns(const DataMatrix& A, std::span<const Index> columns);

// The same for numbers of which there is one per column: the entries at `columns` left out, and put back.
[[nodiscard]] std::vector<double> without_entries(std::span<const double> values, std::span<const Index> columns);
[[nodiscard]] std::vector<double> with_entries(std::span<const double> rest, std::span<const Index> columns,
                                               std::span<const double> taken);

// The data with every column multiplied by a number; zeros stay zeros.

// The values are copied as double, for both orientations; the indices are shared with A. Throws InputError where a
// value would be beyond the largest double.
[[nodiscard]] MatrixPtr scaled_columns(MatrixPtr A, std::span<const double> factor);

}  // namespace pdbfw
