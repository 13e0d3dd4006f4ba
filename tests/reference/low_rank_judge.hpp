// certify() of the low-rank family once more, with all entries and all singular values.
#pragma once

#include "pdbfw/low_rank_problem.hpp"

namespace pdbfw::reference {

// The nearest point of { s >= 0, sum s <= radius } to s, by bisection on the threshold.
[[nodiscard]] Vector nearest_values(const Vector& s, double radius);

[[nodiscard]] Certificate certify(const low_rank::Problem& p, const Matrix& X, const Matrix& Y);

}  // namespace pdbfw::reference
