// Sum and number of the magnitudes above a bound: the scan behind the exact threshold.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "pdbfw/errors.hpp"

namespace pdbfw {

struct SumAbove {
  double sum = 0;
  double count = 0;
};

// Over v[0], v[stride], v[2 stride] ...; of |v_j| if `is_absolute`, else of v_j. The order of the additions is fixed.
[[nodiscard]] SumAbove sum_above(double bound, std::span<const double> v, Index stride, bool is_absolute);

// The positions of all entries that are not zero, ascending.
[[nodiscard]] std::vector<Index> nonzero_positions(std::span<const double> v, int threads);

// The positions of all entries above the bound, ascending.
[[nodiscard]] std::vector<Index> positions_above(double bound, std::span<const double> v, int threads);

// The positions where a |v_j| + b r_j is not known to be at or below the bound, ascending: not a number is taken, too.
[[nodiscard]] std::vector<Index> positions_above(double bound, double a, std::span<const double> v, double b,
                                                 std::span<const double> r, int threads);

}  // namespace pdbfw
