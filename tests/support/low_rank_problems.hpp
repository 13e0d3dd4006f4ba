// Small low-rank problems of every map and every loss.
#pragma once

#include <string>

#include "apps/low_rank_registry.hpp"
#include "base/random.hpp"
#include "pdbfw/low_rank.hpp"

namespace pdbfw::test {

// Targets of the kind that the loss asks for.
inline Matrix random_targets(const RowLoss& loss, Index n, Index k, std::uint64_t seed) {
  Random random(seed);
  Matrix B(n, loss.target_columns(k));
  for (double& b : B.reshaped()) switch (loss.target_kind()) {
      case RowTargetKind::numbers:
        b = random.normal();
        break;
      case RowTargetKind::signs:
        b = random.uniform() < 0.5 ? -1 : 1;
        break;
      case RowTargetKind::classes:
        b = static_cast<double>(random.below(static_cast<std::uint64_t>(k)));
        break;
    }
  return B;
}

inline low_rank::Problem random_low_rank_problem(const MapPtr& map, const Formulation& f, std::uint64_t seed) {
  return low_rank::make_problem(map, random_targets(*low_rank::make_row_loss(f), map->samples(), map->outputs(), seed),
                                f);
}

// Rows of about unit length.
inline MatrixPtr gaussian_rows(Index n, Index d, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(static_cast<std::size_t>(n * d));
  for (double& v : values) v = random.normal() / std::sqrt(static_cast<double>(d));
  return own_dense_rows(n, d, std::move(values));
}

}  // namespace pdbfw::test
