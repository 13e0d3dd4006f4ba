// What the solver `factored` knows about a point, which it keeps in factors.
#pragma once

#include <algorithm>
#include <memory>

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
  explicit Adjoints(const Problem& problem);
  // Borrows Y.
  [[nodiscard]] std::unique_ptr<const Operator> operator()(const Matrix& Y) const;

 private:
  const LinearMap& map_;
  bool takes_symmetric_part_;
};

// X with its W and value; charges nothing.
[[nodiscard]] FactoredPoint evaluated(const Problem& problem, Factors X, int threads);

// So many directions beyond the rank are looked at.
[[nodiscard]] constexpr Index width_beyond(Index rank) { return std::max<Index>(6, rank / 4); }

}  // namespace pdbfw::low_rank
