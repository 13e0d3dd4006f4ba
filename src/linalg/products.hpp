// Products with few lines of A: what Algorithm 1 needs to keep w = A x and z = A'y.
#pragma once

#include <span>

#include "pdbfw/matrix.hpp"

namespace pdbfw {

// out += sum_k coefficient_k * line number at_k of `lines`. Returns the number of entries touched.
double add_lines(const Lines& lines, std::span<const Index> at, std::span<const double> coefficient,
                 std::span<double> out);

// The same for columns of A, which a streamed A looks for in one pass over its rows.
double add_columns(const DataMatrix& A, std::span<const Index> at, std::span<const double> coefficient,
                   std::span<double> out);

// |a_i|^2 for every row of A.
void row_squared_norms(const DataMatrix& A, std::span<double> out);

// |a_i|^2 for every line, each entry weighted by scale_j when `scale` is not empty.
void squared_norms(const Lines& lines, std::span<const double> scale, std::span<double> out);

}  // namespace pdbfw
