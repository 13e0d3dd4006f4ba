// How fast the gap of a run falls.
#pragma once

#include <algorithm>
#include <cmath>

#include "pdbfw/result.hpp"

namespace pdbfw::test {

// The fall of log(gap) per iteration between the first row below `from` and the first row below `to`.
inline double measured_rate(const Result& result, double from, double to) {
  const auto first_below = [&](double gap) {
    return std::find_if(result.trace.begin(), result.trace.end(),
                        [&](const TracePoint& row) { return row.relative_gap <= gap; });
  };
  const auto first = first_below(from), last = first_below(to);
  if (first == result.trace.end() || last == result.trace.end() || first == last) return 0;
  return std::log(first->gap / last->gap) / static_cast<double>(last->iteration - first->iteration);
}

}  // namespace pdbfw::test
