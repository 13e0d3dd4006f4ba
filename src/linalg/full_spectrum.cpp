#include <limits>

#include "linalg/decompositions.hpp"
#include "linalg/top_spectrum.hpp"

namespace pdbfw {
namespace {

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
    const Eigenpairs pairs = eigenpairs(0.5 * (M + M.transpose()));
    Matrix V = pairs.vectors.rowwise().reverse();
    Matrix U = V;
    return {std::move(U), pairs.values.reverse(), std::move(V)};
  }
  Factors X = singular_values(M);
  return is_decomposed(M, X) ? X : singular_values_by_rotations(M);
}

}  // namespace pdbfw
