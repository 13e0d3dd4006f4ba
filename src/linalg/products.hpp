// Products with few lines of A: what Algorithm 1 needs to keep w = A x and z = A'y.
#pragma once

#include <span>

#include "pdbfw/factors.hpp"
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

// Products of A with dense blocks of several columns, row after row. Every entry of a result is summed by one thread in
// one order, so any number of threads gives the same bits.

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

// A x for a sparse x, and A'y where only some of its entries matter. A streamed A takes one pass for each, whatever is
// asked for.

// w = A x, by the columns of the non-zeros of x where they hold less than half of the entries of A, else by rows. The
// same bits for any number of threads. Returns the entries of A touched.
double multiply_support(const DataMatrix& A, std::span<const double> x, std::span<double> w, int threads);

// w = sum_k x_k (column number k of those given, ascending). The same, for an x that is given by its non-zeros.
double multiply_columns(const DataMatrix& A, std::span<const Index> columns, std::span<const double> x,
                        std::span<double> w, int threads);

// z_k = <column number k of those given, y>. Returns the entries of A touched.
double multiply_transposed_on(const DataMatrix& A, std::span<const Index> columns, std::span<const double> y,
                              std::span<double> z, int threads);

}  // namespace pdbfw
