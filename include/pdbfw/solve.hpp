// Solve a problem and prove it.
//
//   pdbfw::Result r = pdbfw::solve(problem, {.tol = 1e-6});
//   r.x, r.certificate.relative_gap, pdbfw::to_string(r.status), r.message ...
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "pdbfw/problem.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/settings.hpp"
#include "pdbfw/solver_description.hpp"

namespace pdbfw {

// Throws InputError for a bad problem or bad settings; afterwards all trouble is in Result::status and ::message.
// Prints nothing and keeps no state: any number of solves may run at once. The same seed gives the same bits.
[[nodiscard]] Result solve(const Problem& problem, const Settings& settings = {}, const Callback& callback = {},
                           const Start& start = {});

// The weights of the features as they were given: those of x where nothing was scaled and no feature is free.
//   const std::vector<double> weights = pdbfw::feature_weights(problem, result);
[[nodiscard]] std::vector<double> feature_weights(const Problem& problem, const Result& result);
// The other way round: the point x that such weights stand for. Free features are not in it.
[[nodiscard]] std::vector<double> point_of_weights(const Problem& problem, std::span<const double> weights);

// The same problem for several radii, in the order given, each with its own certificate; the limits of the settings are
// those of one radius. They are solved from the largest radius down, every one from where the last one ended, which
// costs less than one by one; when the callback stops one, those that are left are not begun: the list is shorter then,
// largest radii first.
//
//   for (const pdbfw::PathPoint& point : pdbfw::solve_path(problem, {100, 30, 10})) ...
struct PathPoint {
  double radius;
  Result result;
};
[[nodiscard]] std::vector<PathPoint> solve_path(const Problem& problem, const std::vector<double>& radii,
                                                const Settings& settings = {}, const Callback& callback = {});

// How fine a path from the data is.
struct PathOptions {
  Index points = 20;
  double smallest = 1e-3;  // of the largest, in (0, 1)
};
// The shares of the largest, ascending to 1. Throws InputError.
[[nodiscard]] std::vector<double> path_shares(const PathOptions& options);

[[nodiscard]] std::vector<std::string_view> solver_names();

//   for (const pdbfw::SolverDescription& solver : pdbfw::solver_descriptions()) ...   // what each is, takes and reads
[[nodiscard]] std::vector<SolverDescription> solver_descriptions();

}  // namespace pdbfw
