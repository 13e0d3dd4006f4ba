// Where the sweeps begin, and which features can matter: one look at the columns.                              [M16]
#pragma once

#include <vector>

#include "base/scratch.hpp"
#include "pdbfw/problem.hpp"

namespace pdbfw {

struct FirstGuess {
  std::vector<double> y;        // t f'(0), the same t for all rows of a class
  Scratch u;                    // -A'y / n, on `features`
  Scratch column_sums;          // sum_i |a_ij| over the rows that pull u_j up, or down: the larger one
  double largest_entry = 0;     // max_ij |a_ij|
  std::vector<Index> features;  // those that may come out of the zone, ascending
};

// q must be uniform and > 0. Costs one pass over the columns.
[[nodiscard]] FirstGuess make_first_guess(const Problem& problem, double q, int threads);

}  // namespace pdbfw
