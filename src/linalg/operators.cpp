#include "linalg/operators.hpp"

#include "linalg/dense_product.hpp"

namespace pdbfw {

void DenseOperator::times(const Matrix& V, Matrix& out, int threads) const { out = pdbfw::times(M_, V, threads); }

void DenseOperator::transposed_times(const Matrix& U, Matrix& out, int threads) const {
  out = pdbfw::transposed_times(M_, U, threads);
}

// U (s o (V'v))
void FactorsOperator::times(const Matrix& V, Matrix& out, int threads) const {
  out = pdbfw::times(X_.U, X_.s.asDiagonal() * pdbfw::transposed_times(X_.V, V, threads), threads);
}

void FactorsOperator::transposed_times(const Matrix& U, Matrix& out, int threads) const {
  out = pdbfw::times(X_.V, X_.s.asDiagonal() * pdbfw::transposed_times(X_.U, U, threads), threads);
}

void SumOperator::times(const Matrix& V, Matrix& out, int threads) const {
  out.setZero(rows(), V.cols());
  Matrix term;
  for (const auto& [scale, M] : terms_) {
    M->times(V, term, threads);
    out += scale * term;
  }
}

void SumOperator::transposed_times(const Matrix& U, Matrix& out, int threads) const {
  out.setZero(columns(), U.cols());
  Matrix term;
  for (const auto& [scale, M] : terms_) {
    M->transposed_times(U, term, threads);
    out += scale * term;
  }
}

double SumOperator::cost() const {
  double sum = 0;
  for (const auto& [scale, M] : terms_) sum += M->cost() + static_cast<double>(rows());
  return sum;
}

void SymmetricPart::times(const Matrix& V, Matrix& out, int threads) const {
  Matrix other;
  M_->times(V, out, threads);
  M_->transposed_times(V, other, threads);
  out = 0.5 * (out + other);
}

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
