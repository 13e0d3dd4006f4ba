// All singular values and eigenvalues, by Eigen's slowest and surest ways, which the library does not use first.
#pragma once

#include "pdbfw/factors.hpp"

namespace pdbfw::reference {

[[nodiscard]] Vector singular_values(const Matrix& M);  // descending, by Jacobi's rotations
[[nodiscard]] Vector eigenvalues(const Matrix& M);      // of (M + M')/2, ascending

}  // namespace pdbfw::reference
