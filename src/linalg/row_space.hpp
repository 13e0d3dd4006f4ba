// The space of the rows of A, in a basis that makes A'A simple.
#pragma once

#include "linalg/decompositions.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {

// A'A = Q T Q' with orthonormal columns Q, as many as the smaller side of A, and T tridiagonal. Every row of A is a
// combination of the columns of Q.
struct RowSpace {
  Matrix Q;  // d x min(n, d)
  Tridiagonal T;
  double multiply_adds = 0;  // what it has cost
};

[[nodiscard]] RowSpace row_space(const DataMatrix& A, int threads = 1);

}  // namespace pdbfw
