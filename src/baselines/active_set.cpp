#include "baselines/active_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pdbfw {

void require_coordinate_vertices(const Problem& p, std::string_view solver) {
  std::vector<double> gradient(static_cast<std::size_t>(p.d()));
  std::iota(gradient.rbegin(), gradient.rend(),
            -static_cast<double>(p.d()));  // no ties, and every e_j is better than 0
  SparseAtom v;
  p.set->linear_oracle(gradient, v);
  const double radius = p.set->radius();
  if (v.at.size() != 1 || !(std::abs(std::abs(v.value[0]) - radius) <= 1e-12 * radius))
    throw InputError(
        "set", fmt::format("'{}'", p.set->name()),
        fmt::format("one whose vertices are +-radius e_j, such as l1, simplex or nonnegative, for the solver {}",
                    solver));
}

Vertex best_vertex(const Problem& p, const std::vector<double>& gradient) {
  SparseAtom v;
  p.set->linear_oracle(gradient, v);
  return v.at.empty() ? Vertex{} : Vertex{v.at[0], v.value[0]};
}

double slope(const std::vector<double>& gradient, const Vertex& v) {
  return v.at < 0 ? 0 : gradient[static_cast<std::size_t>(v.at)] * v.value;
}

}  // namespace pdbfw
