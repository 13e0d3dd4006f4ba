#include "apps/low_rank_registry.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "apps/named.hpp"
#include "apps/registry.hpp"
#include "apps/solving.hpp"
#include "base/team.hpp"
#include "baselines/baselines.hpp"
#include "losses/by_row.hpp"
#include "losses/elementwise.hpp"
#include "losses/multiclass_hinge.hpp"
#include "losses/softmax.hpp"
#include "low_rank/solvers.hpp"
#include "sets/spectral_ball.hpp"

namespace pdbfw::low_rank {
namespace {

using LossMaker = std::shared_ptr<const RowLoss> (*)(const Formulation&, Matrix, std::vector<double>);
template <class Formulas>
constexpr Entry<LossMaker> kLoss{
    Formulas::kName,
    [](const Formulation& f, Matrix targets, std::vector<double> weight) -> std::shared_ptr<const RowLoss> {
      return std::make_shared<ByRow<Formulas>>(std::move(targets), formulas_of<Formulas>(f), std::move(weight));
    }};
constexpr std::array kLosses{kLoss<SquaredRows>,        kLoss<HuberRows>, kLoss<MultilabelSmoothHinge>,
                             kLoss<MultilabelLogistic>, kLoss<Softmax>,   kLoss<MulticlassHinge>};

using SetMaker = std::shared_ptr<const SpectralSet> (*)(double radius);
template <class Ball>
std::shared_ptr<const SpectralSet> make_ball(double radius) {
  return std::make_shared<Ball>(radius);
}
constexpr std::array<Entry<SetMaker>, 2> kSets{{{"trace", make_ball<TraceBall>}, {"psd_trace", make_ball<PsdTrace>}}};

constexpr std::array kSolvers{
    &kAutoSolver, &kFactoredSolver, &kSplittingSolver, &kPdbfwSolver, &kFwSolver,    &kSfwSolver,  &kBlockFwSolver,
    &kPgSolver,   &kApgSolver,      &kSvrgSolver,      &kScgsSolver,  &kStorcSolver, &kSvrfSolver,
};

// Vectors of weights have more fields than matrices.
void refuse_other_fields(const Formulation& f) {
  const auto refuse = [&](bool is_given, std::string_view field, std::string_view value, std::string_view instead) {
    if (is_given) throw InputError(field, value, fmt::format("{} for the set {}", instead, f.set));
  };
  refuse(f.intercept, "intercept", "yes", "no");
  refuse(f.standardise, "standardise", "yes", "no");
  refuse(!f.class_weight.is_none(), "class_weight", f.class_weight.text(), "none");
  refuse(!f.sample_weight.empty(), "sample_weight", "given", "none");
  refuse(!f.penalty_weight.empty(), "penalty_weight", "given", "none");
  refuse(!f.free_features.empty(), "free_features", "given", "none");
  refuse(!f.ridge_scale.empty(), "ridge_scale", "given", "none");
  refuse(f.atoms != nullptr, "atoms", "given", "none");
}

}  // namespace

std::vector<std::string_view> loss_names() { return names(kLosses); }
std::vector<std::string_view> set_names() { return names(kSets); }
std::span<const Solver* const> solvers() { return kSolvers; }
std::vector<SolverDescription> solver_descriptions() { return descriptions_of(kSolvers); }
std::vector<std::string_view> solver_names() { return names(kSolvers); }
const Solver& find_solver(std::string_view name) { return *find("solver", kSolvers, name); }

std::shared_ptr<const RowLoss> make_row_loss(const Formulation& f, Matrix targets, std::vector<double> sample_weight) {
  const LossMaker make = find("loss", kLosses, f.loss).make;
  check_loss_numbers(f.smoothing, f.huber_width);
  return make(f, std::move(targets), std::move(sample_weight));
}

std::shared_ptr<const SpectralSet> make_spectral_set(std::string_view name, double radius) {
  const SetMaker make = find("set", kSets, name).make;
  check_radius(radius);
  return make(radius);
}

Problem make_problem(MapPtr map, Matrix B, const Formulation& f, TeamPtr team) {
  Problem problem;
  together(team, [&] {
    refuse_other_fields(f);
    if (!map) throw InputError("map", "none", "a linear map");
    if (!(f.ridge.value >= 0 && std::isfinite(f.ridge.value)))
      throw InputError("ridge", f.ridge.text(), "a finite number >= 0");
    problem = {std::move(map), make_row_loss(f, std::move(B)), 0, make_spectral_set(f.set, f.radius)};
  });
  problem.team = std::move(team);
  problem.samples_of_team = static_cast<Index>(sum_over(problem.team, static_cast<double>(problem.n())));
  problem.ridge = f.ridge.weight(static_cast<double>(problem.samples()));
  validate(problem);
  return problem;
}

}  // namespace pdbfw::low_rank
