// Affine rank minimisation: the matrix of smallest trace norm that explains measurements A(X)_i = b_i
// (docs/low-rank.md).
//
//   pdbfw::MapPtr map = pdbfw::products_map(A, d, c);                    // or rank_one_map, quadratic_map ...
//   pdbfw::Explanation found = pdbfw::explain(map, b);
//   found.result.X, found.radius, found.misfit ...
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pdbfw/formulation.hpp"
#include "pdbfw/low_rank_problem.hpp"
#include "pdbfw/low_rank_solve.hpp"

namespace pdbfw {

struct ExplainOptions {
  std::string set = "trace";       // or psd_trace
  std::optional<double> radius{};  // none: the smallest with which the measurements are explained
  double misfit = 1e-6;            // explained: |A(X) - b| <= misfit |b|; has no say with a radius
  Ridge ridge{0, false};
  Settings settings{};  // limits are for all solves together, but max_iterations and max_passes for each
};

// One radius on the way, and how far the measurements were from being explained there.
struct RadiusStep {
  double radius = 0;
  double misfit = 0;
  Index rank = 0;
  double seconds = 0;
};

struct Explanation {
  low_rank::Problem problem;  // squared loss
  low_rank::Result result;
  double radius = 0;                // in force
  double misfit = 0;                // |A(X) - b| / |b|
  std::vector<RadiusStep> steps{};  // of the search for the radius
};

// The optimum P(r) falls and is convex in the radius r, and so is its root; the multiplier says how fast it falls. So
// Newton's method on  sqrt P(r) = misfit sqrt P(0)  comes from below and does not go beyond the smallest radius by more
// than the solves are inexact (van den Berg, Friedlander 2008). It begins at |b|^2 / |A*(b)|, which no matrix that
// explains b can undercut. Throws InputError for options out of range and b that does not fit the map.
[[nodiscard]] Explanation explain(MapPtr map, std::span<const double> b, const ExplainOptions& options = {},
                                  const Callback& callback = {}, const low_rank::Start& start = {});

// |X - truth|_F / |truth|_F without multiplying X out. Throws InputError where the shapes differ or the truth is zero.
[[nodiscard]] double relative_error(const Factors& X, const Matrix& truth);

}  // namespace pdbfw
