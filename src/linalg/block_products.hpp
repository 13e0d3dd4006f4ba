// Products of A with dense blocks of several columns, row after row. Every entry of a result is summed by one thread in
// one order, so any number of threads gives the same bits.
#pragma once

#include <span>

#include "pdbfw/factors.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {

// out = A V  and  out = A'V.
void multiply(const DataMatrix& A, const Matrix& V, Matrix& out, int threads = 1);
void multiply_transposed(const DataMatrix& A, const Matrix& V, Matrix& out, int threads = 1);
// out += scale A'V.
void add_transposed_product(const DataMatrix& A, const Matrix& V, double scale, Matrix& out, int threads = 1);

// out += scale L V, where line i is row i of L. Its indices need not ascend, and may repeat.
void add_product(const Lines& L, const Matrix& V, double scale, Matrix& out, int threads = 1);

// out = A X, where X is zero but for rows at_0, at_1, ... (ascending), which are those of V. Returns the entries of A
// that met one of them.
double multiply_rows(const DataMatrix& A, std::span<const Index> at, const Matrix& V, Matrix& out, int threads = 1);

// Rows first .. last - 1 of A, written out.
[[nodiscard]] Matrix dense_rows(const DataMatrix& A, Index first, Index last);

}  // namespace pdbfw
