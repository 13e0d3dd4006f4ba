// Sums over all samples, which a team may have spread.
#pragma once

#include "pdbfw/low_rank_problem.hpp"

namespace pdbfw::low_rank {

// sum_i <a_i, b_i>
[[nodiscard]] inline double dot_over_samples(const Problem& p, const Matrix& a, const Matrix& b) {
  return sum_over(p.team, a.cwiseProduct(b).sum());
}

}  // namespace pdbfw::low_rank
