// pdbfw train DATA [MODEL]
#include <array>
#include <filesystem>
#include <memory>

#include "base/clock.hpp"
#include "cli/classes_training.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/load_model.hpp"
#include "cli/low_rank_training.hpp"
#include "cli/processes.hpp"
#include "cli/report.hpp"
#include "cli/train_options.hpp"
#include "cli/training.hpp"
#include "io/models/model_file.hpp"
#include "io/output_file.hpp"
#include "io/text_sink.hpp"
#include "linalg/pass_pair.hpp"
#include "pdbfw/predict.hpp"

namespace pdbfw::cli {
namespace {

// As LIBLINEAR does it: the data's own name, in the current folder.
std::string default_model(const std::string& data) {
  if (data == "-") return "pdbfw.model";
  std::filesystem::path name = std::filesystem::path(data).filename();
  for (const char* suffix : {".gz", ".bz2", ".xz", ".zst", ".zstd"})
    if (name.extension() == suffix && name.has_stem()) return name.stem().string() + ".model";
  return name.string() + ".model";
}

// Throws InputError when the format cannot hold such a model.
void require_format(ModelFormat format, const Formulation& formulation,
                    const std::optional<std::array<double, 2>>& labels) {
  Model empty;
  empty.formulation = formulation;
  empty.formulation.ridge.per_sample = false;
  empty.formulation.free_features.clear();
  empty.weights.resize(1);
  if (labels) empty.classes.assign(labels->begin(), labels->end());
  MemorySink nowhere;
  write_model_to(nowhere, empty, format);
}

// Everything that can be wrong without looking at the data, before an hour is spent on them.
void check_early(const TrainOptions& options, const Request& request, const std::string& model) {
  const bool has_labels = target_kind(request.formulation) == TargetKind::labels;
  const std::optional<std::array<double, 2>> labels = has_labels ? std::optional(std::array{-1.0, 1.0}) : std::nullopt;
  validate(request.settings);
  if (options.wants_probabilities) require_calibration(request.formulation);
  if (options.wants_probabilities && options.model_format() == ModelFormat::liblinear)
    throw InputError("probabilities", "format liblinear", "the format pdbfw or mapped");
  options.atoms.check(request.formulation);
  options.weights.check(request.formulation);
  options.features.check(request.formulation);
  if (options.liblinear.has_penalty())
    for (const char* flag : {"loss", "radius", "ridge", "intercept", "class_weight"})
      if (options.flags.given(flag)) throw InputError(flag, "with LIBLINEAR's options", "one of the two");
  if (options.liblinear.has_penalty() && options.alpha)
    throw InputError("alpha", "with LIBLINEAR's options", "one of the two");
  if (options.alpha && options.flags.given("radius")) throw InputError("alpha", "with --radius", "one of the two");
  const bool has_penalty = options.alpha || options.liblinear.has_penalty();
  if (has_penalty && request.formulation.set != "l1" && request.formulation.set != "nonnegative")
    throw InputError(options.alpha ? "alpha" : "-s", "given",
                     fmt::format("a radius for the set {}", request.formulation.set));
  if (has_penalty && !options.start.empty())
    throw InputError("start", fmt::format("'{}'", options.start), "with a radius, not with a penalty");
  if (has_penalty) options.checkpoints.refuse_for("a penalty; give its radius");
  require_format(options.model_format(), request.formulation, labels);
  check_files(options, model);
}

// Of all rows, class weights included.
double total_weight(const Prepared& prepared, const Dataset& data, const Formulation& f) {
  double total = 0;
  for (std::size_t i = 0; i < data.target.size(); ++i) {
    const double by_row = f.sample_weight.empty() ? 1 : f.sample_weight[i];
    const bool is_positive = prepared.labels && data.target[i] == (*prepared.labels)[1];
    total += by_row * (is_positive ? f.class_weight.positive : f.class_weight.negative);
  }
  return sum_over(prepared.problem.team, total);
}

// As far as the options tell: of a loss of two classes, the data may turn out to have more.
Way way_of(const TrainOptions& options, const Formulation& formulation) {
  if (is_low_rank(formulation)) return Way::matrix;
  if (is_joint(formulation)) return Way::joint;
  return options.liblinear.folds() ? Way::folds : Way::one_model;
}

int train_together(const TrainOptions& options, const Request& request, const std::string& path, const TeamPtr& team) {
  try {
    if (is_low_rank(request.formulation)) return train_low_rank(options, request, path, team);
    together(team, [&] { check_early(options, request, path); });
    return train_team(options, request, path, team);
  } catch (const TeamLost& lost) {
    Processes::here().lose();
    throw TeamLost(fmt::format("{}; no model was written", lost.what()));
  }
}

int train(const TrainOptions& options) {
  Request request = options.flags.request();
  options.liblinear.apply(request);
  if (options.liblinear.has_threads() && options.flags.given("threads"))
    throw InputError("-n", "with --threads", "one of the two");
  const Way way = way_of(options, request.formulation);
  options.require_obeyed(request, way, Processes::here().count() > 1);
  const std::string path = options.model.empty() ? default_model(options.data.path()) : options.model;
  if (const TeamPtr team = Processes::here().join(options.patience))
    return train_together(options, request, path, team);
  if (way == Way::matrix) return train_low_rank(options, request, path);
  if (way == Way::joint) return train_joint(options, request, path);
  const ReadOptions read_options = options.data.read_options(request.settings.threads);
  check_early(options, request, path);
  const std::optional<Model> old = options.start.empty() ? std::nullopt : std::optional(load_model(options.start));

  const Stopwatch load;
  options.atoms.read(request.settings.threads, request.formulation);
  options.weights.read(request.formulation);
  options.features.read(request.formulation);
  const Dataset data = options.memory.read(options.data.path(), read_options);
  if (!data.A->is_streamed()) static_cast<void>(data.A->by_column());
  const double load_seconds = load.seconds();
  if (target_kind(request.formulation) == TargetKind::labels) {
    const TeamRows rows = all_rows(data);
    if (are_several_classes(rows.values.size(), rows.samples))
      return train_one_vs_rest(options, request, path, rows, load_seconds, old);
  }
  if (options.liblinear.has_class_weights())
    request.formulation.class_weight = options.liblinear.class_weight(encode_labels(data.target).original);
  print_remark(options.liblinear.remarks());
  if (way == Way::folds) return validate_as_liblinear(options, request, data);
  Prepared prepared = prepare(data, options.data.name(), request.formulation);
  require_format(options.model_format(), request.formulation, prepared.labels);
  CheckpointedRun run;
  if (options.checkpoints.is_given())
    run.begin(options.checkpoints, fingerprint(*data.A, data.target, request.settings.threads),
              inputs_of(request.formulation, request.settings.threads));
  Start start = run.point();
  if (old) start = start_from(*old, options.start_name(), prepared);
  const bool is_silent = options.is_silent();
  const double pass_pair_seconds = is_silent || data.A->is_streamed() ? 0 : measure_pass_pair(*data.A);

  // Until the model is written: a Ctrl-C in between must not cost it.
  const InterruptGuard interrupt;
  const bool shows_progress = options.shows_progress();
  const std::optional<double> alpha = alpha_of(options, prepared, data, request.formulation);
  std::optional<Penalised> penalised;
  if (alpha) {
    penalised = solve_penalised_watched(prepared.problem, *alpha, request.settings, interrupt, shows_progress);
    request.formulation.radius = penalised->radius;
    prepared.problem.set = prepared.problem.set->with_radius(penalised->radius);
  }
  const Result result =
      penalised ? std::move(penalised->result)
                : solve_watched(prepared.problem, run.watched(request.settings), interrupt, shows_progress, start);
  run.keep_end({result.x, result.y, result.multiplier}, result);
  Model model = make_model(prepared, request.formulation, result, !options.leaves_out_proof);
  if (options.wants_probabilities)
    model.sigmoids =
        calibrate(data.A, signs_from(data.target, model.classes[1]), request.formulation, request.settings, interrupt);
  OutputFile model_file(path);
  write_model_to(model_file, model, options.model_format());
  commit_with_trace(options, result, model_file);
  if (!is_silent) {
    const Scores scores = predict_scores(*data.A, model, request.settings.threads);
    const TrainReport report{
        .data = options.data.name(),
        .model = path,
        .problem = prepared.problem,
        .result = result,
        .formulation = request.formulation,
        .fit = measure_fit(scores.all(), data.target, model.classes),
        .nonzeros = data.A->nonzeros(),
        .load_seconds = load_seconds,
        .pass_pair_seconds = pass_pair_seconds,
        .values = options.data.values(),
        .start = options.start_text(!start.y.empty()),
        .resumed = run.resumed(),
        .penalty = penalised ? std::optional(Penalty{*alpha, penalised->certificate}) : std::nullopt};
    tell_after_writing(fmt::format("the model '{}'", path), [&] { tell(options, report); });
  }
  const bool is_calibrated = !options.wants_probabilities || !model.sigmoids.empty();
  return result.status == Status::converged && is_calibrated ? kSuccess : kStopped;
}

}  // namespace

std::optional<double> alpha_of(const TrainOptions& options, const Prepared& prepared, const Dataset& data,
                               const Formulation& formulation) {
  if (!options.liblinear.has_penalty()) return options.alpha;
  return options.liblinear.alpha(total_weight(prepared, data, formulation));
}

void tell(const TrainOptions& options, const TrainReport& report) {
  if (options.is_json)
    print_json(to_json(report));
  else if (report.model == "-")
    print_remark(summary(report));
  else
    print(summary(report));
}

void TrainOptions::require_obeyed(const Request& request, Way way, bool has_team) const {
  cli::require_obeyed(*parser, request, way, has_team);
  if (way != Way::joint) flags.require_a_say(request);  // whose losses and solver are others
}

std::string TrainOptions::start_text(bool has_proof) const {
  if (start.empty()) return {};
  return start_name() + (has_proof ? ": weights and proof" : ": weights");
}

void TrainOptions::require_native_format(std::string_view whom) const {
  if (model_format() == ModelFormat::pdbfw) return;
  if (format.empty()) throw InputError("MODEL", fmt::format("'{}'", model), fmt::format("not *.pdbm for {}", whom));
  throw InputError("format", fmt::format("'{}'", format), fmt::format("pdbfw for {}", whom));
}

void check_files(const TrainOptions& options, const std::string& model) {
  if (options.data.path() == "-" && options.start == "-")
    throw InputError("start", "'-'", "a file when the data come from standard input");
  if (!options.start.empty() && !options.checkpoints.resumed().empty())
    throw InputError("resume", "with --start", "one of the two");
  require_writable("MODEL", model);
  if (model != "-") {
    require_other_file("MODEL", model, options.data);
    require_other_file("MODEL", model, {options.atoms.path(), options.weights.path(), options.features.path()});
  }
  if (!options.trace.empty()) {
    require_writable("trace", options.trace);
    require_other_file("trace", options.trace, options.data);
    require_other_file(
        "trace", options.trace,
        {options.atoms.path(), options.weights.path(), options.features.path(), options.start, model, "-"});
  }
  if (const std::string& checkpoint = options.checkpoints.path(); !checkpoint.empty()) {
    if (checkpoint == "-") throw InputError("checkpoint", "'-'", "a file");
    require_writable("checkpoint", checkpoint);
    require_other_file("checkpoint", checkpoint, options.data);
    require_other_file(
        "checkpoint", checkpoint,
        {options.atoms.path(), options.weights.path(), options.features.path(), options.start, model, options.trace});
  }
  if (model == "-" && options.is_json) throw InputError("MODEL", "'-'", "a file, because --json uses standard output");
}

void commit_with_trace(const TrainOptions& options, const Outcome& outcome, OutputFile& model) {
  if (options.trace.empty()) {
    model.commit();
    return;
  }
  OutputFile trace(options.trace);
  trace.write(trace_csv(outcome));
  trace.finish();
  model.finish();
  trace.commit();
  model.commit();
}

Command add_train(CLI::App& tool) {
  CLI::App* parser =
      tool.add_subcommand("train", "Learn a linear model, sparse or of low rank, and prove how good it is");
  const auto options = std::make_shared<TrainOptions>();
  options->parser = parser;
  options->data.add(*parser);
  parser
      ->add_option("MODEL", options->model,
                   "Where the model goes; - is standard output.\n(default: the data's file name without .gz, .bz2, .xz "
                   "or .zst,\nplus .model, in this folder)")
      ->type_name("");
  options->flags.add_all(*parser);
  options->atoms.add(*parser);
  options->weights.add(*parser);
  options->features.add(*parser);
  options->liblinear.add(*parser);
  options->memory.add(*parser);
  options->checkpoints.add(*parser);
  parser->get_option("DATA")->required(false);  // a checkpoint knows it
  parser
      ->add_option_function<std::string>(
          "--alpha",
          [options](const std::string& text) {
            options->alpha = parse_number("alpha", text, "a finite number > 0");
            if (!(*options->alpha > 0)) throw InputError("alpha", fmt::format("'{}'", text), "a finite number > 0");
          },
          "Instead of --radius: the weight of the sum of the absolute weights, added to what is\n"
          "minimised. The radius that says the same is found, told and kept in the model")
      ->type_name("NUMBER")
      ->group(std::string(heading(FieldGroup::model)));
  parser
      ->add_option("--start", options->start,
                   "Begin at this model, learnt from similar data or for another radius or ridge:\nthe same answer, "
                   "sooner. Features that it does not know begin at zero; - is standard input")
      ->type_name("OLD_MODEL");
  parser
      ->add_option(
          "--targets", options->targets,
          "Set trace: whether a row has any number of labels (3,17,40), one class, or several numbers (a .npy\nfile "
          "of --labels); auto: as the loss says, else classes unless some row has several labels.\n"
          "(auto | labels | classes | numbers; default auto)")
      ->type_name("NAME");
  parser->add_flag("--probabilities", options->wants_probabilities,
                   "Losses smooth_hinge and squared_hinge: fit a sigmoid to scores out of five folds, so that\n"
                   "predict --probabilities can tell them (logistic and softmax have them anyway)");
  parser
      ->add_option("--format", options->format,
                   "Of the model file; mapped: binary, for many processes of pdbfw predict at once.\n"
                   "(pdbfw | liblinear | mapped; default mapped if the name ends in .pdbm, else pdbfw)")
      ->type_name("NAME");
  parser->add_flag("--no-proof", options->leaves_out_proof, "Leave the dual point out of the model: a smaller file");
  parser
      ->add_option_function<std::string>(
          "--patience",
          [options](const std::string& text) {
            options->patience = parse_number("patience", text, "a finite number > 0");
            if (!(options->patience > 0))
              throw InputError("patience", fmt::format("'{}'", text), "a finite number > 0");
          },
          "Of several processes (mpirun): seconds without a word from the others after which one\n"
          "gives up. (default 300)")
      ->type_name("SECONDS");
  parser->add_option("--trace", options->trace, "Write the course of the solve as CSV")->type_name("FILE");
  options->add_json(*parser);
  options->add_quiet(*parser);
  parser->footer(
      "Exit code: 0 converged, 2 stopped before the tolerance (the model is written all the same), 1 error:\n"
      "nothing is written, unless the error is that the summary cannot be printed after the model was written.\n"
      "Ctrl-C stops cleanly with the best model so far.\n\n"
      "Example:\n"
      "  pdbfw train news20.binary.xz news20.model --radius 300 --ridge 10/n --tol 1e-6\n"
      "  pdbfw train news20.binary.xz smaller.model --radius 200 --ridge 10/n --tol 1e-6 --start news20.model\n"
      "  pdbfw train news20.binary.xz news20.model --radius 300 --checkpoint news20.checkpoint\n"
      "  pdbfw train --resume news20.checkpoint               # after a crash, on any number of threads\n"
      "  pdbfw train digits.csv digits.model --loss softmax --set l1_per_class --intercept yes\n"
      "  pdbfw train topics.txt topics.model --set trace --radius 100\n"
      "  pdbfw train -s 6 -c 0.5 -v 5 news20.binary.xz        # as with LIBLINEAR\n"
      "  mpirun -n 4 pdbfw train news20.binary.xz news20.model   # rows divided among four processes\n"
      "  mpirun -n 4 pdbfw train 'part-{rank}.txt' all.model     # each has a file of its own\n\n"
      "Data of more than two classes: softmax and multiclass_hinge learn them jointly, the losses of two classes\n"
      "learn each against the rest.");
  return {parser, [options] {
            options->checkpoints.take_over();
            if (options->data.path().empty()) throw InputError("DATA is required; see pdbfw train --help");
            return train(*options);
          }};
}

}  // namespace pdbfw::cli
