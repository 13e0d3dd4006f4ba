#include "sets/psd_trace.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linalg/dense_product.hpp"
#include "linalg/orthonormal.hpp"

namespace pdbfw {

void PsdTrace::check_shape(Index d, Index c) const {
  if (d != c) throw InputError("X", fmt::format("{} x {}", d, c), "square, for the set psd_trace");
}

// In a basis of both factors X is a small square matrix: its symmetric part has the eigenvalues, the rest is missed.
double PsdTrace::violation(const Factors& X) const {
  if (X.rank() == 0) return 0;
  if (X.U == X.V && has_orthonormal_columns(X.U)) return std::max({0.0, X.s.sum() - radius(), -X.s.minCoeff()});
  Matrix both(X.rows(), 2 * X.rank());
  both << X.U, X.V;
  const Matrix Q = orthonormal_columns(both, Matrix(X.rows(), 0));
  const Matrix core = times_transposed(transposed_times(Q, X.U) * X.s.asDiagonal(), transposed_times(Q, X.V));
  const double asymmetry = (core - core.transpose()).norm() / 2;
  const Vector eigenvalues = full_spectrum(core, Spectrum::eigenvalues).s;
  return std::max({0.0, core.trace() - radius(), -eigenvalues.minCoeff(), asymmetry});
}

}  // namespace pdbfw
