// Products of A with dense blocks of several columns, row after row. Every entry of a result is summed by one thread in
// one order, so any number of threads gives the same bits.
#pragma once

#include "pdbfw/dense.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {

// out = A V and out = A'V.
void multiply(const DataMatrix& A, const Matrix& V, Matrix& out, int threads = 1);
void multiply_transposed(const DataMatrix& A, const Matrix& V, Matrix& out, int threads = 1);
// out += scale A'V.
void add_transposed_product(const DataMatrix& A, const Matrix& V, double scale, Matrix& out, int threads = 1);

// out += scale L V, where the rows of L are the lines first .. last - 1 and `out` has one row for each of them.
void add_product(const Lines& lines, Index first, Index last, const Matrix& V, double scale, double* out);
// out += scale L'V, where V has one row for each of these lines. One thread.
void add_transposed_product(const Lines& lines, Index first, Index last, const double* V, double scale, Matrix& out);

// out = lines V.
void multiply(const Lines& lines, const Matrix& V, Matrix& out, int threads = 1);

// A dense block seen as lines: its rows.
[[nodiscard]] inline Lines dense_lines(const Matrix& M) {
  return DenseLines<double>{M.rows(), M.cols(), {M.data(), static_cast<std::size_t>(M.size())}};
}
// out = A'V for dense A.
void multiply_transposed(const Matrix& A, const Matrix& V, Matrix& out, int threads = 1);

}  // namespace pdbfw
