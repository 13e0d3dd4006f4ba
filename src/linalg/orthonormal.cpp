#include "linalg/orthonormal.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "linalg/decompositions.hpp"
#include "linalg/dense_product.hpp"

namespace pdbfw {
namespace {

Index count_kept(const Vector& s, double drop) {
  const double largest = s.size() > 0 ? s.cwiseAbs().maxCoeff() : 0;
  Index kept = 0;
  while (kept < s.size() && s[kept] > drop * largest && s[kept] != 0) ++kept;
  return kept;
}

// U and V have orthonormal columns already, and s is as it should be.
bool is_orthonormal(const Factors& X, Spectrum spectrum) {
  if (!std::is_sorted(X.s.begin(), X.s.end(), std::greater<>())) return false;
  if (!has_orthonormal_columns(X.U)) return false;
  if (spectrum == Spectrum::eigenvalues) return true;
  return X.s[X.rank() - 1] >= 0 && has_orthonormal_columns(X.V);
}

Factors cut(const Factors& X, double drop) {
  const Index kept = drop < 0 ? X.rank() : count_kept(X.s, drop);
  return X.head(kept);
}

}  // namespace

bool has_orthonormal_columns(const Matrix& U) {
  if (U.cols() > U.rows()) return false;
  constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();
  return (column_gram(U) - Matrix::Identity(U.cols(), U.cols())).cwiseAbs().maxCoeff() <= kRounding;
}

Factors orthonormal(const Factors& X, Spectrum spectrum, double drop) {
  if (X.rank() == 0 || is_orthonormal(X, spectrum)) return cut(X, drop);
  const OrthogonalTriangular left = orthogonal_triangular(X.U);
  if (spectrum == Spectrum::eigenvalues) {
    const Factors core = full_spectrum(left.R * X.s.asDiagonal() * left.R.transpose(), spectrum);
    const Index kept = drop < 0 ? core.rank() : count_kept(core.s, drop);
    Matrix U = left.Q * core.U.leftCols(kept);
    Matrix V = U;
    return {std::move(U), core.s.head(kept), std::move(V)};
  }
  const OrthogonalTriangular right = orthogonal_triangular(X.V);
  const Factors core = full_spectrum(left.R * X.s.asDiagonal() * right.R.transpose(), spectrum);
  const Index kept = count_kept(core.s, drop);
  return {left.Q * core.U.leftCols(kept), core.s.head(kept), right.Q * core.V.leftCols(kept)};
}

Matrix orthonormal_columns(Matrix E, int threads) {
  const Matrix none(E.rows(), 0);
  return orthonormal_columns(std::move(E), none, threads);
}

Matrix orthonormal_columns(Matrix E, const Matrix& K, int threads) {
  for (int round = 0; round < 4 && E.cols() > 0; ++round) {
    if (K.cols() > 0) add_times(-1, K, transposed_times(K, E, threads), E, threads);
    // E = Q L', E'E = L L': Cholesky's way, twice over, for as long as the columns are well apart.
    Vector norms = E.colwise().norm();
    for (double& norm : norms) norm = norm > 0 && std::isfinite(norm) ? 1 / norm : 0;
    E = E * norms.asDiagonal();
    const Matrix gram = column_gram(E, threads);
    const Eigen::LLT<Eigen::MatrixXd> cholesky(gram);
    constexpr double kWellApart = 1e-3;
    if (cholesky.info() == Eigen::Success && cholesky.matrixLLT().diagonal().minCoeff() > kWellApart) {
      const double away = (gram - Matrix::Identity(E.cols(), E.cols())).norm();
      const Eigen::MatrixXd inverse = cholesky.matrixL().solve(Eigen::MatrixXd::Identity(E.cols(), E.cols()));
      E = times_transposed(E, Matrix(inverse), threads);
      constexpr double kOrthonormalAfterOneMore = 1e-8;
      if (round > 0 && away < kOrthonormalAfterOneMore) break;
    } else {
      constexpr double kNearlyDependent = 1e-10;
      E = independent_columns(E, kNearlyDependent);
    }
  }
  return E;
}

}  // namespace pdbfw
