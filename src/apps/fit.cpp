#include "pdbfw/fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "apps/checkpointed_run.hpp"
#include "apps/fit_rules.hpp"
#include "apps/model_problem.hpp"
#include "base/team.hpp"
#include "io/checkpoints/checkpoint_file.hpp"
#include "linalg/pass_pair.hpp"
#include "pdbfw/cross_validation.hpp"
#include "pdbfw/predict.hpp"
#include "pdbfw/solve.hpp"

namespace pdbfw {
namespace {

struct Task {
  const Samples& samples;
  const Formulation& given;  // with the sample weights of all rows
  Formulation formulation;   // with those of the rows here
  const FitOptions& options;
  const Callback& callback;
  std::optional<Team::Traffic> traffic{};  // of the solve

  [[nodiscard]] int threads() const { return options.settings.threads; }
  [[nodiscard]] const TeamPtr& team() const { return samples.team; }
};

// Solves, and counts what the team exchanges meanwhile. Throws TeamLost.
template <class Solve>
auto counted_solve(Task& task, const Solve& solve) {
  const auto before = task.team() ? task.team()->traffic() : Team::Traffic{};
  auto result = solve();
  if (task.team()) {
    const Team::Traffic now = task.team()->traffic();
    task.traffic = {now.calls - before.calls, now.long_calls - before.long_calls, now.bytes - before.bytes,
                    now.seconds - before.seconds};
  }
  return result;
}

void require_team(const Outcome& outcome) {
  if (outcome.status == Status::team_lost) throw TeamLost(outcome.message);
}

// Throws InputError unless the start is of one of these kinds.
void require_kind(const FitOptions& options, const std::vector<ModelKind>& kinds) {
  const ModelKind kind = options.start->kind;
  if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) return;
  std::vector<std::string_view> names;
  for (const ModelKind able : kinds) names.push_back(to_string(able));
  throw InputError(options.start_name, fmt::format("a model of the kind {}", to_string(kind)),
                   fmt::format("of the kind {}", fmt::join(names, " or ")));
}

// Throws InputError where the start has weights for features that the samples do not have.
void require_known_features(const Task& task) {
  const Index features = task.samples.A->columns();
  for (const SparseVector& column : task.options.start->weights)
    if (!column.at.empty() && column.at.back() >= features)
      throw InputError(task.options.start_name, fmt::format("a weight for feature {}", column.at.back() + 1),
                       fmt::format("none beyond the {} features of the data", features));
}

void require_same_classes(const Task& task, const std::vector<double>& classes) {
  require_kind(task.options, {ModelKind::one_vs_rest, ModelKind::joint});
  if (task.options.start->classes != classes)
    throw InputError(task.options.start_name, "other classes", "those of the data");
  require_known_features(task);
}

std::string labels_text(const std::vector<double>& labels) {
  return labels.empty() ? "no labels" : fmt::format("labels {} and {}", labels[0], labels[1]);
}

Start vector_start(const Task& task, const VectorProblem& vector) {
  require_kind(task.options, {ModelKind::vector});
  const Model& old = *task.options.start;
  if (old.classes != vector.classes)
    throw InputError(task.options.start_name, labels_text(old.classes),
                     labels_text(vector.classes) + ", as the data have them");
  require_known_features(task);
  return {.x = point_of(vector.problem, old, 0), .y = proof_of(task.samples, old, 0).value_or(std::vector<double>{})};
}

// The sum of the weights of all rows, class weights included; balanced ones leave it as it is.
double total_weight(const Task& task, const std::vector<double>& classes) {
  const Formulation& f = task.formulation;
  const std::vector<double>& target = task.samples.target;
  double total = 0;
  for (std::size_t i = 0; i < target.size(); ++i) {
    const double of_row = f.sample_weight.empty() ? 1 : f.sample_weight[i];
    const bool is_positive = !classes.empty() && target[i] == classes[1];
    total += of_row * (f.class_weight.is_balanced ? 1
                       : is_positive              ? f.class_weight.positive
                                                  : f.class_weight.negative);
  }
  return sum_over(task.team(), total);
}

// LIBLINEAR minimises |w|_1 + C sum_i loss_i, and its squared hinge has no factor of 1/2.
std::optional<double> alpha_of(const Task& task, const std::vector<double>& classes) {
  if (!task.options.cost) return task.options.alpha;
  const double factor = task.formulation.loss == "squared_hinge" ? 2 : 1;
  return 1 / (factor * *task.options.cost * total_weight(task, classes));
}

Fitted fit_vector(Task& task) {
  const Samples& samples = task.samples;
  const FitOptions& options = task.options;
  VectorProblem vector = make_vector_problem(samples, task.formulation);
  Problem& problem = vector.problem;
  CheckpointedRun run(options.checkpoints, samples, samples.target, task.given, task.threads());
  Start start = run.point();
  together(task.team(), [&] {
    if (options.start != nullptr) start = vector_start(task, vector);
  });
  Formulation in_force = task.given;
  std::optional<Fitted::Penalty> penalty;
  const std::optional<double> alpha = alpha_of(task, vector.classes);
  Result result = counted_solve(task, [&] {
    if (!alpha) return solve(problem, run.watched(options.settings), task.callback, start);
    Penalised found = solve_penalised(problem, *alpha, options.settings, task.callback);
    penalty = {*alpha, found.certificate};
    problem.set = problem.set->with_radius(found.radius);
    in_force.radius = found.radius;
    return std::move(found.result);
  });
  require_team(result);
  // As long as all rows: collected only where it is wanted.
  const bool wants_proof = options.keeps_proof || run.is_kept();
  const bool has_slack = options.measures_fit && has_slack_radius(problem, result);
  if (wants_proof) result.y = gathered_at_first(task.team(), std::move(result.y));
  run.keep_end({result.x, result.y, result.multiplier}, result);
  Fitted fitted = fitted_of(vector, samples, in_force, result, options.keeps_proof);
  fitted.has_started_with_proof = !start.y.empty();
  fitted.penalty = penalty;
  fitted.has_slack_radius = has_slack;
  return fitted;
}

std::vector<Start> class_starts(const Task& task, const std::vector<double>& classes) {
  require_same_classes(task, classes);
  const Model& old = *task.options.start;
  std::vector<Start> starts;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    SparseVector weights = old.weights[k];
    weights.size = task.samples.A->columns();
    starts.push_back({.x = weights.dense()});
    if (old.kind == ModelKind::one_vs_rest)
      starts.back().y = proof_of(task.samples, old, k).value_or(std::vector<double>{});
  }
  return starts;
}

Fitted fit_one_vs_rest(Task& task) {
  const Classes classes = classes_of(task.samples);
  std::vector<Start> starts;
  together(task.team(), [&] {
    if (task.options.alpha || task.options.cost)
      throw InputError(task.options.alpha ? "alpha" : "cost", "given",
                       "a radius for each of several classes against the rest");
    if (!task.options.checkpoints.path.empty())
      throw InputError("checkpoint", "given", "none for each of several classes against the rest");
    require_features(task.samples);
    if (task.options.start != nullptr) starts = class_starts(task, classes.original);
  });
  const std::vector<Result> results = counted_solve(task, [&] {
    return solve_one_vs_rest(task.samples.A, classes, task.formulation, task.options.settings, task.callback, starts,
                             task.team());
  });
  require_team(results.back());
  Fitted fitted = fitted_of(ModelKind::one_vs_rest, task.samples, task.given, {results.begin(), results.end()});
  fitted.has_started_with_proof = !starts.empty() && !starts.front().y.empty();
  Model& model = fitted.model;
  model.classes = classes.original;
  for (const Result& result : results) {
    model.weights.push_back(SparseVector::of(result.x));
    model.intercepts.push_back(result.intercept);
    if (task.options.keeps_proof) model.proof.push_back(SparseVector::of(gathered_at_first(task.team(), result.y)));
    add_size(result.x, fitted.size);
  }
  return fitted;
}

std::vector<double> column_of(const Matrix& M, Index k) {
  const Vector column = M.col(k);
  return {column.data(), column.data() + column.size()};
}

Fitted fit_joint(Task& task) {
  const Samples& samples = task.samples;
  const FitOptions& options = task.options;
  if (task.team()) throw InputError("team", "given", "none for classes learnt jointly");
  const Classes classes = classes_of(samples);
  const joint::Problem problem = make_joint_problem(samples, classes, task.formulation);
  joint::Start start;
  if (options.start != nullptr) {
    require_same_classes(task, classes.original);
    start = {rows_of(options.start->weights, problem.d()), joint_proof_of(samples, *options.start).value_or(Matrix{})};
  }
  const joint::Result result = joint::solve(problem, options.settings, task.callback, start);
  Fitted fitted = fitted_of(ModelKind::joint, samples, task.given, {outcome_of(result)});
  fitted.has_started_with_proof = start.Y.size() > 0;
  Model& model = fitted.model;
  model.classes = classes.original;
  model.intercepts.assign(result.intercepts.begin(), result.intercepts.end());
  for (Index k = 0; k < problem.c(); ++k) {
    std::vector<double> column(static_cast<std::size_t>(problem.d()), 0.0);
    for (std::size_t r = 0; r < result.X.at.size(); ++r)
      column[static_cast<std::size_t>(result.X.at[r])] = result.X.value(static_cast<Index>(r), k);
    model.weights.push_back(SparseVector::of(column));
    if (options.keeps_proof) model.proof.push_back(SparseVector::of(column_of(result.Y, k)));
    add_size(column, fitted.size);
  }
  return fitted;
}

low_rank::Start matrix_start(const Task& task, const low_rank::Problem& problem, const std::vector<double>& names) {
  require_kind(task.options, {ModelKind::matrix});
  const Model& old = *task.options.start;
  const std::string& name = task.options.start_name;
  if (names_of(old) != names || old.classes.empty() == (task.samples.targets == Targets::one_per_row))
    throw InputError(name, "other labels", "those of the data");
  if (old.features() > problem.d())
    throw InputError(name, fmt::format("{} features", old.features()),
                     fmt::format("no more than the {} of the data", problem.d()));
  return {factors_of(problem, old), matrix_proof_of(task.samples, old, problem.k()).value_or(Matrix{})};
}

Fitted fit_matrix(Task& task) {
  const Samples& samples = task.samples;
  const FitOptions& options = task.options;
  const PlacedTargets targets = place_targets(samples);
  const bool has_numbers = samples.targets == Targets::numbers;
  const Index outputs = has_numbers ? samples.numbers_per_row() : static_cast<Index>(targets.names.size());
  const low_rank::Problem problem = make_matrix_problem(samples, targets, task.formulation, outputs);
  const Matrix& B = problem.loss->targets();
  CheckpointedRun run(options.checkpoints, samples, {B.data(), static_cast<std::size_t>(B.size())}, task.given,
                      task.threads());
  low_rank::Start start = run.matrix();
  together(task.team(), [&] {
    if (options.start != nullptr) start = matrix_start(task, problem, targets.names);
  });
  low_rank::Result result = counted_solve(
      task, [&] { return low_rank::solve(problem, run.watched(options.settings), task.callback, start); });
  require_team(result);
  if (options.keeps_proof || run.is_kept()) result.Y = low_rank::gathered({.Y = std::move(result.Y)}, task.team()).Y;
  run.keep_end({result.X, result.Y}, result);
  Fitted fitted = fitted_of(ModelKind::matrix, samples, task.given, {outcome_of(result)});
  fitted.has_started_with_proof = start.Y.size() > 0;
  fitted.ridge = problem.ridge;
  fitted.size = {result.X.rank(), std::min(result.X.rows(), result.X.columns()), result.X.trace_norm(), 0};
  fitted.has_slack_radius = result.status == Status::converged && result.multiplier == 0;
  Model& model = fitted.model;
  model.formulation.ridge = {problem.ridge, false};
  model.map = problem.map->name();
  if (samples.targets == Targets::one_per_row) model.classes = targets.names;
  if (samples.targets == Targets::labels) model.labels.assign(targets.names.begin(), targets.names.end());
  if (options.keeps_proof) model.matrix_proof = result.Y;
  model.factors = result.X;
  return fitted;
}

// The sigmoid of a hinge, from scores out of five folds; nothing when the callback stops it. The first member of a team
// has it.
std::optional<Sigmoid> calibrate(const Task& task, const std::vector<double>& signs) {
  constexpr Index kFolds = 5;
  const std::vector<double> own = out_of_fold_scores(task.samples.A, signs, task.formulation, task.options.settings,
                                                     task.callback, kFolds, task.team());
  if (own.empty()) return std::nullopt;
  const std::vector<double> scores = gathered_at_first(task.team(), own),
                            all_signs = gathered_at_first(task.team(), signs);
  Sigmoid sigmoid;
  together(task.team(), [&] {
    if (!task.team() || task.team()->rank() == 0) sigmoid = fit_sigmoid(scores, all_signs);
  });
  return sigmoid;
}

// One per output, or none.
std::vector<Sigmoid> sigmoids_of(Task task, const Fitted& fitted) {
  task.formulation.radius = fitted.formulation.radius;
  const std::vector<double>& classes = fitted.model.classes;
  std::vector<Sigmoid> sigmoids;
  for (Index k = 0; k < fitted.model.outputs(); ++k) {
    const double own = fitted.model.kind == ModelKind::vector ? classes[1] : classes[static_cast<std::size_t>(k)];
    const std::optional<Sigmoid> sigmoid = calibrate(task, signs_of(task.samples.target, own));
    if (!sigmoid) return {};
    sigmoids.push_back(*sigmoid);
  }
  return sigmoids;
}

void require_targets(const Samples& samples, ModelKind kind) {
  if (!samples.A) throw InputError(samples.name, "no matrix", "rows to learn from");
  if (kind != ModelKind::matrix && samples.targets != Targets::one_per_row)
    throw InputError(samples.name,
                     samples.targets == Targets::labels ? "any number of labels per row" : "several numbers per row",
                     "one target per row, or the set trace");
}

}  // namespace

Fitted fit(const Samples& samples, const Formulation& formulation, const FitOptions& options,
           const Callback& callback) {
  Formulation given = formulation;
  if (given.loss.empty()) given.loss = default_loss(samples, given);
  together(samples.team, [&] {
    require_targets(samples, kind_of(given));
    check_fit(given, options);
  });
  const ModelKind kind = kind_of(samples, given);
  Task task{samples, given, given, options, callback};
  together(samples.team, [&] {
    if (!given.sample_weight.empty())
      task.formulation.sample_weight = own_rows(samples, given.sample_weight, "sample_weight");
  });
  constexpr std::array kFits{fit_vector, fit_one_vs_rest, fit_joint, fit_matrix};  // as in ModelKind
  Fitted fitted = kFits.at(static_cast<std::size_t>(kind))(task);
  fitted.traffic = task.traffic;
  if (options.wants_probabilities) {
    fitted.model.sigmoids = sigmoids_of(task, fitted);
    fitted.has_converged = fitted.has_converged && !fitted.model.sigmoids.empty();
  }
  if (options.measures_fit)
    fitted.measures =
        measure_fit(samples, fitted.model, predict_scores(*samples.A, fitted.model, options.settings.threads).table());
  if (options.measures_speed && kind == ModelKind::vector && !samples.A->is_streamed())
    fitted.pass_pair_seconds = measure_pass_pair(*samples.A);
  return fitted;
}

}  // namespace pdbfw
