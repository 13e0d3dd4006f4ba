// Eigen's dense decompositions, compiled here alone: they are long to compile, and their answers are to be checked.
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <limits>

#include "pdbfw/top_spectrum.hpp"

namespace pdbfw {
namespace {

template <class Svd>
Factors singular(const Eigen::MatrixXd& M) {
  const Svd svd(M, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

// M V = U diag(s) up to rounding; false of what is not a number.
bool is_decomposed(const Eigen::MatrixXd& M, const Factors& X) {
  constexpr double kRounding = 1e-12;
  return (M * X.V - X.U * X.s.asDiagonal()).norm() <= kRounding * M.norm();
}

}  // namespace

Factors full_spectrum(const Matrix& M, Spectrum spectrum) {
  if (M.size() == 0) return Factors::zero(M.rows(), M.cols());
  if (!M.allFinite()) {
    const Index side = std::min(M.rows(), M.cols());
    return {Matrix::Identity(M.rows(), side), Vector::Constant(side, std::numeric_limits<double>::quiet_NaN()),
            Matrix::Identity(M.cols(), side)};
  }
  if (spectrum == Spectrum::eigenvalues) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(0.5 * (M + M.transpose()));
    Matrix V = solver.eigenvectors().rowwise().reverse();
    Matrix U = V;
    return {std::move(U), solver.eigenvalues().reverse(), std::move(V)};
  }
  // Divide and conquer is quick, but Eigen 3.4's answers NaN for a rare matrix whose values crowd at the size of
  // rounding, and calls it a success. Jacobi's rotations always get there.
  Factors X = singular<Eigen::BDCSVD<Eigen::MatrixXd>>(M);
  return is_decomposed(M, X) ? X : singular<Eigen::JacobiSVD<Eigen::MatrixXd>>(M);
}

}  // namespace pdbfw
