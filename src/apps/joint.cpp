#include "pdbfw/joint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "apps/low_rank_registry.hpp"
#include "apps/registry.hpp"
#include "apps/solving.hpp"
#include "base/names.hpp"
#include "core/joint_judge.hpp"
#include "joint/sequential.hpp"
#include "losses/rows_with_intercept.hpp"
#include "pdbfw/low_rank.hpp"

namespace pdbfw::joint {
namespace {

constexpr std::string_view kBall = "l1";

void refuse_other_fields(const Formulation& f) {
  refuse_feature_rules(f, "classes learnt jointly");
  if (!f.ridge_scale.empty())
    throw InputError("ridge_scale", fmt::format("{} factors", f.ridge_scale.size()), "none for classes learnt jointly");
  if (f.atoms) throw InputError("atoms", "given", "none for classes learnt jointly");
  check_ridge(f.ridge);
}

// One a sample, or none where all count the same. Balanced: the same weight in all for every class.
std::vector<double> weights_of(const Formulation& f, const Problem& p) {
  SampleWeights::check(f.sample_weight, static_cast<std::size_t>(p.n()));
  std::vector<double> weight = f.sample_weight;
  if (f.class_weight.is_none()) return weight;
  if (!f.class_weight.is_balanced || p.loss->target_kind() != RowTargetKind::classes)
    throw InputError("class_weight", f.class_weight.text(),
                     fmt::format("none{} for the loss {}",
                                 p.loss->target_kind() == RowTargetKind::classes ? " or balanced" : "", f.loss));
  if (weight.empty()) weight.assign(static_cast<std::size_t>(p.n()), 1.0);
  std::vector<double> total(static_cast<std::size_t>(p.c()), 0.0);
  const auto class_of = [&](Index i) { return static_cast<std::size_t>(p.loss->targets()(i, 0)); };
  for (Index i = 0; i < p.n(); ++i) total[class_of(i)] += weight[static_cast<std::size_t>(i)];
  const double share = std::accumulate(total.begin(), total.end(), 0.0) / static_cast<double>(p.c());
  for (Index i = 0; i < p.n(); ++i)
    if (const double of_class = total[class_of(i)]; of_class > 0)
      weight[static_cast<std::size_t>(i)] *= share / of_class;
  return weight;
}

// With one class alone, or without a class, the best intercepts may be infinite.
void require_all_kinds(const Problem& p, const std::vector<double>& weight) {
  if (p.loss->target_kind() == RowTargetKind::numbers) return;
  const bool are_classes = p.loss->target_kind() == RowTargetKind::classes;
  const Matrix& B = p.loss->targets();
  std::vector<bool> has_up(static_cast<std::size_t>(p.c()), false), has_down(has_up);
  for (Index i = 0; i < p.n(); ++i) {
    if (!weight.empty() && weight[static_cast<std::size_t>(i)] == 0) continue;
    for (Index k = 0; k < p.c(); ++k) {
      const bool is_own = are_classes ? B(i, 0) == static_cast<double>(k) : B(i, k) > 0;
      (is_own ? has_up : has_down)[static_cast<std::size_t>(k)] = true;
    }
  }
  for (std::size_t k = 0; k < has_up.size(); ++k)
    if (!has_up[k] || !has_down[k])
      throw InputError("targets", fmt::format("{} of output {}", has_up[k] ? "all" : "none", k),
                       "some of each, where intercepts are learnt");
}

// A point that the solver may begin at: X in C, Y in the domain of the conjugate, or empty.
Start taken_inside(const Problem& p, Start start) {
  if (start.X.rows > 0) {
    check_start(start.X.rows, start.X.columns(), start.X.value.allFinite(), p.d(), p.c());
    if (start.X.value.rows() != static_cast<Index>(start.X.at.size()))
      throw InputError("start.X.value", fmt::format("{} rows", start.X.value.rows()),
                       fmt::format("{}, one for each entry of start.X.at", start.X.at.size()));
    project(p, start.X.value);
  }
  start.Y = taken_into_domain(*p.loss, p.c(), std::move(start.Y));
  return start;
}

}  // namespace

std::vector<std::string_view> loss_names() { return low_rank::loss_names(); }
std::vector<std::string_view> set_names() { return {kBall, kPerClass}; }

Problem make_problem(MatrixPtr A, Matrix B, Index outputs, const Formulation& f) {
  if (!A) throw InputError("A", "none", "a data matrix");
  refuse_other_fields(f);
  const std::vector<std::string_view> sets = set_names();
  if (std::find(sets.begin(), sets.end(), f.set) == sets.end()) throw_unknown_name("set", f.set, sets);
  Formulation ball = f;
  ball.set = kBall;
  Problem p{std::move(A), outputs, low_rank::make_row_loss(f, std::move(B)), 0, make_set(ball), f.set == kPerClass};
  p.ridge = f.ridge.weight(std::max(1.0, static_cast<double>(p.n())));
  validate(p);
  std::vector<double> weight = weights_of(f, p);
  if (f.intercept) require_all_kinds(p, weight);
  if (!weight.empty()) {
    const double total = total_weight(f, weight);
    // (1/n) sum_i (n weight_i / total) f_i
    p.ridge = f.ridge.weight(total);
    for (double& w : weight) w *= static_cast<double>(p.n()) / total;
    p.loss = low_rank::make_row_loss(f, p.loss->targets(), std::move(weight));
  }
  if (f.intercept) p.loss = std::make_shared<RowsWithIntercept>(p.loss);
  return p;
}

Problem make_problem(MatrixPtr A, const Classes& classes, const Formulation& f) {
  const auto n = static_cast<Index>(classes.index.size()), c = static_cast<Index>(classes.original.size());
  const bool are_classes = low_rank::make_row_loss(f)->target_kind() == RowTargetKind::classes;
  Matrix B = Matrix::Constant(n, are_classes ? 1 : c, -1);
  for (Index i = 0; i < n; ++i) {
    const Index own = classes.index[static_cast<std::size_t>(i)];
    if (own < 0 || own >= c)
      throw InputError("classes", fmt::format("{} for row {}", own, i + 1), fmt::format("0 .. {}", c - 1));
    if (are_classes)
      B(i, 0) = static_cast<double>(own);
    else
      B(i, own) = 1;
  }
  return make_problem(std::move(A), std::move(B), c, f);
}

Result solve(const Problem& problem, const Settings& settings, const Callback& callback, const Start& start) {
  validate_numbers(settings);
  if (settings.solver != "auto" && settings.solver != "sequential")
    throw InputError("solver", fmt::format("'{}'", settings.solver), "auto for classes learnt jointly");
  validate(problem);
  const double at_zero = problem.loss->total_value(Matrix::Zero(problem.n(), problem.c()));
  require_finite_objective(at_zero, "zero", "the data or the targets");
  Result result = kSequentialSolver.solve(problem, settings, callback, taken_inside(problem, start));
  result.intercepts = intercepts(problem, result.X, settings.threads);
  return result;
}

}  // namespace pdbfw::joint
