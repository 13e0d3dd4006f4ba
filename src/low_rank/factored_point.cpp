#include "low_rank/factored_point.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <utility>

#include "base/random.hpp"
#include "core/spectral_set.hpp"
#include "linalg/dense_product.hpp"
#include "linalg/operators.hpp"
#include "linalg/orthonormal.hpp"

namespace pdbfw::low_rank {
namespace {

class SymmetricPart final : public Operator {
 public:
  explicit SymmetricPart(std::unique_ptr<const Operator> M) : M_(std::move(M)) {}
  [[nodiscard]] Index rows() const override { return M_->rows(); }
  [[nodiscard]] Index columns() const override { return M_->columns(); }
  void times(const Matrix& V, Matrix& out, int threads) const override {
    Matrix other;
    M_->times(V, out, threads);
    M_->transposed_times(V, other, threads);
    out = 0.5 * (out + other);
  }
  void transposed_times(const Matrix& U, Matrix& out, int threads) const override { times(U, out, threads); }
  [[nodiscard]] double cost() const override { return 2 * M_->cost(); }

 private:
  std::unique_ptr<const Operator> M_;
};

Matrix random_matrix(Index rows, Index columns, Random& random) {
  Matrix M(rows, columns);
  for (double& value : M.reshaped()) value = random.normal();
  return M;
}

// x'A*(Y) y = y'A*(Y) x for random x, y and Y says so.
bool has_symmetric_adjoint(const LinearMap& map) {
  constexpr double kRounding = 1e-10;
  Random random(1);
  const Matrix Y = random_matrix(map.samples(), map.outputs(), random), x = random_matrix(map.rows(), 1, random),
               y = random_matrix(map.rows(), 1, random);
  const auto M = map.adjoint(Y);
  Matrix Mx, My;
  M->times(x, Mx);
  M->times(y, My);
  return std::abs(x.col(0).dot(My.col(0)) - y.col(0).dot(Mx.col(0))) <= kRounding * x.norm() * My.norm();
}

}  // namespace

Adjoints::Adjoints(const Problem& p)
    : map_(*p.map),
      takes_symmetric_part_(p.set->spectrum() == Spectrum::eigenvalues && !has_symmetric_adjoint(*p.map)) {}

std::unique_ptr<const Operator> Adjoints::operator()(const Matrix& Y) const {
  auto M = map_.adjoint(Y);
  if (!takes_symmetric_part_) return M;
  return std::make_unique<const SymmetricPart>(std::move(M));
}

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
  return p.loss->total_value(W, threads) / static_cast<double>(p.samples()) + 0.5 * p.ridge * squared_norm;
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
