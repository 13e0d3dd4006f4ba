// The matrices of the low-rank family: dense ones (Eigen's, row after row), and those of low rank by their factors.
// Needs Eigen 3.4 on the caller's side.
#pragma once

#include <Eigen/Core>

#include "pdbfw/errors.hpp"

namespace pdbfw {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

// A matrix of low rank, which is multiplied out only where `dense` is called: X = U diag(s) V'.  From the oracles and
// in results U and V have orthonormal columns and s >= 0 descends; then s holds the singular values, and for positive
// semidefinite X (U = V) the eigenvalues.
struct Factors {
  Matrix U;  // d x rank
  Vector s;  // rank
  Matrix V;  // c x rank

  [[nodiscard]] Index rows() const { return U.rows(); }
  [[nodiscard]] Index columns() const { return V.rows(); }
  [[nodiscard]] Index rank() const { return s.size(); }
  [[nodiscard]] double trace_norm() const { return s.cwiseAbs().sum(); }  // if U and V are orthonormal
  [[nodiscard]] Matrix dense() const { return U * s.asDiagonal() * V.transpose(); }
  // The first values with their vectors.
  [[nodiscard]] Factors head(Index count) const { return {U.leftCols(count), s.head(count), V.leftCols(count)}; }

  // The zero matrix: rank 0.
  [[nodiscard]] static Factors zero(Index rows, Index columns) {
    return {Matrix(rows, 0), Vector(0), Matrix(columns, 0)};
  }
};

}  // namespace pdbfw
