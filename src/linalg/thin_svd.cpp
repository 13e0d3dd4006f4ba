#include "linalg/thin_svd.hpp"

#include <algorithm>
#include <limits>

#include "linalg/decompositions.hpp"
#include "linalg/dense_product.hpp"
#include "linalg/orthonormal.hpp"
#include "linalg/top_spectrum.hpp"

namespace pdbfw {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kZero = 64 * kEpsilon;         // of the largest value
constexpr double kOrthonormal = 64 * kEpsilon;  // how far inner products may be from 0

Index count_nonzero(const Vector& values) {
  Index count = 0;
  while (count < values.size() && values[count] > kZero * values[0]) ++count;
  return count;
}

}  // namespace

// The eigenvectors of A'A, rotated into A, give columns B = A V that are orthogonal but for rounding of the size of the
// largest value squared. Where that is too much, an SVD of B, in a basis of its columns at unit length, mends it.
ThinSvd largest_singular(const Matrix& A, Index count, int threads) {
  const Factors gram = full_spectrum(column_gram(A, threads), Spectrum::eigenvalues);
  count = std::min({count, A.rows(), A.cols()});
  ThinSvd svd;
  svd.V = gram.V.leftCols(count);
  Matrix B = times(A, svd.V, threads);
  svd.values = B.colwise().norm();
  if (count == 0 || !(svd.values.maxCoeff() > 0)) return {Matrix(A.rows(), 0), Vector(0), Matrix(A.cols(), 0)};
  const double largest = svd.values.maxCoeff();
  const Vector inverse = svd.values.unaryExpr([=](double s) { return s > kZero * largest ? 1 / s : 0.0; });
  svd.U = B * inverse.asDiagonal();
  Matrix cross = column_gram(svd.U, threads);
  cross.diagonal().setZero();
  const bool is_sorted = std::is_sorted(svd.values.begin(), svd.values.end(), std::greater<>());
  if (!(cross.cwiseAbs().maxCoeff() <= kOrthonormal) || !is_sorted) {
    const Matrix Q = orthonormal_columns(svd.U, Matrix(A.rows(), 0), threads);
    const Factors core = singular_values_by_rotations(transposed_times(Q, B, threads));
    svd = {times(Q, core.U, threads), core.s, times(svd.V, core.V, threads)};
  }
  const Index rank = count_nonzero(svd.values);
  return {svd.U.leftCols(rank), svd.values.head(rank), svd.V.leftCols(rank)};
}

}  // namespace pdbfw
