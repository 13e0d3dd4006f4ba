// The judge, for solvers that can use what it has to compute.
#pragma once

#include <span>
#include <vector>

#include "pdbfw/certificate.hpp"

namespace pdbfw {

// As certify(); `u` becomes -A'y / n.
[[nodiscard]] Certificate certify(const Problem& problem, std::span<const double> x, std::span<const double> y,
                                  int threads, std::vector<double>& u);

}  // namespace pdbfw
