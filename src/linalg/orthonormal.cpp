#include "linalg/orthonormal.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <limits>

#include "linalg/dense_product.hpp"

namespace pdbfw {
namespace {

struct Basis {
  Eigen::MatrixXd Q, R;  // M = Q R, Q'Q = I
};

Basis basis_of(const Matrix& M) {
  const Eigen::Index width = std::min(M.rows(), M.cols());
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(M);
  Basis basis{Eigen::MatrixXd::Identity(M.rows(), width),
              qr.matrixQR().topRows(width).triangularView<Eigen::Upper>().toDenseMatrix()};
  basis.Q.applyOnTheLeft(qr.householderQ());
  return basis;
}

Index count_kept(const Vector& s, double drop) {
  const double largest = s.size() > 0 ? s.cwiseAbs().maxCoeff() : 0;
  Index kept = 0;
  while (kept < s.size() && s[kept] > drop * largest && s[kept] != 0) ++kept;
  return kept;
}

}  // namespace

Factors orthonormal(const Factors& X, Spectrum spectrum, double drop) {
  if (X.rank() == 0) return X;
  const Basis left = basis_of(X.U);
  if (spectrum == Spectrum::eigenvalues) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> core(left.R * X.s.asDiagonal() * left.R.transpose());
    const Vector s = core.eigenvalues().reverse();
    const Index kept = drop < 0 ? s.size() : count_kept(s, drop);
    Matrix U = left.Q * core.eigenvectors().rowwise().reverse().leftCols(kept);
    Matrix V = U;
    return {std::move(U), s.head(kept), std::move(V)};
  }
  const Basis right = basis_of(X.V);
  const Eigen::JacobiSVD<Eigen::MatrixXd> core(left.R * X.s.asDiagonal() * right.R.transpose(),
                                               Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Index kept = count_kept(core.singularValues(), drop);
  return {left.Q * core.matrixU().leftCols(kept), core.singularValues().head(kept),
          right.Q * core.matrixV().leftCols(kept)};
}

Matrix orthonormal_columns(Matrix E, const Matrix& K, int threads) {
  constexpr double kNearlyDependent = 1e-10;
  for (int round = 0; round < 3 && E.cols() > 0; ++round) {
    for (Index j = 0; j < E.cols(); ++j) E.col(j) /= std::max(E.col(j).norm(), std::numeric_limits<double>::min());
    if (K.cols() > 0) add_times(-1, K, transposed_times(K, E, threads), E, threads);
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(E);
    const auto diagonal = qr.matrixQR().diagonal().cwiseAbs();
    Index rank = 0;
    while (rank < diagonal.size() && diagonal[rank] > kNearlyDependent) ++rank;
    E = qr.householderQ() * Eigen::MatrixXd::Identity(E.rows(), rank);
  }
  return E;
}

}  // namespace pdbfw
