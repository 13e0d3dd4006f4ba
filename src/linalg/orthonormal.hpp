// Factors of a matrix made orthonormal.
#pragma once

#include "linalg/top_spectrum.hpp"
#include "pdbfw/factors.hpp"

namespace pdbfw {

// The same matrix with orthonormal factors and descending singular values or, for symmetric X = U diag(s) U',
// eigenvalues. Values of at most `drop` times the largest in magnitude are left out; a negative `drop` keeps all
// eigenvalues, the negative ones too.
[[nodiscard]] Factors orthonormal(const Factors& X, Spectrum spectrum, double drop = 0);

// U'U = I up to rounding.
[[nodiscard]] bool has_orthonormal_columns(const Matrix& U);

// An orthonormal basis of what the columns of E hold beyond the span of K, whose columns are orthonormal. Directions
// that are nearly in that span, or in that of the others, are left out.
[[nodiscard]] Matrix orthonormal_columns(Matrix E, const Matrix& K, int threads = 1);
[[nodiscard]] Matrix orthonormal_columns(Matrix E, int threads = 1);

}  // namespace pdbfw
