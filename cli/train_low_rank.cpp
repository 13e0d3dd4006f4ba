// pdbfw train DATA [MODEL] --set trace
#include <optional>
#include <span>
#include <utility>

#include "apps/validate_numbers.hpp"
#include "base/clock.hpp"
#include "cli/commands.hpp"
#include "cli/load_model.hpp"
#include "cli/low_rank_report.hpp"
#include "cli/low_rank_training.hpp"
#include "cli/processes.hpp"
#include "cli/report.hpp"
#include "cli/train_options.hpp"
#include "io/models/model_file.hpp"

namespace pdbfw::cli {
namespace {

// Everything that can be wrong without looking at the data; says how the targets are to be read.
Targets check_early(const TrainOptions& options, const Request& request, const std::string& model) {
  validate_numbers(request.settings);
  options.require_native_format("the set trace");
  check_files(options, model);
  const auto asked =
      static_cast<Targets>(chosen("targets", options.targets, {kTargetNames.begin(), kTargetNames.end()}));
  const Targets wanted = options.flags.given("loss") ? targets_of(request.formulation.loss) : Targets::automatic;
  if (asked != Targets::automatic && wanted != Targets::automatic && asked != wanted)
    throw InputError(
        "targets", fmt::format("'{}'", options.targets),
        fmt::format("{} for the loss {}", kTargetNames[static_cast<std::size_t>(wanted)], request.formulation.loss));
  return asked == Targets::automatic ? wanted : asked;
}

void tell_result(const TrainOptions& options, const LowRankReport& report) {
  if (options.is_json)
    print_json(to_json(report));
  else if (report.model == "-")
    print_remark(summary(report));
  else
    print(summary(report));
}

}  // namespace

// Several processes each read the whole file and work on their share of the rows.
int train_low_rank(const TrainOptions& options, const Request& request, const std::string& path, const TeamPtr& team) {
  Formulation formulation = request.formulation;
  std::optional<Model> old;
  LabelledData data, own;
  Index first = 0;  // number of the first row here
  const Stopwatch load;
  together(team, [&] {
    const Targets targets = check_early(options, request, path);
    if (team && options.data.path() == "-") throw InputError("DATA", "'-'", "a file, as several processes read it");
    if (!options.start.empty()) old = load_model(options.start);
    data = read_labelled(options.data, options.data.read_options(request.settings.threads), targets);
    if (!options.flags.given("loss")) {
      formulation.loss = default_loss(data);
      options.flags.require_loss_to_read(formulation);
    }
    const Index n = data.A->rows();
    if (team && n < team->size())
      throw InputError(options.data.name(), fmt::format("{} rows", n),
                       fmt::format("at least one for each of {} processes", team->size()));
    if (team) first = n * team->rank() / team->size();
    own = team ? rows_of(data, first, n * (team->rank() + 1) / team->size()) : data;
  });
  const double load_seconds = load.seconds();
  const low_rank::Problem problem = prepare(own, options.data.name(), formulation, outputs_of(data), team);
  CheckpointedRun run(team);
  if (options.checkpoints.is_given()) {
    const std::span<const double> targets(problem.B.data(), static_cast<std::size_t>(problem.B.size()));
    const DataFingerprint print = fingerprint(*own.A, targets, request.settings.threads, {first, team});
    together(team, [&] { run.begin(options.checkpoints, print, inputs_of(formulation, request.settings.threads)); });
  }
  low_rank::Start start;
  together(team, [&] {
    start = of_rows(old ? start_from(*old, options.start_name(), data, problem) : run.matrix(), first, own.A->rows());
  });

  // Until the model is written: a Ctrl-C in between must not cost it.
  const InterruptGuard interrupt;
  const bool speaks = Processes::here().speaks();
  const bool is_silent = options.is_silent();
  const bool shows_progress = speaks && options.shows_progress();
  low_rank::Result result = solve_watched(problem, run.watched(request.settings), interrupt, shows_progress, start);
  require_team(result);
  // As long as all rows: collected only where somebody wants it.
  if (!options.leaves_out_proof || options.checkpoints.is_given())
    result.Y = gathered(low_rank::Start{.Y = std::move(result.Y)}, team).Y;
  if (!speaks) return result.status == Status::converged ? kSuccess : kStopped;
  run.keep_end({result.X, result.Y}, result);
  OutputFile model_file(path);
  write_model_to(model_file, make_model(data, problem, formulation, result, !options.leaves_out_proof));
  commit_with_trace(options, result, model_file);
  if (!is_silent) {
    Matrix scores;
    rows_map(data.A, outputs_of(data))->apply(result.X, scores, request.settings.threads);
    const LowRankReport report{options.data.name(),
                               path,
                               problem,
                               data,
                               result,
                               formulation,
                               measure_fit(scores, data),
                               load_seconds,
                               options.data.values(),
                               options.start_text(start.Y.size() > 0),
                               run.resumed()};
    tell_after_writing(fmt::format("the model '{}'", path), [&] { tell_result(options, report); });
  }
  return result.status == Status::converged ? kSuccess : kStopped;
}

}  // namespace pdbfw::cli
