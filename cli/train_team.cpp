// pdbfw train under mpirun: every process reads and sweeps its own rows, the first one tells and writes for all.
#include "base/clock.hpp"
#include "cli/checkpointing.hpp"
#include "cli/classes_training.hpp"
#include "cli/commands.hpp"
#include "cli/load_model.hpp"
#include "cli/low_rank_training.hpp"
#include "cli/processes.hpp"
#include "cli/report.hpp"
#include "cli/team_rows.hpp"
#include "cli/train_options.hpp"
#include "cli/training.hpp"
#include "io/models/model_file.hpp"
#include "linalg/pass_pair.hpp"
#include "pdbfw/predict.hpp"
#include "pdbfw/solve.hpp"

namespace pdbfw::cli {
namespace {

// What -1 and +1 stand for, if the loss wants labels: the two targets of all processes.
std::optional<std::array<double, 2>> labels_of(const TeamRows& rows, const std::string& name, const Formulation& f) {
  if (target_kind(f) != TargetKind::labels) return std::nullopt;
  try {
    return encode_labels(rows.values).original;
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  }
}

// The weights of an earlier model, and its proof if that is for as many rows.
Start own_start(const Model& old, const TrainOptions& options, const Prepared& prepared, const TeamRows& rows) {
  Start start = start_from(old, options.start_name(), prepared);
  start.y.clear();
  if (!old.proof.empty() && old.samples == rows.samples) start.y = own_part(to_dense(old.proof.front()), "proof", rows);
  return start;
}

}  // namespace

int train_team(const TrainOptions& options, Request request, const std::string& path, const TeamPtr& team) {
  const Stopwatch load;
  const TeamRows rows =
      read_team_rows(options.data.path(), options.data.read_options(request.settings.threads), options.memory, team);
  Prepared prepared;
  Start start;
  CheckpointedRun run(team);
  std::vector<CheckpointOption> inputs;
  std::optional<Model> old;
  const bool has_several_classes =
      target_kind(request.formulation) == TargetKind::labels && are_several_classes(rows.values.size(), rows.samples);
  together(team, [&] {
    options.weights.read(request.formulation);
    if (options.checkpoints.is_given()) inputs = inputs_of(request.formulation, request.settings.threads);
    std::vector<double>& weight = request.formulation.sample_weight;
    if (!weight.empty()) weight = own_part(weight, "sample_weight", rows);
    if (!options.start.empty()) old = load_model(options.start);
    if (has_several_classes) return;
    prepared.labels = labels_of(rows, options.data.name(), request.formulation);
    if (prepared.labels && options.liblinear.has_class_weights())
      request.formulation.class_weight = options.liblinear.class_weight(*prepared.labels);
  });
  if (has_several_classes) return train_one_vs_rest(options, request, path, rows, load.seconds(), old, team);
  prepared = prepare(rows.data, options.data.name(), request.formulation, prepared.labels, team);
  if (options.checkpoints.is_given()) {
    const DataFingerprint data =
        fingerprint(*rows.data.A, rows.data.target, request.settings.threads, {rows.first, team});
    together(team, [&] { run.begin(options.checkpoints, data, inputs); });
  }
  together(team, [&] {
    if (run.resumed()) start = of_rows(run.point(), rows.first, rows.data.A->rows());
    if (old) start = own_start(*old, options, prepared, rows);
  });
  const double load_seconds = load.seconds();
  const double pass_pair_seconds = rows.data.A->is_streamed() ? 0 : measure_pass_pair(*rows.data.A);

  const InterruptGuard interrupt;
  const bool speaks = Processes::here().speaks();
  if (speaks) print_remark(options.liblinear.remarks());
  const bool shows_progress = speaks && options.shows_progress();
  const std::optional<double> alpha = alpha_of(options, prepared, rows.data, request.formulation);
  const Team::Traffic before = team->traffic();
  std::optional<Penalised> penalised;
  if (alpha) {
    penalised = solve_penalised_watched(prepared.problem, *alpha, request.settings, interrupt, shows_progress);
    request.formulation.radius = penalised->radius;
    prepared.problem.set = prepared.problem.set->with_radius(penalised->radius);
  }
  Result result =
      penalised ? std::move(penalised->result)
                : solve_watched(prepared.problem, run.watched(request.settings), interrupt, shows_progress, start);
  require_team(result);
  const Team::Traffic traffic = since(before, team->traffic());
  // As long as all rows: collected only where somebody wants it.
  if (!options.leaves_out_proof || options.checkpoints.is_given())
    result.y = gathered_at_first(team, std::move(result.y));
  if (speaks) run.keep_end({result.x, result.y, result.multiplier}, result);
  Model model = make_model(prepared, request.formulation, result, !options.leaves_out_proof);
  if (options.wants_probabilities)
    model.sigmoids = calibrate(rows.data.A, signs_from(rows.data.target, model.classes[1]), request.formulation,
                               request.settings, interrupt, team);
  const Scores scores = predict_scores(*rows.data.A, model, request.settings.threads);
  const Fit fit = measure_fit(scores.all(), rows.data.target, model.classes, team);
  if (speaks) {
    OutputFile model_file(path);
    write_model_to(model_file, model, options.model_format());
    commit_with_trace(options, result, model_file);
    const bool is_silent = options.is_silent();
    const TrainReport report{
        .data = options.data.name(),
        .model = path,
        .problem = prepared.problem,
        .result = result,
        .formulation = request.formulation,
        .fit = fit,
        .nonzeros = static_cast<Index>(rows.nonzeros),
        .load_seconds = load_seconds,
        .pass_pair_seconds = pass_pair_seconds,
        .values = options.data.values(),
        .start = options.start_text(!start.y.empty()),
        .resumed = run.resumed(),
        .penalty = penalised ? std::optional(Penalty{*alpha, penalised->certificate}) : std::nullopt,
        .team = TeamReport{team->size(), traffic}};
    if (!is_silent) tell_after_writing(fmt::format("the model '{}'", path), [&] { tell(options, report); });
  }
  const bool is_calibrated = !options.wants_probabilities || !model.sigmoids.empty();
  return result.status == Status::converged && is_calibrated ? kSuccess : kStopped;
}

}  // namespace pdbfw::cli
