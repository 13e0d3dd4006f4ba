// Symmetric tridiagonal matrices: products and solves cost as much as reading the right-hand sides.
#pragma once

#include "pdbfw/factors.hpp"

namespace pdbfw {

struct Tridiagonal {
  Vector diagonal;  // t_ii
  Vector beside;    // t_{i, i + 1}, one fewer

  [[nodiscard]] Index size() const { return diagonal.size(); }
  [[nodiscard]] Matrix times(const Matrix& X) const;
  // X <- (a T + b I)^-1 X, for T positive semidefinite, a >= 0, b > 0.
  void solve(double a, double b, Matrix& X) const;
  [[nodiscard]] Vector eigenvalues() const;  // ascending
};

}  // namespace pdbfw
