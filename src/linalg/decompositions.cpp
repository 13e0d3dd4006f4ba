#include "linalg/decompositions.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

namespace pdbfw {
namespace {

template <class Svd>
Factors factors_of(const Eigen::MatrixXd& M) {
  const Svd svd(M, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
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

Vector tridiagonal_eigenvalues(const Vector& diagonal, const Vector& beside) {
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  return solver.computeFromTridiagonal(diagonal, beside, Eigen::EigenvaluesOnly).eigenvalues();
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

}  // namespace pdbfw
