// What the solver `factored` knows about a point, which it keeps in factors.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "base/random.hpp"
#include "core/spectral_set.hpp"
#include "linalg/operators.hpp"
#include "pdbfw/low_rank_problem.hpp"
#include "steps/low_rank/iterate.hpp"

namespace pdbfw::low_rank {

struct FactoredPoint {
  Factors X;         // orthonormal, values descending
  Matrix W;          // A(X)
  double value = 0;  // P(X)
};

// A*(Y) as the set sees it: where C holds symmetric matrices only, the symmetric part.
class Adjoints {
 public:
  explicit Adjoints(const Problem& p)
      : map_(*p.map),
        takes_symmetric_part_(p.set->spectrum() == Spectrum::eigenvalues && !has_symmetric_adjoint(*p.map)) {}
  // Borrows Y.
  [[nodiscard]] std::unique_ptr<const Operator> operator()(const Matrix& Y) const {
    auto M = map_.adjoint(Y);
    if (!takes_symmetric_part_) return M;
    return std::make_unique<const SymmetricPart>(std::move(M));
  }

 private:
  [[nodiscard]] static Matrix random_matrix(Index rows, Index columns, Random& random) {
    Matrix M(rows, columns);
    for (double& value : M.reshaped()) value = random.normal();
    return M;
  }

  // x'A*(Y) y = y'A*(Y) x for random x, y and Y says so.
  [[nodiscard]] static bool has_symmetric_adjoint(const LinearMap& map) {
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

  const LinearMap& map_;
  bool takes_symmetric_part_;
};

// X with its W and value; charges nothing.
[[nodiscard]] inline FactoredPoint evaluated(const Problem& p, Factors X, int threads) {
  FactoredPoint point{std::move(X), {}, 0};
  p.map->apply(point.X, point.W, threads);
  point.value = objective(p, point.W, point.X.s.squaredNorm(), threads);
  return point;
}

// So many directions beyond the rank are looked at.
[[nodiscard]] constexpr Index width_beyond(Index rank) { return std::max<Index>(6, rank / 4); }

}  // namespace pdbfw::low_rank
