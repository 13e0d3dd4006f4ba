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

}  // namespace pdbfw
