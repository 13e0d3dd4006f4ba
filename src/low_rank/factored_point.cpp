#include "low_rank/factored_point.hpp"

#include <cmath>
#include <utility>

#include "base/random.hpp"
#include "core/spectral_set.hpp"
#include "linalg/operators.hpp"

namespace pdbfw::low_rank {
namespace {

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

FactoredPoint evaluated(const Problem& p, Factors X, int threads) {
  FactoredPoint point{std::move(X), {}, 0};
  p.map->apply(point.X, point.W, threads);
  point.value = objective(p, point.W, point.X.s.squaredNorm(), threads);
  return point;
}

}  // namespace pdbfw::low_rank
