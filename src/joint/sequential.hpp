// Dual ascent, row by row, against the live primal point: the solver of joint problems.                        [M47]
#pragma once

#include "pdbfw/joint_problem.hpp"

namespace pdbfw::joint {

// The start has been taken inside; either part of it may be empty.
[[nodiscard]] Result run_sequential(const Problem& problem, const Settings& settings, const Callback& callback,
                                    const Start& start);

}  // namespace pdbfw::joint
