// The matrices of the low-rank family: dense ones (Eigen's, row after row), those of low rank by their factors, and
// those known by their products only. Needs Eigen 3.4 on the caller's side.
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

  // The zero matrix: rank 0.
  [[nodiscard]] static Factors zero(Index rows, Index columns) {
    return {Matrix(rows, 0), Vector(0), Matrix(columns, 0)};
  }
};

// A matrix M known by its products: what the spectral oracles work on, so that sparse + low rank + scaled is never
// formed.
class Operator {
 public:
  Operator() = default;
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;
  virtual ~Operator() = default;

  [[nodiscard]] virtual Index rows() const = 0;
  [[nodiscard]] virtual Index columns() const = 0;
  // out = M V (rows x s) and out = M'U (columns x s); the same bits for any number of threads.
  virtual void times(const Matrix& V, Matrix& out, int threads = 1) const = 0;
  virtual void transposed_times(const Matrix& U, Matrix& out, int threads = 1) const = 0;
  // Multiply-adds of one product with one column.
  [[nodiscard]] virtual double cost() const = 0;
  // The entries, where they are at hand; else null.
  [[nodiscard]] virtual const Matrix* entries() const { return nullptr; }
};

}  // namespace pdbfw
