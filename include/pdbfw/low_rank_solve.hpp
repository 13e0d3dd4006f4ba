// Solve a low-rank problem and prove it.
//
//   pdbfw::low_rank::Result r = pdbfw::low_rank::solve(problem, {.tol = 1e-4});
//   r.X.rank(), r.certificate.relative_gap, pdbfw::to_string(r.status), r.message ...
#pragma once

#include <string_view>
#include <vector>

#include "pdbfw/low_rank_problem.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/solver_description.hpp"

namespace pdbfw::low_rank {

// Where to begin: what an earlier solve of a similar problem gave back, or nothing (no rows).
struct Start {
  Factors X{};
  Matrix Y{};
};

struct Result : Outcome {
  Factors X;  // orthonormal, singular values descending
  Matrix Y;   // n x k: the proof
};

// As solve() of problem.hpp: throws InputError for bad input, afterwards all trouble is in Result::status. X is a point
// of the set up to rounding whatever the status is.
[[nodiscard]] Result solve(const Problem& problem, const Settings& settings = {}, const Callback& callback = {},
                           const Start& start = {});

[[nodiscard]] std::vector<std::string_view> solver_names();
[[nodiscard]] std::vector<SolverDescription> solver_descriptions();

}  // namespace pdbfw::low_rank
