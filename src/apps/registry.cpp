#include "apps/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>

#include "apps/named.hpp"
#include "apps/solving.hpp"
#include "base/team.hpp"
#include "baselines/baselines.hpp"
#include "core/judge.hpp"
#include "data/column_scale.hpp"
#include "data/split_columns.hpp"
#include "losses/huber.hpp"
#include "losses/logistic.hpp"
#include "losses/smooth_hinge.hpp"
#include "losses/squared.hpp"
#include "losses/squared_hinge.hpp"
#include "losses/with_free.hpp"
#include "pdbfw/separable.hpp"
#include "pdbfw/set.hpp"
#include "pdbfw/solve.hpp"
#include "regularisers/ridge.hpp"
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
std::vector<std::string_view> solver_names() { return names(kSolvers); }
const Solver& find_solver(std::string_view name) { return *find("solver", kSolvers, name); }

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
  const LossMaker make = find("loss", kLosses, f.loss).make;
  check_loss_numbers(f.smoothing, f.huber_width);
  return make(f, std::move(targets), std::move(sample_weight));
}

std::shared_ptr<const Set> make_set(const Formulation& f) {
  const bool is_polytope = f.set == kPolytope;
  const SetMaker make = is_polytope ? nullptr : find("set", kSets, f.set).make;
  check_radius(f.radius);
  if (!is_polytope && f.atoms) throw InputError("atoms", "a matrix", fmt::format("none for the set {}", f.set));
  if (is_polytope && !f.atoms) throw InputError("atoms", "none", "a matrix of them for the set polytope");
  return is_polytope ? make_polytope(f.atoms, f.radius) : make(f.radius);
}

void refuse_feature_rules(const Formulation& f, std::string_view kind) {
  const auto refuse = [kind](std::string_view field) {
    throw InputError(field, "given", fmt::format("none for {}", kind));
  };
  if (f.standardise) refuse("standardise");
  if (!f.penalty_weight.empty()) refuse("penalty_weight");
  if (!f.free_features.empty()) refuse("free_features");
}

void check_ridge(const Ridge& ridge) {
  if (!(ridge.value >= 0 && std::isfinite(ridge.value)))
    throw InputError("ridge", ridge.text(), "a finite number >= 0, or such a number followed by /n");
}

double total_weight(const Formulation& f, const std::vector<double>& weight, const TeamPtr& team) {
  const double sum = sum_over(team, std::accumulate(weight.begin(), weight.end(), 0.0));
  if (!(sum > 0 && std::isfinite(sum)))
    throw InputError(f.sample_weight.empty() ? "class_weight" : "sample_weight", fmt::format("{} in all", sum),
                     "a finite sum > 0");
  return sum;
}

namespace {

// The regulariser of the features that are not free.
std::shared_ptr<const Regulariser> make_regulariser(const Formulation& f, double n, const Problem& p) {
  check_ridge(f.ridge);
  const double mu = f.ridge.weight(n);
  if (f.ridge_scale.empty()) return std::make_shared<RidgeRegulariser>(mu);
  if (static_cast<Index>(f.ridge_scale.size()) != p.features())
    throw InputError("ridge_scale", fmt::format("{} factors", f.ridge_scale.size()),
                     fmt::format("one for each of {} features", p.features()));
  std::vector<double> q;
  q.reserve(f.ridge_scale.size());
  for (const double scale : f.ridge_scale) {
    if (!(scale >= 0 && std::isfinite(scale)))
      throw InputError("ridge_scale", fmt::format("{}", scale), "finite factors >= 0");
    q.push_back(mu * scale);
  }
  return std::make_shared<DiagonalRidgeRegulariser>(without_entries(q, p.free_features));
}

void require_labels(const Problem& p, const ClassWeight& by_class) {
  if (p.loss->target_kind() != TargetKind::labels)
    throw InputError("class_weight", by_class.text(), fmt::format("none for the loss {}", p.loss->name()));
}

// Multiplies the weights of label -1 and of label +1. Balanced: half of all weight for each.
void weigh_classes(const Problem& p, const ClassWeight& by_class, std::vector<double>& weight) {
  const std::span<const double> b = p.loss->targets();
  double negative = by_class.negative, positive = by_class.positive;
  if (by_class.is_balanced) {
    double of_negative = 0, of_positive = 0;
    for (std::size_t i = 0; i < weight.size(); ++i) (b[i] < 0 ? of_negative : of_positive) += weight[i];
    of_negative = sum_over(p.team, of_negative);
    of_positive = sum_over(p.team, of_positive);
    const double half = (of_negative + of_positive) / 2;
    negative = of_negative > 0 ? half / of_negative : 1;
    positive = of_positive > 0 ? half / of_positive : 1;
  }
  for (std::size_t i = 0; i < weight.size(); ++i) weight[i] *= b[i] < 0 ? negative : positive;
}

// One a sample, or none where all count the same.
std::vector<double> weights_of(const Formulation& f, const Problem& p) {
  std::vector<double> weight = f.sample_weight;
  if (!f.class_weight.is_none()) {
    if (weight.empty()) weight.assign(p.loss->size(), 1.0);
    weigh_classes(p, f.class_weight, weight);
  }
  return weight;
}

// With one class alone the best intercept may be infinite.
void require_both_classes(const Problem& p, const std::vector<double>& weight) {
  if (p.loss->target_kind() != TargetKind::labels) return;
  std::array<double, 2> rows{};
  for (std::size_t i = 0; i < p.loss->size(); ++i)
    if (weight.empty() || weight[i] > 0) ++rows[p.loss->targets()[i] > 0 ? 1 : 0];
  if (p.team) p.team->sum(rows);
  const bool has_up = rows[1] > 0, has_down = rows[0] > 0;
  if (!has_up || !has_down)
    throw InputError("targets", has_up ? "all +1" : "all -1", "some of each, where an intercept is learnt");
}

// More would cost more than they are worth: each step of a solver factors a matrix of their number.
constexpr std::size_t kMostFree = 1'000;

// Ascending, each once.
std::vector<Index> free_features(const Formulation& f, const Set& set, Index d) {
  std::vector<Index> free = f.free_features;
  for (const Index j : free)
    if (j < 0 || j >= d)
      throw InputError("free_features", fmt::format("feature number {}", j + 1), fmt::format("one of {}", d));
  if (!f.penalty_weight.empty() && static_cast<Index>(f.penalty_weight.size()) != d)
    throw InputError("penalty_weight", fmt::format("{} of them", f.penalty_weight.size()),
                     fmt::format("one for each of {} features", d));
  for (std::size_t j = 0; j < f.penalty_weight.size(); ++j) {
    if (!(f.penalty_weight[j] >= 0 && std::isfinite(f.penalty_weight[j])))
      throw InputError("penalty_weight", fmt::format("{} for feature {}", f.penalty_weight[j], j + 1),
                       "finite numbers >= 0");
    if (f.penalty_weight[j] == 0) free.push_back(static_cast<Index>(j));
  }
  std::sort(free.begin(), free.end());
  free.erase(std::unique(free.begin(), free.end()), free.end());
  if (free.size() > kMostFree)
    throw InputError("free_features", fmt::format("{} of them", free.size()), fmt::format("at most {}", kMostFree));
  SparseAtom origin;
  if (static_cast<Index>(free.size()) == d && (set.start(d, origin), !origin.at.empty()))
    throw InputError("free_features", "all", fmt::format("all but one or more, for the set {}", set.name()));
  return free;
}

// The free features leave the problem: neither the set nor the ridge nor x knows of them any more. Returns their
// columns, for the loss.
std::vector<double> take_out_free(const Formulation& f, Problem& p) {
  const std::vector<Index> free = free_features(f, *p.set, p.d());
  if (free.empty()) return {};
  SplitColumns split = split_columns(*p.A, free);
  p.A = std::move(split.rest);
  p.free_features = free;
  return std::move(split.taken);
}

// What the columns of A are multiplied by, or none.
std::vector<double> feature_scale(const Formulation& f, const Problem& p, const std::vector<double>& weight) {
  if (!f.standardise && f.penalty_weight.empty()) return {};
  const std::vector<double> ones(static_cast<std::size_t>(p.d()), 1.0);
  const std::vector<double> deviation = f.standardise ? standard_deviations(*p.A, weight) : ones;
  const std::vector<double> penalty =
      f.penalty_weight.empty() ? ones : without_entries(f.penalty_weight, p.free_features);
  std::vector<double> scale = ones;
  for (std::size_t j = 0; j < scale.size(); ++j) scale[j] = scale[j] / deviation[j] / penalty[j];
  return scale;
}

// The loss with the columns of the free features and of the intercept.
std::shared_ptr<const Loss> with_free_columns(const Problem& p, std::vector<double> Z) {
  const std::size_t count = p.free_features.size() + (p.has_intercept ? 1 : 0);
  if (count == 0) return p.loss;
  if (p.has_intercept) Z.resize(Z.size() + static_cast<std::size_t>(p.n()), 1.0);
  return std::make_shared<WithFree>(p.loss, static_cast<Index>(count), std::move(Z), p.team);
}

// The numbers of rows and features of all members; all members have the same features.
void join(Problem& problem, const TeamPtr& team) {
  const std::array<Index, 2> own{problem.n(), problem.d()};
  const auto all = team->gather(std::as_bytes(std::span(own)));
  problem.team = team;
  for (std::size_t r = 0; r < all.size(); ++r) {
    std::array<Index, 2> sizes{};
    std::memcpy(sizes.data(), all[r].data(), sizeof(sizes));
    problem.samples_of_team += sizes[0];
    if (sizes[1] != problem.d())
      throw InputError("A", fmt::format("{} features at process {} and {} here", sizes[1], r, problem.d()),
                       "as many everywhere");
  }
}

}  // namespace

Problem make_problem(MatrixPtr A, std::vector<double> b, const Formulation& formulation, const TeamPtr& team) {
  Problem problem;
  together(team, [&] {  // all that can be found wrong with one member's rows
    if (!A) throw InputError("A", "none", "a data matrix");
    problem = {.A = std::move(A),
               .loss = make_loss(formulation, std::move(b)),
               .regulariser = {},
               .set = make_set(formulation),
               .has_intercept = formulation.intercept};
    if (formulation.set == kPolytope) refuse_feature_rules(formulation, "the set polytope");
    if (team) refuse_feature_rules(formulation, "several processes");
    if (problem.A->is_streamed()) refuse_feature_rules(formulation, "data larger than memory");
    if (problem.n() == 0) throw InputError("A", "no rows", "at least one sample");
    problem.regulariser = make_regulariser(formulation, static_cast<double>(problem.n()), problem);
    validate(problem);
    SampleWeights::check(formulation.sample_weight, problem.loss->size());
    if (!formulation.class_weight.is_none()) require_labels(problem, formulation.class_weight);
  });
  if (team) together(team, [&] { join(problem, team); });
  std::vector<double> Z = take_out_free(formulation, problem);
  problem.regulariser = make_regulariser(formulation, static_cast<double>(problem.samples()), problem);
  std::vector<double> weight = weights_of(formulation, problem);
  if (formulation.intercept) require_both_classes(problem, weight);
  problem.feature_scale = feature_scale(formulation, problem, weight);
  if (!weight.empty()) {
    // (1/n) sum_i (n weight_i / total) f_i
    const double total = total_weight(formulation, weight, team);
    problem.regulariser = make_regulariser(formulation, total, problem);
    for (double& w : weight) w *= static_cast<double>(problem.samples()) / total;
    const std::span<const double> targets = problem.loss->targets();
    problem.loss = make_loss(formulation, {targets.begin(), targets.end()}, std::move(weight));
  }
  problem.loss = with_free_columns(problem, std::move(Z));
  if (!problem.feature_scale.empty()) problem.A = scaled_columns(problem.A, problem.feature_scale);
  return problem;
}

}  // namespace pdbfw
