// pdbfw demo: data that the program makes itself, a model, and its proof.
#include <algorithm>

#include "base/clock.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/report.hpp"
#include "cli/watching.hpp"
#include "cli/weight_list.hpp"
#include "linalg/chosen_rows.hpp"

namespace pdbfw::cli {
namespace {

Samples part(const Dataset& data, Index first, Index last) {
  return {.A = row_range(*data.A, first, last), .target = {data.target.begin() + first, data.target.begin() + last}};
}

std::string strongest_table(const Model& model, const std::vector<double>& planted) {
  constexpr std::size_t kShown = 10;
  std::string table = "  feature     learnt    planted\n";
  for (const auto& [feature, output, value] : strongest(model, kShown))
    table +=
        fmt::format("  {:>7} {:>10.3f} {:>10.3f}\n", feature + 1, value, planted[static_cast<std::size_t>(feature)]);
  return table;
}

std::string found_text(const Model& model, const std::vector<double>& planted) {
  const auto was_planted = [&](Index feature) { return planted[static_cast<std::size_t>(feature)] != 0; };
  const auto found = std::count_if(model.weights.front().at.begin(), model.weights.front().at.end(), was_planted);
  const auto all = std::count_if(planted.begin(), planted.end(), [](double weight) { return weight != 0; });
  return fmt::format("{} of the {} planted features are among them", found, all);
}

std::string proof_text(const Certificate& certificate) {
  return fmt::format("no point of the set is better than {:.10g}; this one is within {:.1e} of that", certificate.dual,
                     certificate.relative_gap);
}

constexpr std::string_view kIntroduction =
    "pdbfw learns sparse linear models and proves how good they are:\n"
    "\n"
    "    minimise  (1/n) sum_i loss(b_i, a_i'x) + (ridge/2) |x|^2   over  |x|_1 <= radius\n"
    "\n";

constexpr std::string_view kNext =
    "\nNext:\n"
    "  pdbfw generate sample.txt          data to play with, in LIBSVM's format\n"
    "  pdbfw train sample.txt             a model from it, with a certificate\n"
    "  pdbfw predict sample.txt sample.txt.model predictions.txt\n"
    "  pdbfw weights sample.txt.model --top 10\n"
    "  pdbfw train --help                 everything that can be chosen; nothing has to be\n";

constexpr Index kTrainRows = 5000;
constexpr Index kTestRows = 1000;
constexpr double kTol = 1e-6;

void show(const TrainReport& report, const Samples& test, const std::vector<double>& planted) {
  const Fitted& fitted = report.fitted;
  const Model& model = fitted.model;
  const Outcome& outcome = fitted.outcomes.front();
  const FitMeasures unseen = measure_fit(test, model, predict_scores(*test.A, model).table());
  print(kIntroduction);
  print(aligned({{"data", fmt::format("made on the spot: {} rows for training, {} held out, {} features", kTrainRows,
                                      kTestRows, model.features())},
                 {"problem", problem_text(fitted.formulation, fitted.ridge)},
                 {"status", status_text(outcome)},
                 {"certificate", certificate_text(outcome.certificate)},
                 {"", proof_text(outcome.certificate)},
                 {"non-zeros", solution_text(fitted)},
                 {"", found_text(model, planted)},
                 {"accuracy", fmt::format("{} on the training rows", to_text(fitted.measures))},
                 {"", fmt::format("{} on rows never seen", to_text(unseen))},
                 {"seconds", seconds_text(report)}}));
  print("\nThe strongest features, and what was planted:\n" + strongest_table(model, planted));
  print(kNext);
}

int demo() {
  const Stopwatch load;
  const SyntheticDataset made = generate({.rows = kTrainRows + kTestRows});
  const Samples train = part(made.data, 0, kTrainRows);
  const Samples test = part(made.data, kTrainRows, kTrainRows + kTestRows);
  static_cast<void>(train.A->by_column());
  const double load_seconds = load.seconds();

  const InterruptGuard interrupt;
  const FitOptions how{.settings = {.tol = kTol}, .keeps_proof = false, .measures_speed = true};
  const Fitted fitted = watched(true, interrupt, [&](const Callback& look) { return fit(train, {}, how, look); });
  show({train, fitted, "", "", load_seconds}, test, made.planted);
  return fitted.has_converged ? kSuccess : kStopped;
}

}  // namespace

Command add_demo(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("demo", "Train on data made on the spot and show the result");
  parser->footer(
      "Writes nothing to disk.\n\n"
      "Example:\n"
      "  pdbfw demo");
  return {parser, demo};
}

}  // namespace pdbfw::cli
