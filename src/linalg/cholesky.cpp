#include "linalg/cholesky.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>
#include <utility>

namespace pdbfw {
namespace {

// Columns that are factored at a time.
constexpr Index kBlock = 96;

}  // namespace

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

}  // namespace pdbfw
