// pdbfw weights MODEL; and pdbfw demo, which shows them: data that the program makes itself, a model, and its proof.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "apps/fit_rules.hpp"
#include "base/clock.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/report.hpp"
#include "cli/watching.hpp"
#include "linalg/chosen_rows.hpp"

namespace pdbfw::cli {
namespace {

struct Weight {
  Index feature, output;  // 0-based
  double value;
};

bool is_stronger(const Weight& a, const Weight& b) {
  const double size_a = std::abs(a.value), size_b = std::abs(b.value);
  if (size_a != size_b) return size_a > size_b;
  return a.feature != b.feature ? a.feature < b.feature : a.output < b.output;
}

std::vector<Weight> nonzeros(const std::vector<SparseVector>& columns) {
  std::vector<Weight> all;
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (std::size_t e = 0; e < columns[k].at.size(); ++e)
      all.push_back({columns[k].at[e], static_cast<Index>(k), columns[k].value[e]});
  return all;
}

// The strongest entries in no order, found row by row in memory for twice as many.
std::vector<Weight> strongest_entries(const Factors& X, std::size_t top) {
  constexpr std::size_t kMost = 10'000'000;
  const auto all = static_cast<std::size_t>(X.rows()) * static_cast<std::size_t>(X.columns());
  if (std::min(all, top) > kMost)
    throw InputError("top", all > top ? fmt::format("{}", top) : "not given",
                     fmt::format("at most {}, because the model has {} weights", kMost, all));
  std::vector<Weight> kept;
  const Matrix scaled = X.V * X.s.asDiagonal();
  for (Index i = 0; i < X.rows(); ++i) {
    const Vector row = scaled * X.U.row(i).transpose();
    for (Index j = 0; j < X.columns(); ++j)
      if (row[j] != 0) kept.push_back({i, j, row[j]});
    if (kept.size() / 2 <= top) continue;
    std::nth_element(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(top), kept.end(), is_stronger);
    kept.resize(top);
  }
  return kept;
}

// The non-zeros, largest magnitude first, ties by feature, then by output; at most `top` of them. Throws InputError for
// a matrix with more than ten million of them unless fewer are asked for.
std::vector<Weight> strongest(const Model& model, std::size_t top) {
  std::vector<Weight> weights =
      model.kind == ModelKind::matrix ? strongest_entries(model.factors, top) : nonzeros(model.weights);
  std::sort(weights.begin(), weights.end(), is_stronger);
  if (weights.size() > top) weights.resize(top);
  return weights;
}

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
                 {"", fmt::format("no point of the set is better than {:.10g}; this one is within {:.1e} of that",
                                  outcome.certificate.dual, outcome.certificate.relative_gap)},
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

struct WeightsOptions {
  std::string model, top;
};

int list_weights(const WeightsOptions& options) {
  const Index top = parse_top(options.top).value_or(std::numeric_limits<Index>::max());
  print(weight_lines(load_model(options.model), static_cast<std::size_t>(top)));
  return kSuccess;
}

}  // namespace

std::string weight_lines(const Model& model, std::size_t top) {
  const std::vector<double> names = names_of(model);
  std::string lines;
  for (const auto& [feature, output, value] : strongest(model, top)) {
    lines += fmt::format("{}\t", feature + 1);
    if (model.kind != ModelKind::vector)
      lines += fmt::format("{}\t",
                           names.empty() ? static_cast<double>(output + 1) : names[static_cast<std::size_t>(output)]);
    lines += fmt::format("{:.17g}\n", value);
  }
  return lines;
}

Command add_weights(CLI::App& tool) {
  const auto [parser, options] =
      new_command<WeightsOptions>(tool, "weights", "List a model's weights, the strongest first");
  const Flags add(*parser);
  add.argument("MODEL", options->model, "A model of pdbfw or LIBLINEAR; - is standard input");
  add.text("--top", "COUNT", options->top, "Only this many");
  return command_of(
      parser, options, list_weights,
      "Lines are feature<TAB>weight; features count from 1 as in the data, weights have 17 digits. For a model of "
      "several\n"
      "labels or classes they are feature<TAB>label<TAB>weight; of the set trace, without --top, there are as many as\n"
      "features times labels.\n\n"
      "Example:\n"
      "  pdbfw weights news20.model --top 10");
}

Command add_demo(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("demo", "Train on data made on the spot and show the result");
  parser->footer(
      "Writes nothing to disk.\n\n"
      "Example:\n"
      "  pdbfw demo");
  return {parser, demo};
}

}  // namespace pdbfw::cli
