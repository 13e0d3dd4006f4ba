// Everything of the low-rank family. Needs Eigen 3.4 on the caller's side.
#pragma once

#include "pdbfw/low_rank_formulation.hpp"
#include "pdbfw/low_rank_problem.hpp"
#include "pdbfw/low_rank_solve.hpp"
