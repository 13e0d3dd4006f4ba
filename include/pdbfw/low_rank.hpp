// The low-rank family: matrices X of bounded trace norm, by names and numbers, solved and proven. Needs Eigen 3.4 on
// the caller's side.
//
//   const auto problem = pdbfw::low_rank::make_problem(pdbfw::rows_map(A, columns), B,
//                                                     {.loss = "squared", .set = "trace", .radius = 10});
//   pdbfw::low_rank::Result r = pdbfw::low_rank::solve(problem, {.tol = 1e-4});
//   r.X.rank(), r.certificate.relative_gap, pdbfw::to_string(r.status), r.message ...
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "pdbfw/formulation.hpp"
#include "pdbfw/low_rank_problem.hpp"

namespace pdbfw::low_rank {

// The losses are loss_names(), the sets set_names(). Throws InputError: unknown name (with the nearest known one),
// number out of range, targets that do not fit, or a field of the formulation that matrices of weights do not have:
// intercept, weights of samples, classes or features, standardise, a diagonal ridge, atoms. With a team, the samples of
// the map are those of this member, and all members call it together.
[[nodiscard]] Problem make_problem(MapPtr map, Matrix B, const Formulation& formulation, TeamPtr team = {});

[[nodiscard]] std::vector<std::string_view> loss_names();
[[nodiscard]] std::vector<std::string_view> set_names();

// As solve() of solve.hpp: throws InputError for bad input, afterwards all trouble is in Result::status. X is a point
// of the set up to rounding whatever the status is.
[[nodiscard]] Result solve(const Problem& problem, const Settings& settings = {}, const Callback& callback = {},
                           const Start& start = {});

[[nodiscard]] std::vector<SolverDescription> solver_descriptions();

}  // namespace pdbfw::low_rank
