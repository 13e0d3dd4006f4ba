// Factors of a matrix made orthonormal.
#pragma once

#include "pdbfw/factors.hpp"
#include "pdbfw/top_spectrum.hpp"

namespace pdbfw {

// The same matrix with orthonormal factors and descending singular values or, for symmetric X = U diag(s) U',
// eigenvalues. Values of at most `drop` times the largest in magnitude are left out; a negative `drop` keeps all
// eigenvalues, the negative ones too.
[[nodiscard]] Factors orthonormal(const Factors& X, Spectrum spectrum, double drop = 0);

}  // namespace pdbfw
