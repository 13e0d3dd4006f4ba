// A x for a sparse x, and A'y where only some of its entries matter. A streamed A takes one pass for each, whatever is
// asked for.
#pragma once

#include <span>

#include "pdbfw/matrix.hpp"

namespace pdbfw {

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
