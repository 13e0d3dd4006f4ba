#include "low_rank/factored_point.hpp"

#include <Eigen/Cholesky>
#include <utility>

#include "linalg/dense_product.hpp"
#include "linalg/orthonormal.hpp"

namespace pdbfw::low_rank {

// sum_{a, b} s_a t_b (u_a'p_b) (v_a'q_b)
double inner_product(const Factors& X, const Factors& Z) {
  if (X.rank() == 0 || Z.rank() == 0) return 0;
  const Matrix left = transposed_times(X.U, Z.U), right = transposed_times(X.V, Z.V);
  return X.s.dot(left.cwiseProduct(right) * Z.s);
}

Factors combination(double a, const Factors& X, double b, const Factors& Z) {
  Factors sum{Matrix(X.rows(), X.rank() + Z.rank()), Vector(X.rank() + Z.rank()),
              Matrix(X.columns(), X.rank() + Z.rank())};
  sum.U << X.U, Z.U;
  sum.s << a * X.s, b * Z.s;
  sum.V << X.V, Z.V;
  return sum;
}

double objective(const Problem& p, const Matrix& W, double squared_norm, int threads) {
  return p.loss->total_value(p.B, W, threads) / static_cast<double>(p.n()) + 0.5 * p.ridge * squared_norm;
}

FactoredPoint evaluated(const Problem& p, Factors X, int threads) {
  FactoredPoint point{std::move(X), {}, 0};
  p.map->apply(point.X, point.W, threads);
  point.value = objective(p, point.W, point.X.s.squaredNorm(), threads);
  return point;
}

Index project_values(Vector& s, double radius) {
  s = s.cwiseMax(0.0);
  if (s.sum() > radius) {
    double sum = 0, threshold = 0;
    for (Index k = 0; k < s.size(); ++k) {
      sum += s[k];
      const double next = (sum - radius) / static_cast<double>(k + 1);
      if (next >= s[k]) break;
      threshold = next;
    }
    s = (s.array() - threshold).max(0.0);
  }
  return (s.array() > 0).count();
}

Matrix orthonormal_basis(Matrix E, int threads) {
  constexpr double kNearlyDependent = 1e-5;  // the second round repairs what the square of this leaves
  const Matrix none(E.rows(), 0);
  if (E.cols() == 0) return none;
  for (int round = 0; round < 2; ++round) {
    const Vector lengths = E.colwise().norm();
    if (!(lengths.minCoeff() > 0)) return orthonormal_columns(std::move(E), none, threads);
    E *= lengths.cwiseInverse().asDiagonal();
    const Eigen::LLT<Matrix> gram(transposed_times(E, E, threads));
    const Matrix R = gram.matrixU();
    if (gram.info() != Eigen::Success || !(R.diagonal().minCoeff() > kNearlyDependent))
      return orthonormal_columns(std::move(E), none, threads);
    R.triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(E);
  }
  return E;
}

}  // namespace pdbfw::low_rank
