// A x for a sparse x.
#pragma once

#include <span>

#include "pdbfw/matrix.hpp"

namespace pdbfw {

// w = A x, by the columns of the non-zeros of x where they hold less than half of the entries of A, else by rows. The
// same bits for any number of threads.
void multiply_support(const DataMatrix& A, std::span<const double> x, std::span<double> w, int threads);

}  // namespace pdbfw
