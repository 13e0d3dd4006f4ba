#include "linalg/tridiagonal.hpp"

#include "linalg/decompositions.hpp"

namespace pdbfw {

Matrix Tridiagonal::times(const Matrix& X) const {
  Matrix out = diagonal.asDiagonal() * X;
  for (Index i = 0; i + 1 < size(); ++i) {
    out.row(i) += beside[i] * X.row(i + 1);
    out.row(i + 1) += beside[i] * X.row(i);
  }
  return out;
}

// a T + b I = L D L' with L of ones on the diagonal and l_i below it. Positive definite, so nothing is exchanged.
void Tridiagonal::solve(double a, double b, Matrix& X) const {
  if (size() == 0) return;
  Vector l(size() - 1);
  double D = a * diagonal[0] + b;
  for (Index i = 0; i + 1 < size(); ++i) {
    l[i] = a * beside[i] / D;
    X.row(i + 1) -= l[i] * X.row(i);
    X.row(i) /= D;
    D = a * diagonal[i + 1] + b - a * beside[i] * l[i];
  }
  X.row(size() - 1) /= D;
  for (Index i = size() - 2; i >= 0; --i) X.row(i) -= l[i] * X.row(i + 1);
}

Vector Tridiagonal::eigenvalues() const { return tridiagonal_eigenvalues(diagonal, beside); }

}  // namespace pdbfw
