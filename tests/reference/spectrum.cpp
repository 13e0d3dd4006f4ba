#include "reference/spectrum.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace pdbfw::reference {

Vector singular_values(const Matrix& M) { return Eigen::JacobiSVD<Eigen::MatrixXd>(M).singularValues(); }

Vector eigenvalues(const Matrix& M) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (M + M.transpose()), Eigen::EigenvaluesOnly)
      .eigenvalues();
}

}  // namespace pdbfw::reference
