// The judge, for solvers that can use what it has to compute.
#pragma once

#include <span>
#include <vector>

#include "core/column_bounds.hpp"
#include "pdbfw/certificate.hpp"

namespace pdbfw {

struct DualSide {
  std::vector<double> u;  // -A'y / n; empty where not all of it was needed
  DeadZone zone;          // of the minimiser for u
  double entries = 0;     // of A that were looked at for u
};

// P where nothing is learnt, not even the weights of free columns: the unit of a gap where P is all but zero.
[[nodiscard]] double objective_of_nothing(const Problem& problem);

// P - D as far as it is proven: 0 where the two agree up to rounding; infinite where they are no numbers, or where D is
// so far above P that rounding must be larger than what it is to prove.
[[nodiscard]] double proven_gap(double primal, double dual);

// As certify(), and fills `side`. The violation of a set without a dead zone is a search: it stays 0, and is the
// caller's business.
[[nodiscard]] Certificate certify(const Problem& problem, std::span<const double> x, std::span<const double> y,
                                  int threads, const ColumnBounds& columns, DualSide& side);

}  // namespace pdbfw
