#include "linalg/operators.hpp"

namespace pdbfw {

double inner_product(const Matrix& M, const Factors& X) { return (M * X.V).cwiseProduct(X.U * X.s.asDiagonal()).sum(); }

// sum_{a, b} s_a t_b (u_a'p_b) (v_a'q_b)
double inner_product(const Factors& M, const Factors& X) {
  if (M.rank() == 0 || X.rank() == 0) return 0;
  const Matrix left = transposed_times(M.U, X.U), right = transposed_times(M.V, X.V);
  return M.s.dot(left.cwiseProduct(right) * X.s);
}

double inner_product(const Operator& M, const Factors& X, int threads) {
  Matrix MV;
  M.times(X.V, MV, threads);
  return X.U.cwiseProduct(MV).colwise().sum().dot(X.s);
}

Factors combination(double a, const Factors& X, double b, const Factors& Z) {
  Factors sum{Matrix(X.rows(), X.rank() + Z.rank()), Vector(X.rank() + Z.rank()),
              Matrix(X.columns(), X.rank() + Z.rank())};
  sum.U << X.U, Z.U;
  sum.s << a * X.s, b * Z.s;
  sum.V << X.V, Z.V;
  return sum;
}

}  // namespace pdbfw
