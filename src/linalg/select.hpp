// Greedy selection: the s largest coordinates (block oracles), the k largest dual steps (Gauss-Southwell).
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "pdbfw/errors.hpp"

namespace pdbfw {

// The s indices of 0 .. count - 1 with the largest key, ascending; ties go to the smaller index. Quickselect: O(count).
template <class Key>
std::vector<Index> largest(Index count, Index s, const Key& key) {
  std::vector<Index> at(static_cast<std::size_t>(count));
  std::iota(at.begin(), at.end(), Index{0});
  if (s < count) {
    const auto comes_first = [&](Index i, Index j) { return key(i) > key(j) || (key(i) == key(j) && i < j); };
    std::nth_element(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(s), at.end(), comes_first);
    at.resize(static_cast<std::size_t>(s));
    std::sort(at.begin(), at.end());
  }
  return at;
}

}  // namespace pdbfw
