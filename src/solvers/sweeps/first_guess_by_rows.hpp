// Where the sweeps begin when the columns are not at hand: rows that are streamed, or that several members have. [M49]
#pragma once

#include <vector>

#include "pdbfw/problem.hpp"

namespace pdbfw {

struct GuessByRows {
  std::vector<double> y;               // f'(0) of the rows here, or what was given
  std::vector<double> u;               // -A'y / n, of all members, on all features
  std::vector<Index> entries;          // how many each feature has in the rows here
  std::vector<double> entries_of_all;  // in those of all members
  double mean_norm = 0;                // the mean |a_i|^2
  bool fits_float = false;             // no entry is too large for float32
};

// One pass over the rows. An empty `y`: none was given.
[[nodiscard]] GuessByRows look_at_rows(const Problem& problem, std::vector<double> y);
// (y, u) <- t (y, u) with the best D of t = 1, 1/2, 1/4, ...
void shorten(const Problem& problem, const Curvatures& q, GuessByRows& guess);

}  // namespace pdbfw
