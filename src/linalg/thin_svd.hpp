// The largest singular values of a matrix with few columns.
#pragma once

#include "pdbfw/factors.hpp"

namespace pdbfw {

struct ThinSvd {
  Matrix U;       // orthonormal columns
  Vector values;  // descending, > 0
  Matrix V;       // orthonormal columns
};

// A V = U diag(values), for the `count` largest singular values of A; fewer where the others are zero up to rounding.
// Work: products of A with its columns, and decompositions of the size of its columns.
[[nodiscard]] ThinSvd largest_singular(const Matrix& A, Index count, int threads = 1);

}  // namespace pdbfw
