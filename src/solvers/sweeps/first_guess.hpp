// Where the sweeps begin, and which features can matter.                                                        [M16]
#pragma once

#include <vector>

#include "base/scratch.hpp"
#include "pdbfw/problem.hpp"

namespace pdbfw {

struct FirstGuess {
  std::vector<double> y;        // t f'(0), the same t for all rows of a class
  Scratch u;                    // -A'y / n, on `features`
  Scratch column_sums;          // sum_i |a_ij| over the rows that pull u_j up, or down: the larger one
  bool fits_float = false;      // no entry is too large for float32
  std::vector<Index> features;  // those that may come out of the zone, ascending
};

// q must be uniform and > 0. Costs one pass over the columns.
[[nodiscard]] FirstGuess make_first_guess(const Problem& problem, double q, int threads);

// [M49]  When the columns are not at hand: rows that are streamed, or that several members have.
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
