// What the solver `factored` knows about a point, which it keeps in factors.
#pragma once

#include <algorithm>
#include <memory>

#include "core/spectral_set.hpp"
#include "linalg/operators.hpp"
#include "pdbfw/low_rank_problem.hpp"

namespace pdbfw::low_rank {

struct FactoredPoint {
  Factors X;         // orthonormal, values descending
  Matrix W;          // A(X)
  double value = 0;  // P(X)
};

// A*(Y) as the set sees it: where C holds symmetric matrices only, the symmetric part.
class Adjoints {
 public:
  explicit Adjoints(const Problem& problem);
  // Borrows Y.
  [[nodiscard]] std::unique_ptr<const Operator> operator()(const Matrix& Y) const;

 private:
  const LinearMap& map_;
  bool takes_symmetric_part_;
};

// <X, Z>_F by the factors, which need not be orthonormal.
[[nodiscard]] double inner_product(const Factors& X, const Factors& Z);

// [X, Z] with the values of each multiplied: a X + b Z.
[[nodiscard]] Factors combination(double a, const Factors& X, double b, const Factors& Z);

// P(X) from W = A(X) and |X|_F^2.
[[nodiscard]] double objective(const Problem& problem, const Matrix& W, double squared_norm, int threads);

// X with its W and value; charges nothing.
[[nodiscard]] FactoredPoint evaluated(const Problem& problem, Factors X, int threads);

// Replaces descending values by the nearest ones that are >= 0 with a sum of at most the radius: what the projection
// onto either set does to a spectrum [M24]. How many are not 0.
Index project_values(Vector& values, double radius);

// So many directions beyond the rank are looked at.
[[nodiscard]] constexpr Index width_beyond(Index rank) { return std::max<Index>(6, rank / 4); }

// An orthonormal basis of the columns of E (twice by Cholesky, which is all products; by Householder where E is nearly
// dependent).
[[nodiscard]] Matrix orthonormal_basis(Matrix E, int threads);

}  // namespace pdbfw::low_rank
