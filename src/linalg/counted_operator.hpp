// An operator or its transpose, with its products counted.
#pragma once

#include <algorithm>

#include "linalg/operators.hpp"
#include "pdbfw/factors.hpp"

namespace pdbfw {

class CountedOperator {
 public:
  CountedOperator(const Operator& M, bool is_transposed, int threads, double& multiply_adds)
      : M_(M), is_transposed_(is_transposed), threads_(threads), multiply_adds_(multiply_adds) {}

  [[nodiscard]] Index rows() const { return is_transposed_ ? M_.columns() : M_.rows(); }
  [[nodiscard]] Index columns() const { return is_transposed_ ? M_.rows() : M_.columns(); }
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] Matrix times(const Matrix& V) const { return product(V, is_transposed_); }
  [[nodiscard]] Matrix transposed_times(const Matrix& U) const { return product(U, !is_transposed_); }

  // All entries: those at hand, or by products with pieces of the identity.
  [[nodiscard]] Matrix formed() const {
    if (const Matrix* M = M_.entries()) return is_transposed_ ? Matrix(M->transpose()) : *M;
    constexpr Index kPiece = 64;
    Matrix out(rows(), columns());
    for (Index first = 0; first < columns(); first += kPiece) {
      const Index size = std::min(kPiece, columns() - first);
      Matrix piece = Matrix::Zero(columns(), size);
      piece.middleRows(first, size).setIdentity();
      out.middleCols(first, size) = times(piece);
    }
    return out;
  }

 private:
  [[nodiscard]] Matrix product(const Matrix& V, bool is_transposed) const {
    multiply_adds_ += M_.cost() * static_cast<double>(V.cols());
    Matrix out;
    if (is_transposed)
      M_.transposed_times(V, out, threads_);
    else
      M_.times(V, out, threads_);
    return out;
  }

  const Operator& M_;
  bool is_transposed_;
  int threads_;
  double& multiply_adds_;
};

}  // namespace pdbfw
