#include "pdbfw/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
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
  if (s.eta && !(*s.eta > 0 && *s.eta <= 1)) throw InputError("eta", fmt::format("{}", *s.eta), "a number in (0, 1]");
  if (s.delta && !(*s.delta > 0 && std::isfinite(*s.delta)))
    throw InputError("delta", fmt::format("{}", *s.delta), "a finite number > 0");
  if (s.max_iterations < 0) throw InputError("max_iterations", fmt::format("{}", s.max_iterations), "an integer >= 0");
  if (!(s.max_seconds >= 0)) throw InputError("max_seconds", fmt::format("{}", s.max_seconds), "a number >= 0");
  if (!(s.max_passes >= 0)) throw InputError("max_passes", fmt::format("{}", s.max_passes), "a number >= 0");
  if (s.threads < 1 || s.threads > 1024)
    throw InputError("threads", fmt::format("{}", s.threads), "an integer, 1 .. 1024");
}

namespace {

// Everything after this assumes that the objective is a number where the solvers begin.
void check_scale(const Problem& p) {
  const std::vector<double> x = start_point(p);
  std::vector<double> w(p.b.size());
  if (std::any_of(x.begin(), x.end(), [](double x_j) { return x_j != 0; })) multiply(*p.A, x, w);
  const double start = p.loss->total_value(p.b, w) / static_cast<double>(p.n()) + p.regulariser->value(x);
  if (!std::isfinite(start))
    throw InputError("objective", fmt::format("{} at the start", start),
                     "a finite number; scale the data, the targets or the radius down");
}

}  // namespace

Result solve(const Problem& problem, const Settings& settings, const Callback& callback) {
  validate(settings);
  validate(problem);
  const auto solver = make_solver(settings.solver);
  solver->check(problem, settings);
  check_scale(problem);
  return solver->solve(problem, settings, callback);
}

}  // namespace pdbfw
