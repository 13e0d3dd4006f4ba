// The constants that the step rules of the papers are made of.
#pragma once

#include <numbers>

#include "core/spectral_set.hpp"
#include "pdbfw/low_rank_problem.hpp"

namespace pdbfw::low_rank {

// L of the whole objective:  beta |A|^2 / n + ridge
[[nodiscard]] inline double primal_smoothness(const Problem& p) {
  return p.loss->smoothness() * p.map->squared_norm() / static_cast<double>(p.samples()) + p.ridge;
}

// L of the roughest of the terms f_i(A(X)_i) + (ridge/2) |X|^2
[[nodiscard]] inline double sample_smoothness(const Problem& p) {
  return p.loss->smoothness() * p.map->largest_squared_sample_norm() + p.ridge;
}

// The largest distance of two points of C: V and -V of rank one, or two orthogonal ones where there is no -V.
[[nodiscard]] inline double diameter(const Problem& p) {
  return p.set->radius() * (p.set->spectrum() == Spectrum::eigenvalues ? std::numbers::sqrt2 : 2);
}

}  // namespace pdbfw::low_rank
