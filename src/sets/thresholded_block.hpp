// Block oracles of sets whose projection is a soft threshold. The nearest point with at most s non-zeros keeps the s
// coordinates with the largest key and projects those; when the projection of the whole centre is that sparse by
// itself, it is the answer and nothing need be selected.
#pragma once

#include <vector>

#include "linalg/select.hpp"
#include "pdbfw/set.hpp"

namespace pdbfw {

template <class Key>
void thresholded_block(const Set& set, std::span<const double> centre, Index s, const Key& key, SparseAtom& out) {
  constexpr Curvatures kDistance{1.0, {}};  // the projection minimises |x|^2 / 2 - <centre, x>
  out.at.clear();
  out.value.clear();
  const DeadZone zone = set.dead_zone(centre, kDistance);
  for (std::size_t j = 0; j < centre.size(); ++j) {
    const double x_j = zone.outside(centre[j]);
    if (x_j == 0) continue;
    out.at.push_back(static_cast<Index>(j));
    out.value.push_back(x_j);
  }
  if (static_cast<Index>(out.at.size()) <= s) return;

  out.at = largest(static_cast<Index>(centre.size()), s, key);
  out.value.clear();
  for (const Index j : out.at) out.value.push_back(centre[static_cast<std::size_t>(j)]);
  set.project(out.value);
}

}  // namespace pdbfw
