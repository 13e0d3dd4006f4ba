// pdbfw train DATA [MODEL] for several classes with sparse weights.
#include <algorithm>
#include <optional>

#include "apps/validate_numbers.hpp"
#include "base/clock.hpp"
#include "cli/classes_report.hpp"
#include "cli/classes_training.hpp"
#include "cli/commands.hpp"
#include "cli/load_model.hpp"
#include "cli/processes.hpp"
#include "cli/progress_line.hpp"
#include "cli/report.hpp"
#include "cli/train_options.hpp"
#include "io/models/model_file.hpp"
#include "pdbfw/predict.hpp"
namespace pdbfw::cli {
namespace {

// Everything that can be wrong without looking at the data.
void check_early(const TrainOptions& options, const Request& request, const std::string& model) {
  const auto& [formulation, settings] = request;
  if (targets_of(formulation.loss) != Targets::classes)
    throw InputError("loss", fmt::format("'{}'", formulation.loss),
                     fmt::format("softmax or multiclass_hinge for the set {}", formulation.set));
  if (settings.solver != "auto" && settings.solver != "sequential")
    throw InputError("solver", fmt::format("'{}'", settings.solver), "auto for classes learnt jointly");
  options.flags.require_loss_to_read(request.formulation);
  if (options.targets != "auto" && options.targets != "classes")
    throw InputError("targets", fmt::format("'{}'", options.targets),
                     fmt::format("classes for the loss {}", formulation.loss));
  validate_numbers(settings);
  options.weights.check(formulation);
  options.require_native_format("several classes");
  check_files(options, model);
}

void finish(const TrainOptions& options, const ClassesReport& report) {
  if (options.is_json)
    print_json(to_json(report));
  else if (report.model == "-")
    print_remark(summary(report));
  else
    print(summary(report));
}

// Of the rows of all processes.
LabelFit fit_of(const DataMatrix& A, const Model& model, const Classes& classes, int threads,
                const TeamPtr& team = {}) {
  const Scores scores = predict_scores(A, model, threads);
  return {.rows = model.samples,
          .targets = Targets::classes,
          .accuracy = accuracy(scores.table(), classes.index, {}, team)};
}

joint::Start joint_start(const Model& old, const std::string& name, const Classes& classes, const joint::Problem& p) {
  require_same_classes(old, name, classes, p.d());
  joint::Start start{.X = to_rows(old.weights, p.d())};
  if (old.kind == ModelKind::joint && !old.proof.empty() && old.samples == p.n()) start.Y = to_matrix(old.proof, p.n());
  return start;
}

std::vector<Start> single_starts(const Model& old, const std::string& name, const Classes& classes,
                                 const TeamRows& rows) {
  const Index features = rows.data.A->columns();
  require_same_classes(old, name, classes, features);
  std::vector<Start> starts;
  for (std::size_t k = 0; k < classes.original.size(); ++k) {
    SparseVector weights = old.weights[k];
    weights.size = features;
    starts.push_back({.x = to_dense(weights)});
    if (old.kind == ModelKind::one_vs_rest && !old.proof.empty() && old.samples == rows.samples)
      starts.back().y = own_part(to_dense(old.proof[k]), "proof", rows);
  }
  return starts;
}

// A sigmoid for every class; none when interrupted.
std::vector<Sigmoid> calibrate_all(const MatrixPtr& A, const Classes& classes, const Formulation& formulation,
                                   const Settings& settings, const InterruptGuard& interrupt, const TeamPtr& team) {
  std::vector<Sigmoid> sigmoids;
  for (std::size_t k = 0; k < classes.original.size(); ++k) {
    const std::vector<Sigmoid> sigmoid =
        calibrate(A, signs_of(classes, static_cast<Index>(k)), formulation, settings, interrupt, team);
    if (sigmoid.empty()) return {};
    sigmoids.push_back(sigmoid.front());
  }
  return sigmoids;
}

Callback watching(ProgressLine& line, const InterruptGuard& interrupt) {
  return [&](const Progress& progress) {
    line.show(progress);
    return !interrupt.is_requested();
  };
}

}  // namespace

int train_joint(const TrainOptions& options, Request request, const std::string& path) {
  Formulation& formulation = request.formulation;
  if (!options.flags.given("loss")) formulation.loss = "softmax";
  check_early(options, request, path);
  const int threads = request.settings.threads;
  const ReadOptions reading = options.data.read_options(threads);
  const std::optional<Model> old = options.start.empty() ? std::nullopt : std::optional(load_model(options.start));

  const Stopwatch load;
  options.weights.read(formulation);
  options.features.read(formulation);
  const LabelledData data = read_labelled(options.data, reading, Targets::classes);
  const double load_seconds = load.seconds();
  const Classes classes = classes_of(data);
  const joint::Problem problem = joint::make_problem(data.A, classes, formulation);
  const joint::Start start = old ? joint_start(*old, options.start_name(), classes, problem) : joint::Start{};

  // Until the model is written: a Ctrl-C in between must not cost it.
  const InterruptGuard interrupt;
  std::optional<ProgressLine> line(std::in_place, options.shows_progress());
  const joint::Result result = joint::solve(problem, request.settings, watching(*line, interrupt), start);
  line.reset();
  Model model = empty_model(ModelKind::joint, formulation, classes, data.A->rows());
  model.weights = to_columns(result.X);
  model.intercepts.assign(result.intercepts.begin(), result.intercepts.end());
  model.statuses = {result.status};
  model.certificates = {result.certificate};
  if (!options.leaves_out_proof)
    for (Index k = 0; k < result.Y.cols(); ++k) {
      const Vector column = result.Y.col(k);
      model.proof.push_back(to_sparse({column.data(), static_cast<std::size_t>(column.size())}));
    }
  OutputFile file(path);
  write_model_to(file, model);
  commit_with_trace(options, result, file);
  if (!options.is_silent()) {
    const ClassesReport report{options.data.name(),
                               path,
                               data.A->nonzeros(),
                               model,
                               {&result},
                               formulation,
                               fit_of(*data.A, model, classes, threads),
                               load_seconds,
                               options.data.values(),
                               options.start_text(start.Y.size() > 0)};
    tell_after_writing(fmt::format("the model '{}'", path), [&] { finish(options, report); });
  }
  return result.status == Status::converged ? kSuccess : kStopped;
}

int train_one_vs_rest(const TrainOptions& options, const Request& request, const std::string& path,
                      const TeamRows& rows, double load_seconds, const std::optional<Model>& old, const TeamPtr& team) {
  const int threads = request.settings.threads;
  const Formulation& formulation = request.formulation;
  const MatrixPtr& A = rows.data.A;
  Classes classes;
  std::vector<Start> starts;
  together(team, [&] {
    options.require_obeyed(request, Way::one_vs_rest, team != nullptr);
    options.require_native_format("several classes");
    if (A->columns() == 0)
      throw InputError(options.data.name(), "no features", "at least one feature in at least one row");
    classes = encode_classes(rows.data.target, rows.values);
    if (old) starts = single_starts(*old, options.start_name(), classes, rows);
  });

  const InterruptGuard interrupt;
  const bool speaks = Processes::here().speaks();
  std::optional<ProgressLine> line(std::in_place, speaks && options.shows_progress());
  const Team::Traffic before = team ? team->traffic() : Team::Traffic{};
  const std::vector<Result> results =
      solve_one_vs_rest(A, classes, formulation, request.settings, watching(*line, interrupt), starts, team);
  require_team(results.back());
  const std::optional<TeamReport> team_report =
      team ? std::optional(TeamReport{team->size(), since(before, team->traffic())}) : std::nullopt;
  Model model = empty_model(ModelKind::one_vs_rest, formulation, classes, rows.samples);
  for (const Result& result : results) {
    model.weights.push_back(to_sparse(result.x));
    model.intercepts.push_back(result.intercept);
    model.statuses.push_back(result.status);
    model.certificates.push_back(result.certificate);
    if (!options.leaves_out_proof) model.proof.push_back(to_sparse(gathered_at_first(team, result.y)));
  }
  if (options.wants_probabilities)
    model.sigmoids = calibrate_all(A, classes, formulation, request.settings, interrupt, team);
  line.reset();
  const bool is_silent = options.is_silent();
  const LabelFit fit = is_silent ? LabelFit{} : fit_of(*A, model, classes, threads, team);
  if (speaks) {
    OutputFile file(path);
    write_model_to(file, model);
    file.commit();
  }
  if (speaks && !is_silent) {
    std::vector<const Outcome*> outcomes;
    for (const Result& result : results) outcomes.push_back(&result);
    const ClassesReport report{options.data.name(),
                               path,
                               static_cast<Index>(rows.nonzeros),
                               model,
                               outcomes,
                               formulation,
                               fit,
                               load_seconds,
                               options.data.values(),
                               options.start_text(!starts.empty() && !starts.front().y.empty()),
                               team_report};
    tell_after_writing(fmt::format("the model '{}'", path), [&] { finish(options, report); });
  }
  const bool has_converged = std::all_of(results.begin(), results.end(),
                                         [](const Result& result) { return result.status == Status::converged; });
  const bool is_calibrated = !options.wants_probabilities || !model.sigmoids.empty();
  return has_converged && is_calibrated ? kSuccess : kStopped;
}

}  // namespace pdbfw::cli
