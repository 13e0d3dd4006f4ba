// Dual rows of classes whose columns are to sum to zero.                                                      [M46]
#pragma once

#include "pdbfw/factors.hpp"

namespace pdbfw {

// Every row of Y sums to zero and has at most one negative entry, at its own class. All rows of a class are multiplied
// by a number in [0, 1], so that the columns sum to zero up to rounding; where they do, all numbers are 1.
void balance_flow(Matrix& Y);

}  // namespace pdbfw
