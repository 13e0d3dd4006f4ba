#include "io/targets.hpp"

#include <fmt/format.h>

#include <cmath>

namespace pdbfw {

void check_targets(const Dataset& data) {
  if (data.A == nullptr || static_cast<Index>(data.target.size()) != data.A->rows())
    throw InputError("target", fmt::format("{} of them", data.target.size()), "one for each row of the matrix");
  for (const double target : data.target)
    if (!std::isfinite(target)) throw InputError("target", fmt::format("{}", target), "a finite number");
}

}  // namespace pdbfw
