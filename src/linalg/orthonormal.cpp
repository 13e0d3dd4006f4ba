#include "linalg/orthonormal.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>

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

}  // namespace pdbfw
