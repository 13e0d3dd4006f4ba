#include "linalg/decompositions.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "linalg/dense_product.hpp"
#include "linalg/orthonormal.hpp"
#include "linalg/top_spectrum.hpp"

namespace pdbfw {
namespace {

// Columns that Cholesky's method factors at a time.
constexpr Index kBlock = 96;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kZero = 64 * kEpsilon;         // of the largest value
constexpr double kOrthonormal = 64 * kEpsilon;  // how far inner products may be from 0

Index count_nonzero(const Vector& values) {
  Index count = 0;
  while (count < values.size() && values[count] > kZero * values[0]) ++count;
  return count;
}

template <class Svd>
Factors factors_of(const Eigen::MatrixXd& M) {
  const Svd svd(M, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

// M V = U diag(s) up to rounding; false of what is not a number.
bool is_decomposed(const Eigen::MatrixXd& M, const Factors& X) {
  constexpr double kRounding = 1e-12;
  return (M * X.V - X.U * X.s.asDiagonal()).norm() <= kRounding * M.norm();
}

}  // namespace

Eigenpairs eigenpairs(const Eigen::MatrixXd& M) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(M);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigenpairs tridiagonal_eigenpairs(const Vector& diagonal, const Vector& beside) {
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, beside);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::MatrixXd solve_semidefinite(Eigen::MatrixXd M, const Eigen::MatrixXd& B) {
  constexpr double kDependent = 1e-12;
  const Vector scale =
      M.diagonal().unaryExpr([](double entry) { return entry > 0 && std::isfinite(entry) ? 1 / std::sqrt(entry) : 0; });
  M = scale.asDiagonal() * M * scale.asDiagonal();
  const Eigenpairs pairs = eigenpairs(M);
  const double least = kDependent * pairs.values.cwiseAbs().maxCoeff();
  const Vector inverse = pairs.values.unaryExpr([least](double value) { return value > least ? 1 / value : 0; });
  const Eigen::MatrixXd along = pairs.vectors.transpose() * (scale.asDiagonal() * B);
  return scale.asDiagonal() * (pairs.vectors * (inverse.asDiagonal() * along));
}

TridiagonalForm tridiagonal_form(const Eigen::MatrixXd& M) {
  const Eigen::Tridiagonalization<Eigen::MatrixXd> form(M);
  return {form.matrixQ(), form.diagonal(), form.subDiagonal()};
}

Factors singular_values(const Eigen::MatrixXd& M) { return factors_of<Eigen::BDCSVD<Eigen::MatrixXd>>(M); }

Factors singular_values_by_rotations(const Eigen::MatrixXd& M) {
  return factors_of<Eigen::JacobiSVD<Eigen::MatrixXd>>(M);
}

Factors full_spectrum(const Matrix& M, Spectrum spectrum) {
  if (M.size() == 0) return Factors::zero(M.rows(), M.cols());
  if (!M.allFinite()) {
    const Index side = std::min(M.rows(), M.cols());
    return {Matrix::Identity(M.rows(), side), Vector::Constant(side, std::numeric_limits<double>::quiet_NaN()),
            Matrix::Identity(M.cols(), side)};
  }
  if (spectrum == Spectrum::eigenvalues) {
    const Eigenpairs pairs = eigenpairs(0.5 * (M + M.transpose()));
    Matrix V = pairs.vectors.rowwise().reverse();
    Matrix U = V;
    return {std::move(U), pairs.values.reverse(), std::move(V)};
  }
  Factors X = singular_values(M);
  return is_decomposed(M, X) ? X : singular_values_by_rotations(M);
}

OrthogonalTriangular orthogonal_triangular(const Eigen::MatrixXd& M) {
  const Eigen::Index width = std::min(M.rows(), M.cols());
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(M);
  OrthogonalTriangular both{Eigen::MatrixXd::Identity(M.rows(), width), qr.matrixQR().topRows(width)};
  both.R.triangularView<Eigen::StrictlyLower>().setZero();
  both.Q.applyOnTheLeft(qr.householderQ());
  return both;
}

Matrix independent_columns(const Eigen::MatrixXd& M, double nearly_dependent) {
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(M);
  const auto diagonal = qr.matrixQR().diagonal().cwiseAbs();
  Index rank = 0;
  while (rank < diagonal.size() && diagonal[rank] > nearly_dependent) ++rank;
  Eigen::MatrixXd basis = Eigen::MatrixXd::Identity(M.rows(), rank);
  if (rank > 0) basis.applyOnTheLeft(qr.householderQ());
  return basis;
}

bool Cholesky::factor(Matrix S) {
  L_ = std::move(S);
  is_good_ = true;
  for (Index first = 0; first < L_.rows() && is_good_; first += kBlock) {
    const Index size = std::min(kBlock, L_.rows() - first), next = first + size, rest = L_.rows() - next;
    // S_11 = L_11 L_11'
    const Eigen::LLT<Matrix> corner(L_.block(first, first, size, size));
    is_good_ = corner.info() == Eigen::Success && corner.matrixLLT().diagonal().allFinite();
    if (!is_good_) break;
    L_.block(first, first, size, size) = corner.matrixLLT();
    if (rest == 0) break;
    // L_21 = S_21 L_11'^-1
    Matrix inverse = Matrix::Identity(size, size);
    corner.matrixL().solveInPlace(inverse);
    const Matrix below = times_transposed(L_.block(next, first, rest, size), inverse);
    L_.block(next, first, rest, size) = below;
    // S_22 - L_21 L_21', on and below the diagonal
    for (Index at = 0; at < rest; at += kBlock) {
      const Index width = std::min(kBlock, rest - at), height = rest - at;
      add_times_transposed(-1, below.bottomRows(height), below.middleRows(at, width),
                           L_.block(next + at, next + at, height, width));
    }
  }
  return is_good_;
}

Vector Cholesky::solve(const Vector& v) const {
  if (!is_good_) return Vector::Constant(v.size(), std::numeric_limits<double>::quiet_NaN());
  Vector x = v;
  L_.triangularView<Eigen::Lower>().solveInPlace(x);
  L_.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
  return x;
}

// The eigenvectors of A'A, rotated into A, give columns B = A V that are orthogonal but for rounding of the size of the
// largest value squared. Where that is too much, an SVD of B, in a basis of its columns at unit length, mends it.
Factors largest_singular(const Matrix& A, Index count, int threads) {
  const Factors gram = full_spectrum(column_gram(A, threads), Spectrum::eigenvalues);
  count = std::min({count, A.rows(), A.cols()});
  Factors svd;
  svd.V = gram.V.leftCols(count);
  Matrix B = times(A, svd.V, threads);
  svd.s = B.colwise().norm();
  if (count == 0 || !(svd.s.maxCoeff() > 0)) return Factors::zero(A.rows(), A.cols());
  const double largest = svd.s.maxCoeff();
  const Vector inverse = svd.s.unaryExpr([=](double s) { return s > kZero * largest ? 1 / s : 0.0; });
  svd.U = B * inverse.asDiagonal();
  Matrix cross = column_gram(svd.U, threads);
  cross.diagonal().setZero();
  const bool is_sorted = std::is_sorted(svd.s.begin(), svd.s.end(), std::greater<>());
  if (!(cross.cwiseAbs().maxCoeff() <= kOrthonormal) || !is_sorted) {
    const Matrix Q = orthonormal_columns(svd.U, threads);
    const Factors core = singular_values_by_rotations(transposed_times(Q, B, threads));
    svd = {times(Q, core.U, threads), core.s, times(svd.V, core.V, threads)};
  }
  return svd.head(count_nonzero(svd.s));
}

Matrix Tridiagonal::times(const Matrix& X) const {
  Matrix out = diagonal.asDiagonal() * X;
  for (Index i = 0; i + 1 < size(); ++i) {
    out.row(i) += beside[i] * X.row(i + 1);
    out.row(i + 1) += beside[i] * X.row(i);
  }
  return out;
}

// a T + b I = L D L' with L of ones on the diagonal and l_i below it. Positive definite, so nothing is exchanged.
void Tridiagonal::solve(double a, double b, Matrix& X) const {
  if (size() == 0) return;
  Vector l(size() - 1);
  double D = a * diagonal[0] + b;
  for (Index i = 0; i + 1 < size(); ++i) {
    l[i] = a * beside[i] / D;
    X.row(i + 1) -= l[i] * X.row(i);
    X.row(i) /= D;
    D = a * diagonal[i + 1] + b - a * beside[i] * l[i];
  }
  X.row(size() - 1) /= D;
  for (Index i = size() - 2; i >= 0; --i) X.row(i) -= l[i] * X.row(i + 1);
}

Vector Tridiagonal::eigenvalues() const {
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  return solver.computeFromTridiagonal(diagonal, beside, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace pdbfw
