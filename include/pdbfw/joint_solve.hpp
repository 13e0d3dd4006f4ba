// Solve a joint problem and prove it.
//
//   pdbfw::joint::Result r = pdbfw::joint::solve(problem, {.tol = 1e-4});
//   r.X.nonzeros(), r.certificate.relative_gap, pdbfw::to_string(r.status), r.message ...
#pragma once

#include "pdbfw/joint_problem.hpp"
#include "pdbfw/result.hpp"

namespace pdbfw::joint {

// Where to begin: what an earlier solve of a similar problem gave back, or nothing (no rows).
struct Start {
  SparseRows X{};
  Matrix Y{};
};

struct Result : Outcome {
  SparseRows X;       // d x c
  Matrix Y;           // n x c: the proof
  Vector intercepts;  // c, zeros where the formulation asks for none
};

// As solve() of solve.hpp: throws InputError for bad input, afterwards all trouble is in Result::status. There is one
// algorithm, and Settings::solver is auto.
[[nodiscard]] Result solve(const Problem& problem, const Settings& settings = {}, const Callback& callback = {},
                           const Start& start = {});

}  // namespace pdbfw::joint
