#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/low_rank_registry.hpp"
#include "apps/validate_numbers.hpp"
#include "core/low_rank_team.hpp"
#include "core/same_at_all.hpp"
#include "core/spectral_set.hpp"
#include "linalg/orthonormal.hpp"
#include "pdbfw/fields.hpp"
#include "pdbfw/low_rank.hpp"

namespace pdbfw::low_rank {
namespace {

// Everything after this assumes that the objective is a number at zero.
void check_objective(const Problem& p) {
  const double objective = p.loss->total_value(p.B, Matrix::Zero(p.n(), p.k())) / static_cast<double>(p.samples());
  if (!std::isfinite(objective))
    throw InputError("objective", fmt::format("{} at zero", objective),
                     "a finite number; scale the data or the targets down");
}

// A point that any solver may begin at: X in C, Y in the domain of the conjugate, or empty.
Start taken_inside(const Problem& p, Start start) {
  if (start.X.rows() > 0) {
    if (start.X.rows() != p.d() || start.X.columns() != p.c())
      throw InputError("start.X", fmt::format("{} x {}", start.X.rows(), start.X.columns()),
                       fmt::format("{} x {}, or nothing", p.d(), p.c()));
    if (!start.X.U.allFinite() || !start.X.V.allFinite() || !start.X.s.allFinite())
      throw InputError("start.X", "not all are finite", "finite numbers");
    // Inside C after a projection of its own singular values; negative eigenvalues are dropped on the way.
    start.X = orthonormal(start.X, p.set->spectrum());
    const double norm = start.X.trace_norm();
    if (norm > p.set->radius()) start.X.s *= p.set->radius() / norm;
  }
  if (start.Y.rows() > 0) {
    if (start.Y.rows() != p.n() || start.Y.cols() != p.k())
      throw InputError("start.Y", fmt::format("{} x {}", start.Y.rows(), start.Y.cols()),
                       fmt::format("{} x {}, or nothing", p.n(), p.k()));
    if (!start.Y.allFinite()) throw InputError("start.Y", "not all are finite", "finite numbers");
    Matrix inside;
    p.loss->dual_proxes(p.B, Matrix::Zero(p.n(), p.k()), start.Y, 0, inside);
    start.Y = std::move(inside);
  }
  return start;
}

// All that a run depends on, but for the number of threads, which changes no bits.
void require_same_request(const TeamPtr& team, const Settings& settings, const Start& start) {
  if (!team) return;
  const Request request{{}, settings};
  std::vector<NamedText> all{{"start.X", fmt::format("rank {}, trace norm {}", start.X.rank(), start.X.trace_norm())}};
  for (const Field& field : fields())
    if (field.group != FieldGroup::model && field.name != "threads")
      all.push_back({std::string(field.name), field.text(request)});
  require_same(team, all);
}

void require_team_work(const Solver& solver, const Problem& p) {
  if (!p.team || solver.describe().takes_team) return;
  std::vector<std::string_view> able;
  for (const SolverDescription& other : solver_descriptions())
    if (other.takes_team) able.push_back(other.name);
  throw InputError("solver", solver.name(), fmt::format("one for several processes: {}", fmt::join(able, ", ")));
}

// What is left when the team was lost before there was a point: zero, of which nothing is known.
Result lost_at_once(const Problem& p, const Settings& settings, const std::string& why) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Result result;
  result.settings = settings;
  result.status = Status::team_lost;
  result.message = why + ": no gap was certified yet";
  result.certificate = {kInfinity, -kInfinity, kInfinity, kInfinity, 0};
  result.X = Factors::zero(p.d(), p.c());
  result.Y = Matrix::Zero(p.n(), p.k());
  return result;
}

}  // namespace

Result solve(const Problem& problem, const Settings& settings, const Callback& callback, const Start& start) {
  std::unique_ptr<const Solver> solver;
  together(problem.team, [&] {
    validate_numbers(settings);
    solver = make_solver(settings.solver);
  });
  validate(problem);
  Start inside;
  together(problem.team, [&] {
    require_team_work(*solver, problem);
    solver->check(problem, settings);
    inside = taken_inside(problem, start);
  });
  require_same_request(problem.team, settings, inside);
  try {
    const Problem shared = over_team(problem);
    check_objective(shared);
    return solver->solve(shared, settings, callback, inside);
  } catch (const TeamLost& lost) {
    return lost_at_once(problem, settings, lost.what());
  }
}

}  // namespace pdbfw::low_rank
