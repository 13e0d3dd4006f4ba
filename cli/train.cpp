// pdbfw train DATA [MODEL]
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "apps/fit_rules.hpp"
#include "base/clock.hpp"
#include "base/team.hpp"
#include "cli/checkpointing.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/liblinear_flags.hpp"
#include "cli/options.hpp"
#include "cli/output_files.hpp"
#include "cli/processes.hpp"
#include "cli/report.hpp"
#include "cli/watching.hpp"
#include "cli/ways.hpp"
#include "io/models/model_file.hpp"
#include "pdbfw/fit.hpp"
#include "pdbfw/model.hpp"

namespace pdbfw::cli {
namespace {

struct TrainOptions : ProblemOptions {
  LiblinearFlags liblinear;
  CheckpointFlags checkpoints;
  std::optional<double> alpha{};  // a penalty instead of a radius
  std::string model;
  double patience = 300;  // of processes that wait for each other, in seconds
  std::string start;
  std::string trace;
  std::string format;  // empty: by the name of the model
  std::string targets = "auto";
  bool wants_probabilities = false;
  bool leaves_out_proof = false;

  void add(CLI::App& app);

  [[nodiscard]] std::string start_name() const { return start == "-" ? "standard input" : start; }  // for messages
  [[nodiscard]] ModelFormat model_format() const {
    if (format.empty()) return format_by_name(model);
    return static_cast<ModelFormat>(chosen("format", format, {"pdbfw", "liblinear", "mapped"}));  // as in ModelFormat
  }
};

void add_learning(CLI::App& parser, TrainOptions& options) {
  const Flags add(parser);
  Flags(parser, heading(Field::Group::model))
      .read(
          "--alpha", "NUMBER", [&options](const std::string& text) { options.alpha = parse_positive("alpha", text); },
          "Instead of --radius: the weight of the sum of the absolute weights, added to what is\n"
          "minimised. The radius that says the same is found, told and kept in the model");
  add.text("--start", "OLD_MODEL", options.start,
           "Begin at this model, learnt from similar data or for another radius or ridge:\nthe same answer, "
           "sooner. Features that it does not know begin at zero; - is standard input");
  add.text("--targets", "NAME", options.targets,
           "Set trace: whether a row has any number of labels (3,17,40), one class, or several numbers (a .npy\nfile "
           "of --labels); auto: as the loss says, else classes unless some row has several labels.\n"
           "(auto | labels | classes | numbers; default auto)");
  add.flag("--probabilities", options.wants_probabilities,
           "Losses smooth_hinge and squared_hinge: fit a sigmoid to scores out of five folds, so that\n"
           "predict --probabilities can tell them (logistic and softmax have them anyway)");
}

void add_writing(CLI::App& parser, TrainOptions& options) {
  const Flags add(parser);
  add.text("--format", "NAME", options.format,
           "Of the model file; mapped: binary, for many processes of pdbfw predict at once.\n"
           "(pdbfw | liblinear | mapped; default mapped if the name ends in .pdbm, else pdbfw)");
  add.flag("--no-proof", options.leaves_out_proof, "Leave the dual point out of the model: a smaller file");
  add.read(
      "--patience", "SECONDS",
      [&options](const std::string& text) { options.patience = parse_positive("patience", text); },
      "Of several processes (mpirun): seconds without a word from the others after which one\n"
      "gives up. (default 300)");
  add.text("--trace", "FILE", options.trace, "Write the course of the solve as CSV");
}

void TrainOptions::add(CLI::App& app) {
  parser = &app;
  data.add(app);
  Flags(app).optional_argument(
      "MODEL", model,
      "Where the model goes; - is standard output.\n(default: the data's file name without .gz, .bz2, .xz "
      "or .zst,\nplus .model, in this folder)");
  flags.add_all(app);
  files.add(app, true);
  liblinear.add(app);
  memory.add(app);
  checkpoints.add(app);
  app.get_option("DATA")->required(false);  // a checkpoint knows it
  add_learning(app, *this);
  add_writing(app, *this);
  add_report(app);
}

// As LIBLINEAR does it: the data's own name, in the current folder.
std::string default_model(const std::string& data) {
  if (data == "-") return "pdbfw.model";
  std::filesystem::path name = std::filesystem::path(data).filename();
  for (const char* suffix : {".gz", ".bz2", ".xz", ".zst", ".zstd"})
    if (name.extension() == suffix && name.has_stem()) return name.stem().string() + ".model";
  return name.string() + ".model";
}

void require_obeyed(const TrainOptions& options, const Request& request, Way way) {
  require_obeyed(*options.parser, request, way, Processes::here().count() > 1);
  if (way != Way::joint) options.flags.require_a_say(request);  // whose losses and solver are others
}

// Throws InputError when the format cannot hold a model of this kind, with these classes.
void require_format(const TrainOptions& options, const Formulation& formulation, ModelKind kind,
                    const std::vector<double>& classes) {
  const ModelFormat format = options.model_format();
  if (format == ModelFormat::pdbfw) return;
  if (options.wants_probabilities && format == ModelFormat::liblinear)
    throw InputError("probabilities", "format liblinear", "the format pdbfw or mapped");
  if (kind != ModelKind::vector) {
    const std::string_view whom = kind == ModelKind::matrix ? "the set trace" : "several classes";
    if (options.format.empty())
      throw InputError("MODEL", fmt::format("'{}'", options.model), fmt::format("not *.pdbm for {}", whom));
    throw InputError("format", fmt::format("'{}'", options.format), fmt::format("pdbfw for {}", whom));
  }
  Model empty;
  empty.formulation = formulation;
  empty.formulation.ridge.per_sample = false;
  empty.formulation.free_features.clear();
  empty.weights.resize(1);
  empty.classes = classes;
  check_model(empty, format);
}

// Throws InputError unless the outputs can be written and are no input, and standard input and output are used once.
void check_files(const TrainOptions& options, const std::string& model) {
  const std::vector<std::string> inputs = options.files.paths();
  const auto check_output = [&](std::string_view option, const std::string& path, std::vector<std::string> others) {
    others.insert(others.begin(), inputs.begin(), inputs.end());
    require_output(option, path, options.data, others);
  };
  if (options.data.path() == "-" && options.start == "-")
    throw InputError("start", "'-'", "a file when the data come from standard input");
  if (!options.start.empty() && !options.checkpoints.resumed().empty())
    throw InputError("resume", "with --start", "one of the two");
  if (model != "-") check_output("MODEL", model, {});
  if (!options.trace.empty()) check_output("trace", options.trace, {options.start, model, "-"});
  if (const std::string& checkpoint = options.checkpoints.path(); !checkpoint.empty()) {
    if (checkpoint == "-") throw InputError("checkpoint", "'-'", "a file");
    check_output("checkpoint", checkpoint, {options.start, model, options.trace});
  }
  if (model == "-" && options.is_json) throw InputError("MODEL", "'-'", "a file, because --json uses standard output");
}

// How the targets are to be read. Throws InputError where the option and the loss disagree.
Targets wanted_targets(const TrainOptions& options, const Formulation& formulation) {
  constexpr std::array<std::string_view, 4> kNames{"auto", "labels", "classes", "numbers"};  // as in Targets
  const auto asked = static_cast<Targets>(chosen("targets", options.targets, {kNames.begin(), kNames.end()}));
  const std::string& loss = formulation.loss;
  Targets wanted = Targets::automatic;
  if (loss == "softmax" || loss == "multiclass_hinge" || kind_of(formulation) == ModelKind::joint)
    wanted = Targets::one_per_row;
  if (loss.starts_with("multilabel")) wanted = Targets::labels;
  if (asked != Targets::automatic && wanted != Targets::automatic && asked != wanted)
    throw InputError("targets", fmt::format("'{}'", options.targets),
                     fmt::format("{} for the loss {}", kNames[static_cast<std::size_t>(wanted)], loss));
  if (kind_of(formulation) == ModelKind::vector) return Targets::one_per_row;
  return asked == Targets::automatic ? wanted : asked;
}

void check_penalty(const TrainOptions& options, const Formulation& formulation) {
  const bool is_liblinear = options.liblinear.has_penalty();
  for (const char* flag : {"loss", "radius", "ridge", "intercept", "class_weight"})
    if (is_liblinear && options.flags.given(flag)) throw InputError(flag, "with LIBLINEAR's options", "one of the two");
  if (is_liblinear && options.alpha) throw InputError("alpha", "with LIBLINEAR's options", "one of the two");
  if (is_liblinear && formulation.set != "l1" && formulation.set != "nonnegative")
    throw InputError("-s", "given", fmt::format("a radius for the set {}", formulation.set));
  if (options.alpha && options.flags.given("radius")) throw InputError("alpha", "with --radius", "one of the two");
  if ((is_liblinear || options.alpha) && !options.start.empty())
    throw InputError("start", fmt::format("'{}'", options.start), "with a radius, not with a penalty");
}

// What a run is asked for, once all that can be judged without the data has been.
struct Plan {
  Request request{};
  ReadOptions reading{};
  Targets targets{};
  FitOptions how{};
  std::optional<Model> old{};  // the start
  std::string path{};          // where the model goes
};

// The options given, with those of LIBLINEAR in our words.
Request asked_of(const TrainOptions& options) {
  Request request = options.flags.request();
  Formulation& formulation = request.formulation;
  options.liblinear.apply(request);
  if (options.liblinear.has_threads() && options.flags.given("threads"))
    throw InputError("-n", "with --threads", "one of the two");
  // As far as the options tell: of a loss of two classes, the data may turn out to have more.
  const ModelKind kind = kind_of(formulation);
  const bool is_in_folds = kind == ModelKind::vector && options.liblinear.folds();
  require_obeyed(options, request, is_in_folds ? Way::folds : way_of(kind));
  // Where none is given, the kind of model or the data choose.
  if (!options.flags.given("loss") && kind != ModelKind::vector)
    formulation.loss = kind == ModelKind::joint ? "softmax" : "";
  return request;
}

// Everything that can be wrong without looking at the data, before an hour is spent on them.
void prepare(const TrainOptions& options, Plan& plan) {
  auto& [formulation, settings] = plan.request;
  plan.how = {.settings = settings,
              .alpha = options.alpha,
              .cost = options.liblinear.cost(),
              .wants_probabilities = options.wants_probabilities,
              .keeps_proof = !options.leaves_out_proof,
              .measures_fit = !options.is_silent(),
              .measures_speed = !options.is_silent() && Processes::here().speaks(),
              .start_name = options.start_name(),
              .checkpoints = options.checkpoints.plan()};
  plan.reading = options.data.read_options(settings.threads);
  plan.targets = wanted_targets(options, formulation);
  options.files.read(settings.threads, formulation);
  check_penalty(options, formulation);
  const ModelKind kind = kind_of(formulation);
  if (kind == ModelKind::joint) options.flags.require_loss_to_read(formulation);
  const bool has_labels = kind == ModelKind::vector && target_kind(formulation) == TargetKind::labels;
  require_format(options, formulation, kind, has_labels ? std::vector{-1.0, 1.0} : std::vector<double>{});
  check_files(options, plan.path);
  check_fit(formulation, plan.how);
  if (!options.start.empty()) plan.how.start = &plan.old.emplace(load_model(options.start));
  options.memory.apply(options.data.path(), plan.reading);
}

// The model, and the trace if it is wanted: both or neither. Then the summary.
void hand_over(const TrainOptions& options, const Plan& plan, const Samples& samples, const Fitted& fitted,
               double load_seconds) {
  OutputFiles files;
  if (!options.trace.empty()) files.add(options.trace, trace_csv(fitted.outcomes.front()));
  files.add(plan.path, fitted.model, options.model_format());
  files.commit();
  if (options.is_silent()) return;
  const std::string_view taken = fitted.has_started_with_proof ? ": weights and proof" : ": weights";
  const TrainReport report{samples,
                           fitted,
                           options.data.name(),
                           plan.path,
                           load_seconds,
                           options.data.values(),
                           plan.old ? fmt::format("{}{}", options.start_name(), taken) : "",
                           options.checkpoints.of_before()};
  tell_after_writing(fmt::format("the model '{}'", plan.path), [&] {
    options.tell([&] { return to_json(report); }, [&] { return summary(report); }, plan.path == "-");
  });
}

// -v: how well the model does on rows that were held out; no model is written.
int validate_as_liblinear(const TrainOptions& options, const Plan& plan, const Samples& samples) {
  const InterruptGuard interrupt;
  const Index folds = *options.liblinear.folds();
  const HeldOutFit found = watched(options.shows_progress(), interrupt, [&](const Callback& look) {
    return fit_held_out(samples, plan.request.formulation, plan.how, folds, look);
  });
  if (!found.is_complete) throw Interrupted();
  if (options.is_json)
    print_json({{"folds", folds},
                {"accuracy", found.accuracy},
                {"correct", found.correct},
                {"largest_relative_gap", found.largest_relative_gap}});
  else
    print(fmt::format("Cross Validation Accuracy = {:.6g}%\n", 100 * found.accuracy));
  return found.largest_relative_gap <= plan.how.settings.tol ? kSuccess : kStopped;
}

// With several processes the first one tells and writes for all.
int train(const TrainOptions& options) {
  Plan plan{.request = asked_of(options),
            .path = options.model.empty() ? default_model(options.data.path()) : options.model};
  Formulation& formulation = plan.request.formulation;
  const TeamPtr& team = Processes::here().join(options.patience);
  const bool speaks = Processes::here().speaks();
  const Stopwatch load;
  together(team, [&] { prepare(options, plan); });
  const Samples samples = read_samples(options.data.path(), plan.reading, plan.targets, team);
  const bool is_vector = kind_of(formulation) == ModelKind::vector;
  if (!team && is_vector && !samples.A->is_streamed()) static_cast<void>(samples.A->by_column());
  const double load_seconds = load.seconds();

  // What only the data tell: several classes in place of two, the loss of a matrix, the weights of classes.
  if (formulation.loss.empty()) formulation.loss = default_loss(samples, formulation);
  const ModelKind kind = kind_of(samples, formulation);
  const bool has_labels = kind == ModelKind::vector && target_kind(formulation) == TargetKind::labels;
  std::vector<double> classes = has_labels ? different_targets(samples, 3) : std::vector<double>{};
  if (classes.size() != 2) classes.clear();
  together(team, [&] {
    if (kind == ModelKind::one_vs_rest) require_obeyed(options, plan.request, Way::one_vs_rest);
    options.flags.require_loss_to_read(formulation);
    require_format(options, formulation, kind, classes);
    if (!classes.empty() && options.liblinear.has_class_weights())
      formulation.class_weight = options.liblinear.class_weight({classes[0], classes[1]});
  });
  if (speaks) print_remark(options.liblinear.remarks());
  if (options.liblinear.folds()) return validate_as_liblinear(options, plan, samples);

  // Until the model is written: a Ctrl-C in between must not cost it.
  const InterruptGuard interrupt;
  const Fitted fitted = watched(
      speaks && options.shows_progress(), interrupt,
      [&](const Callback& look) { return fit(samples, formulation, plan.how, look); },
      is_low_rank(formulation) ? "rank" : "non-zeros");
  if (speaks) hand_over(options, plan, samples, fitted, load_seconds);
  return fitted.has_converged ? kSuccess : kStopped;
}

}  // namespace

Command add_train(CLI::App& tool) {
  CLI::App* parser =
      tool.add_subcommand("train", "Learn a linear model, sparse or of low rank, and prove how good it is");
  const auto options = std::make_shared<TrainOptions>();
  options->add(*parser);
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
            try {
              return train(*options);
            } catch (const TeamLost& lost) {
              Processes::here().lose();
              throw TeamLost(fmt::format("{}; no model was written", lost.what()));
            }
          }};
}

}  // namespace pdbfw::cli
