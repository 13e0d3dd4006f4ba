#include "io/targets.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/machine_memory.hpp"

namespace pdbfw {

void check_targets(const Dataset& data) {
  if (data.A == nullptr || static_cast<Index>(data.target.size()) != data.A->rows())
    throw InputError("target", fmt::format("{} of them", data.target.size()), "one for each row of the matrix");
  for (const double target : data.target)
    if (!std::isfinite(target)) throw InputError("target", fmt::format("{}", target), "a finite number");
}

std::vector<double> targets_for(Index rows, GivenTargets given, const std::string& name, bool needs_targets) {
  if (!given && !needs_targets) {
    if (rows > most_features_in_memory())
      throw InputError(fmt::format("{}: {} rows do not fit into this machine's memory", name, rows));
    return std::vector<double>(static_cast<std::size_t>(rows));
  }
  if (!given) throw InputError(fmt::format("{}: these data hold no labels: name their file as labels", name));
  if (static_cast<Index>(given->size()) != rows)
    throw InputError(fmt::format("{}: {} rows, but {} labels are given", name, rows, given->size()));
  return *std::move(given);
}

}  // namespace pdbfw
