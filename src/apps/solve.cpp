#include "pdbfw/solve.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "apps/registry.hpp"
#include "apps/set_path.hpp"
#include "apps/solving.hpp"
#include "base/machine_memory.hpp"
#include "base/team.hpp"
#include "core/judge.hpp"
#include "data/split_columns.hpp"

namespace pdbfw {

void validate(const Settings& settings) {
  validate_numbers(settings);
  (void)find_solver(settings.solver);
}

namespace {

void require_oracles(const Solver& solver, const Problem& p) {
  if (p.set->has_dead_zone()) return;
  require_able(solvers(), solver.about, &SolverDescription::takes_polytopes,
               fmt::format("that needs a linear oracle only, for the set {}", p.set->name()));
}

void require_free_columns(const Solver& solver, const Problem& p) {
  if (!p.loss->has_free_columns()) return;
  const std::string_view field = p.has_intercept ? "intercept" : "free_features";
  if (!p.set->has_dead_zone())
    throw InputError(field, p.has_intercept ? "true" : "given",
                     fmt::format("{} for the set {}", p.has_intercept ? "false" : "none", p.set->name()));
  if (p.free_features.empty() && p.has_intercept)
    require_able(solvers(), solver.about, &SolverDescription::takes_intercept, "that learns an intercept");
  else
    require_able(solvers(), solver.about, &SolverDescription::takes_free_features, "that learns free features");
}

void require_rows_in_memory(const Solver& solver, const Problem& p) {
  if (!p.A->is_streamed()) return;
  if (!p.set->has_dead_zone() && solver.name() != "fw")
    throw InputError("solver", solver.name(),
                     fmt::format("fw for data larger than memory and the set {}", p.set->name()));
  require_able(solvers(), solver.about, &SolverDescription::takes_streamed, "that takes data larger than memory");
}

void require_team_work(const Solver& solver, const Problem& p) {
  if (!p.team) return;
  if (!p.set->has_dead_zone())
    throw InputError("set", p.set->name(), "l1 | simplex | nonnegative with several processes");
  require_able(solvers(), solver.about, &SolverDescription::takes_team, "for several processes");
}

// Those that the certificate has, or the best ones at x where nothing has been certified.
void take_free_weights(const Problem& p, int threads, Result& result) {
  if (!p.loss->has_free_columns()) return;
  if (result.free_weights.empty()) {
    std::vector<double> w(p.loss->size());
    multiply(*p.A, result.x, w, threads);
    result.free_weights = p.loss->free_weights(w);
  }
  if (!p.has_intercept) return;
  result.intercept = result.free_weights.back();
  result.free_weights.pop_back();
}

// Vectors of all rows that a solve has at a time, or a little later again.
constexpr std::size_t kLiveVectors = 32;

// Where the solvers begin when they are told nothing.
struct Origin {
  std::vector<double> w;  // A x
  double g = 0;           // g(x)
};

// Everything after this assumes that the objective is a number there.
Origin checked_origin(const Problem& p) {
  keep_freed_blocks(kLiveVectors * sizeof(double) * p.loss->size());
  Origin origin{std::vector<double>(p.loss->size()), 0};
  SparseAtom atom;
  p.set->start(p.d(), atom);
  if (!atom.at.empty()) {  // else x = 0, where w and g are 0: no need to touch d numbers
    const std::vector<double> x = start_point(p);
    multiply(*p.A, x, origin.w);
    origin.g = p.regulariser->value(x);
  }
  const double objective =
      sum_over(p.team, p.loss->of_samples().total_value(origin.w)) / static_cast<double>(p.samples()) + origin.g;
  require_finite_objective(objective, "the start", "the data, the targets or the radius");
  return origin;
}

// D(y) <= Phi(x, y) for every x in C, and D(0) >= -(1/n) sum_i f_i*(0): so y is proven worse than 0 without a pass over
// the data. Where the domain of the conjugate has no end, y may be so large that no sweep gets rid of its rounding.
bool is_worse_than_zero(const Problem& p, const Origin& origin, std::span<const double> y) {
  const auto n = static_cast<double>(p.samples());
  const double product = std::inner_product(y.begin(), y.end(), origin.w.begin(), 0.0);
  const double at_most = origin.g + sum_over(p.team, product - p.loss->total_conjugate(y)) / n;
  const double at_zero = -sum_over(p.team, p.loss->total_conjugate(std::vector<double>(y.size(), 0.0))) / n;
  return !(at_most >= at_zero);  // not a number is worse, too
}

// A point that any solver may begin at: x in C, y in the domain of the conjugate, or empty.
Start taken_inside(const Problem& p, const Origin& origin, Start start) {
  const auto check = [](std::string_view name, const std::vector<double>& v, Index wanted) {
    if (!v.empty() && static_cast<Index>(v.size()) != wanted)
      throw InputError(name, fmt::format("{} entries", v.size()), fmt::format("{} entries or none", wanted));
    if (!std::all_of(v.begin(), v.end(), [](double value) { return std::isfinite(value); }))
      throw InputError(name, "not all are finite", "finite numbers");
  };
  together(p.team, [&] {
    check("start.x", start.x, p.d());
    check("start.y", start.y, p.n());
    if (!std::isfinite(start.multiplier))
      throw InputError("start.multiplier", fmt::format("{}", start.multiplier), "a finite number");
  });
  if (!start.x.empty()) p.set->project(start.x);
  for (std::size_t i = 0; i < start.y.size(); ++i) start.y[i] = p.loss->dual_prox(i, 0, start.y[i], 0);
  p.loss->balance(start.y);
  const bool has_y = sum_over(p.team, start.y.empty() ? 1 : 0) == 0;  // at every member
  if (!has_y || is_worse_than_zero(p, origin, start.y)) start.y.clear();
  return start;
}

}  // namespace

Result solve(const Problem& problem, const Settings& settings, const Callback& callback, const Start& start) {
  try {
    return SetPath(problem, settings, callback).solve(problem.set, start);
  } catch (const TeamLost& loss) {
    return {lost_at_once(settings, loss.what()), start_point(problem), std::vector<double>(problem.loss->size())};
  }
}

std::vector<double> path_shares(const PathOptions& options) {
  if (options.points < 1 || options.points > 100'000)
    throw InputError("points", fmt::format("{}", options.points), "1 .. 100,000");
  if (!(options.smallest > 0 && options.smallest < 1))
    throw InputError("smallest", fmt::format("{}", options.smallest), "a number in (0, 1)");
  std::vector<double> shares;
  for (Index k = 0; k < options.points; ++k) {
    const double way = options.points == 1 ? 1 : static_cast<double>(k) / static_cast<double>(options.points - 1);
    shares.push_back(std::pow(options.smallest, 1 - way));
  }
  return shares;
}

std::vector<double> feature_weights(const Problem& problem, const Result& result) {
  std::vector<double> weights = result.x;
  for (std::size_t j = 0; j < problem.feature_scale.size(); ++j) weights[j] *= problem.feature_scale[j];
  return with_entries(weights, problem.free_features, result.free_weights);
}

std::vector<double> point_of_weights(const Problem& problem, std::span<const double> weights) {
  std::vector<double> x = without_entries(weights, problem.free_features);
  for (std::size_t j = 0; j < problem.feature_scale.size(); ++j) x[j] /= problem.feature_scale[j];
  return x;
}

SetPath::SetPath(const Problem& problem, const Settings& settings, const Callback& callback)
    : current_(problem), settings_(settings), callback_(callback) {
  together(problem.team, [&] {
    validate(settings);
    validate(problem);
    solver_ = &find_solver(settings.solver);
    require_team_work(*solver_, problem);
    require_oracles(*solver_, problem);
    require_free_columns(*solver_, problem);
    require_rows_in_memory(*solver_, problem);
    solver_->check(problem, settings);
  });
}

Result SetPath::solve(std::shared_ptr<const Set> set, const Start& start) {
  current_.set = std::move(set);
  const Start inside = engine_ ? Start{} : taken_inside(current_, checked_origin(current_), start);
  const Stopwatch watch;
  if (engine_)
    engine_->radius_has_changed();
  else
    engine_ = solver_->make_engine(current_, settings_, inside);
  Result result = run(current_, settings_, callback_, *engine_, watch);
  if (result.status != Status::team_lost) take_free_weights(current_, settings_.threads, result);
  return result;
}

std::vector<PathPoint> solve_path(const Problem& problem, const std::vector<double>& radii, const Settings& settings,
                                  const Callback& callback) {
  SetPath solved(problem, settings, callback);
  if (radii.empty()) throw InputError("radii", "none", "at least one");
  for (const double radius : radii)
    if (!(radius > 0 && std::isfinite(radius)))
      throw InputError("radii", fmt::format("{}", radius), "finite numbers > 0");

  // From the largest down: the features that matter become fewer.  [M19]
  std::vector<std::size_t> order(radii.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return radii[a] > radii[b]; });
  std::vector<PathPoint> path;
  for (const std::size_t k : order) {
    if (!path.empty() && path.back().result.status == Status::interrupted) return path;
    path.push_back({radii[k], solved.solve(problem.set->with_radius(radii[k]))});
  }
  std::vector<PathPoint> as_given(path.size());
  for (std::size_t t = 0; t < path.size(); ++t) as_given[order[t]] = std::move(path[t]);
  return as_given;
}

std::vector<double> signs_of(const Classes& classes, Index place) {
  std::vector<double> sign;
  sign.reserve(classes.index.size());
  for (const Index own : classes.index) sign.push_back(own == place ? 1 : -1);
  return sign;
}

std::vector<Result> solve_one_vs_rest(const MatrixPtr& A, const Classes& classes, const Formulation& formulation,
                                      const Settings& settings, const Callback& callback,
                                      const std::vector<Start>& starts, const TeamPtr& team) {
  together(team, [&] {
    if (make_loss(formulation)->target_kind() != TargetKind::labels)
      throw InputError("loss", fmt::format("'{}'", formulation.loss),
                       "one of two classes, to learn one against the rest");
    refuse_feature_rules(formulation, "several classes");
    if (!starts.empty() && starts.size() != classes.original.size())
      throw InputError("starts", fmt::format("{} of them", starts.size()),
                       fmt::format("none, or one for each of {} classes", classes.original.size()));
  });
  // Members that disagree would solve different problems together, or wait for each other forever.
  require_same(team, {{"classes", fmt::format("{}", fmt::join(classes.original, ", "))}});
  std::vector<Result> results;
  for (std::size_t k = 0; k < classes.original.size(); ++k) {
    results.push_back(solve(make_problem(A, signs_of(classes, static_cast<Index>(k)), formulation, team), settings,
                            callback, starts.empty() ? Start{} : starts[k]));
    if (results.back().status == Status::team_lost) break;
  }
  return results;
}

}  // namespace pdbfw
