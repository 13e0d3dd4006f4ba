// pdbfw predict DATA MODEL [OUT]
#include "pdbfw/predict.hpp"

#include <fmt/ranges.h>

#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/fit_rules.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/options.hpp"
#include "cli/output_files.hpp"
#include "cli/report.hpp"
#include "io/models/model_file.hpp"
#include "pdbfw/fit.hpp"
#include "pdbfw/metrics.hpp"

namespace pdbfw::cli {
namespace {

struct PredictOptions : ReportFlags {
  DataArgument data;
  FieldFlags flags;
  MemoryArgument memory;
  std::string model;
  std::string out = "-";
  std::string top;
  bool wants_scores = false;
  bool wants_probabilities = false;
};

// Writes the lines to OUT, unless a JSON object takes its place, then tells of them: a JSON object to standard output,
// text to where no predictions go.
void write_and_tell(const PredictOptions& options, const std::string& lines, Index rows, const FitMeasures& fit,
                    Index unknown_features) {
  const bool uses_stdout = options.out == "-";
  Json object{{"n", rows}};
  object.update(to_json(fit));
  object["unknown_features"] = unknown_features;
  object["out"] = uses_stdout ? Json() : Json(options.out);
  std::string text;
  if (fit.kind != FitMeasures::Kind::none)
    text = (fit.kind == FitMeasures::Kind::classes ? "Accuracy = " : "") + to_text(fit) + "\n";
  if (unknown_features > 0)
    text += fmt::format("{} of the data {} unknown to the model and {} as zero weight\n",
                        counted(unknown_features, "feature", "features"), unknown_features == 1 ? "is" : "are",
                        unknown_features == 1 ? "counts" : "count");
  const auto tell = [&] { options.tell(object, text, uses_stdout); };
  if (!(uses_stdout && options.is_json)) write_text_file(options.out, lines);
  if (uses_stdout)
    tell();
  else
    tell_after_writing(fmt::format("'{}'", options.out), tell);
}

using Row = std::span<const double>;  // the scores of one row, or its probabilities

// Those with scores above 0, or the one class with the largest; with `top` that many, the best first. Where scores are
// told, all of them in the model's order, or `top`.
std::vector<Index> chosen_labels(const Row& row, bool has_classes, bool wants_scores, std::optional<Index> top) {
  if (top) return best_places(row, *top);
  if (has_classes && !wants_scores) return best_places(row, 1);
  std::vector<Index> labels;
  for (Index j = 0; j < std::ssize(row); ++j)
    if (wants_scores || is_positive(row[static_cast<std::size_t>(j)])) labels.push_back(j);
  return labels;
}

// One line per row: one number or several, one of two classes, "3,17,40" for labels or one of several classes, and with
// scores "3:0.75 17:-1.5 ...".
std::string prediction_lines(const PredictOptions& options, const Model& model, const Matrix& scores) {
  const Matrix values = options.wants_probabilities ? probabilities(model, scores) : scores;
  const bool wants_scores = options.wants_scores || options.wants_probabilities, has_classes = !model.classes.empty();
  const std::vector<double> names = names_of(model);
  const std::optional<Index> top = parse_top(options.top);
  std::string lines;
  const auto out = std::back_inserter(lines);
  for (Index i = 0; i < values.rows(); ++i) {
    const Row row(values.row(i).data(), static_cast<std::size_t>(values.cols()));
    if (model.kind == ModelKind::vector && has_classes && !wants_scores) {
      fmt::format_to(out, "{}", model.classes[is_positive(row[0]) ? 1 : 0]);
    } else if (model.kind == ModelKind::vector && options.wants_probabilities) {
      // The second class may be the smaller one in LIBLINEAR's files.
      const bool is_second_larger = !has_classes || model.classes[1] > model.classes[0];
      fmt::format_to(out, "{}", is_second_larger ? row[0] : 1 - row[0]);
    } else if (model.kind == ModelKind::vector || names.empty()) {
      fmt::format_to(out, "{}", fmt::join(row, " "));
    } else {
      const char* separator = "";
      for (const Index j : chosen_labels(row, has_classes, wants_scores, top)) {
        const auto at = static_cast<std::size_t>(j);
        fmt::format_to(out, "{}{}", separator, names[at]);
        if (wants_scores) fmt::format_to(out, ":{}", row[at]);
        separator = wants_scores ? " " : ",";
      }
    }
    lines += '\n';
  }
  return lines;
}

void check_options(const PredictOptions& options, const Model& model) {
  const bool is_vector = model.kind == ModelKind::vector;
  if (is_vector && !options.top.empty())
    throw InputError("top", fmt::format("'{}'", options.top), "only for models of the set trace or of several classes");
  static_cast<void>(parse_top(options.top));
  if (!is_vector) options.memory.refuse_for("a model of several labels or classes");
  if (options.wants_probabilities)
    static_cast<void>(probabilities(model, Matrix(0, model.outputs())));  // or there are none
}

// `score` gives those of all rows by the weights of the model, wherever they lie.
void predict_with(const PredictOptions& options, ReadOptions reading, const Model& model,
                  const std::function<Scores(const DataMatrix& A)>& score) {
  check_options(options, model);
  const Targets targets = targets_of(model);
  reading.needs_targets = targets == Targets::one_per_row;  // labels may be what is wanted
  options.memory.apply(options.data.path(), reading);
  const Samples samples = read_samples(options.data.path(), reading, targets);
  const bool has_targets = !samples.target.empty() || !samples.labels.place.empty();
  if (targets == Targets::numbers && has_targets && samples.numbers_per_row() != model.outputs())
    throw InputError("labels", counted(samples.numbers_per_row(), "number a row", "numbers a row"),
                     fmt::format("{}, as many as the model has", model.outputs()));
  const Scores scores = score(*samples.A);
  const FitMeasures fit = has_targets ? measure_fit(samples, model, scores.table()) : FitMeasures{};
  write_and_tell(options, prediction_lines(options, model, scores.score), samples.rows(), fit, scores.unknown_features);
}

int predict(const PredictOptions& options) {
  const int threads = options.flags.request().settings.threads;
  const ReadOptions reading = options.data.read_options(threads);
  require_one_stdin(options.data.path(), options.model);
  if (options.out != "-") require_output("OUT", options.out, options.data, {options.model});
  if (is_mapped_model(options.model)) {
    const MappedModel mapped = map_model(options.model);
    check_known(options.model, mapped.head);
    predict_with(options, reading, mapped.head,
                 [&](const DataMatrix& A) { return predict_scores(A, mapped, threads); });
  } else {
    const Model model = load_model(options.model);
    predict_with(options, reading, model, [&](const DataMatrix& A) { return predict_scores(A, model, threads); });
  }
  return kSuccess;
}

}  // namespace

Command add_predict(CLI::App& tool) {
  const auto [parser, options] = new_command<PredictOptions>(tool, "predict", "Apply a model: one prediction a line");
  options->data.add(*parser);
  const Flags add(*parser);
  add.argument("MODEL", options->model, "A model of pdbfw or LIBLINEAR; - is standard input");
  add.optional_argument("OUT", options->out, "Where the predictions go; default -, standard output");
  CLI::Option* scores =
      add.flag("--scores", options->wants_scores,
               "Write the products with the weights; of several labels or classes, label:score\nfor each of them");
  add.flag("--probabilities", options->wants_probabilities,
           "Write the probability of the larger label; of several labels or classes,\nlabel:probability for each "
           "of them (losses logistic, multilabel_logistic and softmax,\nand hinges trained with --probabilities)")
      ->excludes(scores);
  add.text("--top", "COUNT", options->top,
           "Several labels or classes: those with the COUNT largest scores, the best first,\nin place of those "
           "with scores above 0, or of the best class");
  options->flags.add(*parser, "threads");
  options->memory.add(*parser);
  options->add_report(*parser, "Print one JSON object; predictions are then written\nonly if OUT is given",
                      "Print nothing but predictions and errors");
  return command_of(
      parser, options, predict,
      "Of two labels, a score above 0 stands for the larger one, and any other, 0 too, for the smaller one.\n"
      "Accuracy (or RMSE and R2; for several labels a row micro and macro F1 and precision@1, @3, @5) goes to "
      "standard\n"
      "output, or to standard error when the predictions go there. Several labels are written as 3,17,40.\n"
      "Features that the model does not know count as zero weight and are reported.\n\n"
      "Example:\n"
      "  pdbfw predict test.txt news20.model predictions.txt");
}

}  // namespace pdbfw::cli
