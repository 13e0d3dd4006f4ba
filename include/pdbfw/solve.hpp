// Make a problem from names and numbers, solve it and prove it: for one radius, for a path of them, with a penalty in
// their place, and for several classes.
//
//   const pdbfw::Problem problem = pdbfw::make_problem(data.A, labels.sign, {.loss = "logistic", .radius = 30});
//   pdbfw::Result r = pdbfw::solve(problem, {.tol = 1e-6});
//   r.x, r.certificate.relative_gap, pdbfw::to_string(r.status), r.message ...
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "pdbfw/dataset.hpp"
#include "pdbfw/formulation.hpp"
#include "pdbfw/problem.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/settings.hpp"

namespace pdbfw {

// Throws InputError: unknown name (with the nearest known one), number out of range, targets that do not fit the loss.
//
// With a team, A and b are the rows of this member, and so are sample weights; all members call it. An error at one of
// them is thrown at all.
[[nodiscard]] Problem make_problem(MatrixPtr A, std::vector<double> b, const Formulation& formulation,
                                   const TeamPtr& team = {});

[[nodiscard]] std::vector<std::string_view> loss_names();
[[nodiscard]] std::vector<std::string_view> set_names();  // those that a name and a radius define: all but polytope

// Throws InputError for a bad problem or bad settings; afterwards all trouble is in Result::status and ::message.
// Prints nothing and keeps no state: any number of solves may run at once. The same seed gives the same bits.
[[nodiscard]] Result solve(const Problem& problem, const Settings& settings = {}, const Callback& callback = {},
                           const Start& start = {});

// The weights of the features as they were given: those of x where nothing was scaled and no feature is free.
//   const std::vector<double> weights = pdbfw::feature_weights(problem, result);
[[nodiscard]] std::vector<double> feature_weights(const Problem& problem, const Result& result);

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

[[nodiscard]] std::vector<std::string_view> solver_names();

//   for (const pdbfw::SolverDescription& solver : pdbfw::solver_descriptions()) ...   // what each is, takes and reads
[[nodiscard]] std::vector<SolverDescription> solver_descriptions();

// The other way of saying how sparse: a penalty on the l1 norm instead of a radius.
//
//   min over x of  P(x) + alpha |x|_1
//
// is solved as it is by auto and working_set, with the certificate of this problem. The l1 ball of the solution's norm
// has the same solution and the multiplier alpha, so for other solvers, for several processes and for streamed rows the
// radius is searched for. [M39]
//
//   const pdbfw::Penalised lasso = pdbfw::solve_penalised(problem, 0.1);     // the problem's own radius is ignored
//   lasso.result.x, lasso.certificate.relative_gap, lasso.radius

struct Penalised {
  double alpha = 0;
  double radius = 0;          // of the ball with the same solution
  Result result{};            // of that ball, with the certificate of that problem
  Certificate certificate{};  // of the penalised problem; the violation is always 0
};

// Throws InputError: alpha is a finite number > 0 and the set is l1, or nonnegative. The limits of the settings are
// those of one solve. Of a problem with a team all members call it, as everything here; throws TeamLost.
[[nodiscard]] Penalised solve_penalised(const Problem& problem, double alpha, const Settings& settings = {},
                                        const Callback& callback = {});

// The same for several penalties, from the largest down, every one from where the last one ended, each with its own
// certificate. With `stops_early`, those at which the loss no longer falls by more than 1e-5 of what it has fallen, or
// at which less than 0.1 % of it is left, end the list. When the callback stops one, it is the last.
//
//   for (const pdbfw::Penalised& found : pdbfw::solve_penalties(problem, pdbfw::path_alphas(problem))) ...
[[nodiscard]] std::vector<Penalised> solve_penalties(const Problem& problem, std::vector<double> alphas,
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

// Several classes, one model per class against all others. The models share the data in memory.
//
//   const pdbfw::Classes classes = pdbfw::encode_classes(data.target);
//   const std::vector<pdbfw::Result> models = pdbfw::solve_one_vs_rest(data.A, classes, {.loss = "logistic"});

// A result for every class, each with its own certificate. The loss is one of two classes; class weights are those of
// all others (-1) and of the class itself (+1). The settings' limits are those of one solve. Where the callback stops
// one, those behind it are asked as well: they end where they begin, certified all the same. `starts` is empty or has
// one for each class. Throws InputError.
//
// With a team, A, the rows' places in `classes`, sample weights and the y of the starts are those of this member;
// classes.original are those of all rows, also where no row here is of some of them. All members call it. A result
// whose status is team_lost is the last one.
[[nodiscard]] std::vector<Result> solve_one_vs_rest(const MatrixPtr& A, const Classes& classes,
                                                    const Formulation& formulation, const Settings& settings = {},
                                                    const Callback& callback = {},
                                                    const std::vector<Start>& starts = {}, const TeamPtr& team = {});

}  // namespace pdbfw
