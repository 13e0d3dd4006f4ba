// The judge, for solvers that can use what it has to compute.
#pragma once

#include <span>
#include <vector>

#include "pdbfw/certificate.hpp"

namespace pdbfw {

struct DualSide {
  std::vector<double> u;  // -A'y / n
  DeadZone zone;          // of the minimiser for u
};

// As certify(), and fills `side`.
[[nodiscard]] Certificate certify(const Problem& problem, std::span<const double> x, std::span<const double> y,
                                  int threads, DualSide& side);

}  // namespace pdbfw
