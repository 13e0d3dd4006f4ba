#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "apps/low_rank_registry.hpp"
#include "apps/registry.hpp"
#include "apps/solving.hpp"
#include "base/team.hpp"
#include "core/low_rank_judge.hpp"
#include "core/spectral_set.hpp"
#include "linalg/orthonormal.hpp"
#include "pdbfw/fields.hpp"
#include "pdbfw/low_rank.hpp"

namespace pdbfw::low_rank {
namespace {

// A point that any solver may begin at: X in C, Y in the domain of the conjugate, or empty.
Start taken_inside(const Problem& p, Start start) {
  if (start.X.rows() > 0) {
    const bool is_finite = start.X.U.allFinite() && start.X.V.allFinite() && start.X.s.allFinite();
    check_start(start.X.rows(), start.X.columns(), is_finite, p.d(), p.c());
    // Inside C after a projection of its own singular values; negative eigenvalues are dropped on the way.
    start.X = orthonormal(start.X, p.set->spectrum());
    const double norm = start.X.trace_norm();
    if (norm > p.set->radius()) start.X.s *= p.set->radius() / norm;
  }
  start.Y = taken_into_domain(*p.loss, p.k(), std::move(start.Y));
  return start;
}

// All that a run depends on, but for the number of threads, which changes no bits.
void require_same_request(const TeamPtr& team, const Settings& settings, const Start& start) {
  if (!team) return;
  const Request request{{}, settings};
  std::vector<NamedText> all{{"start.X", fmt::format("rank {}, trace norm {}", start.X.rank(), start.X.trace_norm())}};
  for (const Field& field : fields())
    if (field.group != Field::Group::model && field.name != "threads")
      all.push_back({std::string(field.name), field.text(request)});
  require_same(team, all);
}

}  // namespace

Result solve(const Problem& problem, const Settings& settings, const Callback& callback, const Start& start) {
  const Solver* solver = nullptr;
  together(problem.team, [&] {
    validate_numbers(settings);
    solver = &find_solver(settings.solver);
  });
  validate(problem);
  Start inside;
  together(problem.team, [&] {
    if (problem.team) require_able(solvers(), solver->about, &SolverDescription::takes_team, "for several processes");
    solver->check(problem, settings);
    inside = taken_inside(problem, start);
  });
  require_same_request(problem.team, settings, inside);
  try {
    const Problem shared = over_team(problem);
    const double at_zero = shared.loss->total_value(Matrix::Zero(shared.n(), shared.k()));
    require_finite_objective(at_zero / static_cast<double>(shared.samples()), "zero", "the data or the targets");
    return solver->solve(shared, settings, callback, inside);
  } catch (const TeamLost& lost) {
    return {lost_at_once(settings, lost.what()), Factors::zero(problem.d(), problem.c()),
            Matrix::Zero(problem.n(), problem.k())};
  }
}

}  // namespace pdbfw::low_rank
