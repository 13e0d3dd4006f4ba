// Dual ascent, row by row, against the live primal point: the solver of joint problems.                        [M47]
#pragma once

#include "core/joint_judge.hpp"

namespace pdbfw::joint {

extern const Solver kSequentialSolver;

}  // namespace pdbfw::joint
