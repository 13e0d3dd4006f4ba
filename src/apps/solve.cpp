#include "pdbfw/solve.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "apps/registry.hpp"
#include "base/names.hpp"

namespace pdbfw {

void validate(const Settings& s) {
  if (!(s.tol > 0 && std::isfinite(s.tol))) throw InputError("tol", fmt::format("{}", s.tol), "a finite number > 0");
  (void)make_solver(s.solver);
  constexpr std::array<std::string_view, 2> kSteps{"adaptive", "theory"};
  if (s.steps != kSteps[0] && s.steps != kSteps[1]) throw_unknown_name("steps", s.steps, kSteps);
  if (s.block_primal && *s.block_primal < 1)
    throw InputError("block_primal", fmt::format("{}", *s.block_primal), "an integer >= 1");
  if (s.block_dual && *s.block_dual < 1)
    throw InputError("block_dual", fmt::format("{}", *s.block_dual), "an integer >= 1");
  constexpr std::array<std::string_view, 4> kRules{"gs_r", "random", "cyclic", "full"};
  if (std::find(kRules.begin(), kRules.end(), s.block_rule) == kRules.end())
    throw_unknown_name("block_rule", s.block_rule, kRules);
  if (s.eta && !(*s.eta > 0 && *s.eta <= 1)) throw InputError("eta", fmt::format("{}", *s.eta), "a number in (0, 1]");
  if (s.delta && !(*s.delta > 0 && std::isfinite(*s.delta)))
    throw InputError("delta", fmt::format("{}", *s.delta), "a finite number > 0");
  if (!(s.step_scale > 0 && std::isfinite(s.step_scale)))
    throw InputError("step_scale", fmt::format("{}", s.step_scale), "a finite number > 0");
  if (s.max_iterations < 0) throw InputError("max_iterations", fmt::format("{}", s.max_iterations), "an integer >= 0");
  if (!(s.max_seconds >= 0)) throw InputError("max_seconds", fmt::format("{}", s.max_seconds), "a number >= 0");
  if (!(s.max_passes >= 0)) throw InputError("max_passes", fmt::format("{}", s.max_passes), "a number >= 0");
  if (s.threads < 1 || s.threads > 1024)
    throw InputError("threads", fmt::format("{}", s.threads), "an integer, 1 .. 1024");
}

namespace {

void require_oracles(const Solver& solver, const Problem& p) {
  if (p.set->has_dead_zone() || solver.describe().takes_polytopes) return;
  std::vector<std::string_view> able;
  for (const SolverDescription& other : solver_descriptions())
    if (other.takes_polytopes) able.push_back(other.name);
  throw InputError(
      "solver", solver.name(),
      fmt::format("one that needs a linear oracle only, for the set {}: {}", p.set->name(), fmt::join(able, ", ")));
}

// Where the solvers begin when they are told nothing.
struct Origin {
  std::vector<double> w;  // A x
  double g = 0;           // g(x)
};

// Everything after this assumes that the objective is a number there.
Origin checked_origin(const Problem& p) {
  Origin origin{std::vector<double>(p.b.size()), 0};
  SparseAtom atom;
  p.set->start(p.d(), atom);
  if (!atom.at.empty()) {  // else x = 0, where w and g are 0: no need to touch d numbers
    const std::vector<double> x = start_point(p);
    multiply(*p.A, x, origin.w);
    origin.g = p.regulariser->value(x);
  }
  const double objective = p.loss->total_value(p.b, origin.w) / static_cast<double>(p.n()) + origin.g;
  if (!std::isfinite(objective))
    throw InputError("objective", fmt::format("{} at the start", objective),
                     "a finite number; scale the data, the targets or the radius down");
  return origin;
}

// D(y) <= Phi(x, y) for every x in C, and D(0) >= -(1/n) sum_i f_i*(0): so y is proven worse than 0 without a pass over
// the data. Where the domain of the conjugate has no end, y may be so large that no sweep gets rid of its rounding.
bool is_worse_than_zero(const Problem& p, const Origin& origin, std::span<const double> y) {
  const auto n = static_cast<double>(p.n());
  const double product = std::inner_product(y.begin(), y.end(), origin.w.begin(), 0.0);
  const double at_most = origin.g + (product - p.loss->total_conjugate(p.b, y)) / n;
  const double at_zero = -p.loss->total_conjugate(p.b, std::vector<double>(y.size(), 0.0)) / n;
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
  check("start.x", start.x, p.d());
  check("start.y", start.y, p.n());
  if (!std::isfinite(start.multiplier))
    throw InputError("start.multiplier", fmt::format("{}", start.multiplier), "a finite number");
  if (!start.x.empty()) p.set->project(start.x);
  for (std::size_t i = 0; i < start.y.size(); ++i) start.y[i] = p.loss->dual_prox(p.b[i], 0, start.y[i], 0);
  if (!start.y.empty() && is_worse_than_zero(p, origin, start.y)) start.y.clear();
  return start;
}

}  // namespace

Result solve(const Problem& problem, const Settings& settings, const Callback& callback, const Start& start) {
  validate(settings);
  validate(problem);
  const auto solver = make_solver(settings.solver);
  require_oracles(*solver, problem);
  solver->check(problem, settings);
  const Origin origin = checked_origin(problem);
  return solver->solve(problem, settings, callback, taken_inside(problem, origin, start));
}

std::vector<PathPoint> solve_path(const Problem& problem, const std::vector<double>& radii, const Settings& settings,
                                  const Callback& callback) {
  validate(settings);
  validate(problem);
  if (radii.empty()) throw InputError("radii", "none", "at least one");
  for (const double radius : radii)
    if (!(radius > 0 && std::isfinite(radius)))
      throw InputError("radii", fmt::format("{}", radius), "finite numbers > 0");
  const auto solver = make_solver(settings.solver);
  require_oracles(*solver, problem);
  solver->check(problem, settings);

  // From the largest down: the features that matter become fewer.  [M19]
  std::vector<std::size_t> order(radii.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return radii[a] > radii[b]; });
  Problem current = problem;
  current.set = problem.set->with_radius(radii[order.front()]);
  (void)checked_origin(current);
  const std::unique_ptr<Engine> engine = solver->make_engine(current, settings, {});

  std::vector<PathPoint> path;
  Start start;
  for (const std::size_t k : order) {
    if (!path.empty() && path.back().result.status == Status::interrupted) return path;
    current.set = problem.set->with_radius(radii[k]);
    if (engine && !path.empty()) engine->radius_has_changed();
    if (!engine && !path.empty()) {
      const Result& last = path.back().result;
      start = {last.x, last.y, last.multiplier};
      current.set->project(start.x);
    }
    path.push_back({radii[k], engine ? run(current, settings, callback, *engine)
                                     : solver->solve(current, settings, callback, start)});
  }
  std::vector<PathPoint> as_given(path.size());
  for (std::size_t t = 0; t < path.size(); ++t) as_given[order[t]] = std::move(path[t]);
  return as_given;
}

}  // namespace pdbfw
