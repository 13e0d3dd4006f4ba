#include "apps/registry.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "apps/named.hpp"
#include "apps/solving.hpp"
#include "baselines/baselines.hpp"
#include "losses/huber.hpp"
#include "losses/logistic.hpp"
#include "losses/smooth_hinge.hpp"
#include "losses/squared.hpp"
#include "losses/squared_hinge.hpp"
#include "pdbfw/separable.hpp"
#include "pdbfw/set.hpp"
#include "sets/l1_sets.hpp"
#include "solvers/solvers.hpp"

namespace pdbfw {
namespace {

using LossMaker = std::shared_ptr<const Loss> (*)(const Formulation&, std::vector<double>, std::vector<double>);
template <class Formulas>
constexpr Entry<LossMaker> kLoss{
    Formulas::kName,
    [](const Formulation& f, std::vector<double> targets, std::vector<double> weight) -> std::shared_ptr<const Loss> {
      return std::make_shared<Separable<Formulas>>(std::move(targets), formulas_of<Formulas>(f), std::move(weight));
    }};
constexpr std::array kLosses{kLoss<SmoothHinge>, kLoss<SquaredHinge>, kLoss<Logistic>, kLoss<Squared>, kLoss<Huber>};

using SetMaker = std::shared_ptr<const Set> (*)(double radius);
constexpr std::array<Entry<SetMaker>, 3> kSets{{
    {"l1", l1_ball},
    {"simplex", simplex},
    {"nonnegative", nonnegative},
}};

constexpr std::array kSolvers{
    &kAutoSolver, &kSequentialSolver, &kWorkingSetSolver, &kShardedSolver, &kPdbfwSolver, &kPdfwSolver,
    &kFwSolver,   &kFwAwaySolver,     &kFwPairwiseSolver, &kBlockFwSolver, &kPgSolver,    &kApgSolver,
    &kSvrgSolver, &kScgsSolver,       &kStorcSolver,      &kSvrfSolver,
};

}  // namespace

std::vector<std::string_view> loss_names() { return names(kLosses); }
std::vector<std::string_view> set_names() { return names(kSets); }
std::span<const Solver* const> solvers() { return kSolvers; }
std::vector<SolverDescription> solver_descriptions() { return descriptions_of(kSolvers); }
std::vector<std::string_view> solver_names() { return names_of(kSolvers); }
const Solver& find_solver(std::string_view name) { return find_among(kSolvers, name); }

void check_loss_numbers(double smoothing, double huber_width) {
  if (!(smoothing > 0 && smoothing <= 1))
    throw InputError("smoothing", fmt::format("{}", smoothing), "a number in (0, 1]");
  if (!(huber_width > 0 && std::isfinite(huber_width)))
    throw InputError("huber_width", fmt::format("{}", huber_width), "a finite number > 0");
}

void check_radius(double radius) {
  if (!(radius > 0 && std::isfinite(radius)))
    throw InputError("radius", fmt::format("{}", radius), "a finite number > 0");
}

std::shared_ptr<const Loss> make_loss(const Formulation& f, std::vector<double> targets,
                                      std::vector<double> sample_weight) {
  const LossMaker make = find("loss", kLosses, f.loss);
  check_loss_numbers(f.smoothing, f.huber_width);
  return make(f, std::move(targets), std::move(sample_weight));
}

std::shared_ptr<const Set> make_set(const Formulation& f) {
  const bool is_polytope = f.set == kPolytope;
  const SetMaker make = is_polytope ? nullptr : find("set", kSets, f.set);
  check_radius(f.radius);
  if (!is_polytope && f.atoms) throw InputError("atoms", "a matrix", fmt::format("none for the set {}", f.set));
  if (is_polytope && !f.atoms) throw InputError("atoms", "none", "a matrix of them for the set polytope");
  return is_polytope ? make_polytope(f.atoms, f.radius) : make(f.radius);
}

}  // namespace pdbfw
