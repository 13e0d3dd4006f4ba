// Coordinates in which a solve with A'A costs next to nothing.                                                 [M31a]
#pragma once

#include "core/spectral_set.hpp"
#include "linalg/row_space.hpp"
#include "pdbfw/low_rank_problem.hpp"

namespace pdbfw::low_rank {

// With A'A = Q T Q':  X is kept as Q'X where the set asks for singular values only, which are those of X; S X = T X / n
// is tridiagonal then. The parts of X outside the space of A's rows only add to its trace norm and to |X|_F, so the
// solution has none. For eigenvalues X is kept as it is.
class RowCoordinates {
 public:
  RowCoordinates(const Problem& problem, int threads);

  [[nodiscard]] Index rows() const { return is_rotated_ ? space_.Q.cols() : space_.Q.rows(); }
  [[nodiscard]] Matrix inside(Matrix X) const;
  [[nodiscard]] Matrix outside(Matrix X) const;

  // S X, S = A'A / n.
  [[nodiscard]] Matrix times(const Matrix& X) const;
  // (a S + b I)^-1 X, b > 0.
  [[nodiscard]] Matrix solve(double a, double b, Matrix X) const;

  [[nodiscard]] double largest() const { return largest_; }  // eigenvalue of S
  [[nodiscard]] double typical() const { return typical_; }  // geometric mean of the mean eigenvalue and the median

  [[nodiscard]] double preparation() const { return space_.multiply_adds; }
  // Multiply-adds of inside(), of outside(), and those of one solve.
  [[nodiscard]] double move_cost(Index columns) const;
  [[nodiscard]] double solve_cost(Index columns) const;

 private:
  RowSpace space_;
  double n_;
  bool is_rotated_;
  int threads_;
  double largest_ = 0, typical_ = 0;
};

}  // namespace pdbfw::low_rank
