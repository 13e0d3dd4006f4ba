// The other way of saying how sparse: a penalty on the l1 norm instead of a radius.
//
//   min over x of  P(x) + alpha |x|_1
//
// is solved as it is by auto and working_set, with the certificate of this problem. The l1 ball of the solution's norm
// has the same solution and the multiplier alpha, so for other solvers, for several processes and for streamed rows the
// radius is searched for. [M39]
//
//   const pdbfw::Penalised lasso = pdbfw::solve_penalised(problem, 0.1);     // problem's own radius has no say
//   lasso.result.x, lasso.certificate.relative_gap, lasso.radius
#pragma once

#include <span>
#include <vector>

#include "pdbfw/solve.hpp"

namespace pdbfw {

struct Penalised {
  double radius = 0;        // of the ball with the same solution
  Result result;            // of that ball, with the certificate of that problem
  Certificate certificate;  // of the penalised problem; the violation is always 0
};

// Throws InputError: alpha is a finite number > 0 and the set is l1, or nonnegative. The limits of the settings are
// those of one solve. Of a problem with a team all members call it, as everything here; throws TeamLost.
[[nodiscard]] Penalised solve_penalised(const Problem& problem, double alpha, const Settings& settings = {},
                                        const Callback& callback = {});

// The same for several penalties, from the largest down, every one from where the last one ended, each with its own
// certificate. With `stops_early`, those at which the loss no longer falls by more than 1e-5 of what it has fallen, or
// at which less than 0.1 % of it is left, end the list. When the callback stops one, it is the last.
//
//   for (const pdbfw::PenaltyPoint& point : pdbfw::solve_penalties(problem, pdbfw::path_alphas(problem))) ...
struct PenaltyPoint {
  double alpha;
  Penalised found;
};
[[nodiscard]] std::vector<PenaltyPoint> solve_penalties(const Problem& problem, std::vector<double> alphas,
                                                        const Settings& settings = {}, bool stops_early = true,
                                                        const Callback& callback = {});

// The smallest penalty at which x = 0 is the solution.
[[nodiscard]] double largest_alpha(const Problem& problem, int threads = 1);
// From there down to `smallest` times that, each the same factor below the last.
[[nodiscard]] std::vector<double> path_alphas(const Problem& problem, const PathOptions& options = {}, int threads = 1);

// P(x) + alpha |x|_1 against its dual at y, recomputed from the data. Where features have no ridge, y is shrunk until
// it proves something.
[[nodiscard]] Certificate certify_penalised(const Problem& problem, double alpha, std::span<const double> x,
                                            std::span<const double> y, int threads = 1);

}  // namespace pdbfw
