// The judge, for solvers that can use what it has to compute.
#pragma once

#include <span>
#include <vector>

#include "core/column_bounds.hpp"
#include "core/verdict.hpp"
#include "pdbfw/result.hpp"

namespace pdbfw {

struct DualSide {
  std::vector<double> u;  // -A'y / n; empty where not all of it was needed
  DeadZone zone;          // of the minimiser for u
  double entries = 0;     // of A that were looked at for u
};

// P where nothing is learnt, not even the weights of free columns: the unit of a gap where P is all but zero.
[[nodiscard]] double objective_of_nothing(const Problem& problem);

// As certify(), and fills `side`. The violation of a set without a dead zone is a search: it stays 0, and is the
// caller's business.
[[nodiscard]] Verdict certify(const Problem& problem, std::span<const double> x, std::span<const double> y, int threads,
                              const ColumnBounds& columns, DualSide& side);

// The terms that w = A x and a balanced y tell: all but those of g and of the set. The samples of a team are those of
// all members.
[[nodiscard]] CertificateTerms terms_of_samples(const Problem& problem, std::span<const double> w,
                                                std::span<const double> y);

}  // namespace pdbfw
