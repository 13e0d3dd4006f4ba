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
#include "pdbfw/factors.hpp"
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

// What is told beside the predictions. Nothing is told about the fit to data in which no row has a target.
struct Remarks {
  Index rows = 0;
  FitMeasures fit{};
  Index unknown_features = 0;
};

std::string fit_text(const FitMeasures& fit) {
  if (fit.kind == FitMeasures::Kind::none) return {};
  return (fit.kind == FitMeasures::Kind::classes ? "Accuracy = " : "") + to_text(fit) + "\n";
}

// "2 features of the data are unknown to the model and count as zero weight"; empty where all are known.
std::string unknown_text(Index unknown_features) {
  if (unknown_features == 0) return {};
  return fmt::format("{} of the data {} unknown to the model and {} as zero weight\n",
                     counted(unknown_features, "feature", "features"), unknown_features == 1 ? "is" : "are",
                     unknown_features == 1 ? "counts" : "count");
}

// A JSON object to standard output; text to where no predictions go.
void tell_remarks(const PredictOptions& options, const Remarks& remarks) {
  const auto object = [&] {
    Json out;
    out["n"] = remarks.rows;
    out.update(to_json(remarks.fit));
    out["unknown_features"] = remarks.unknown_features;
    out["out"] = options.out == "-" ? Json() : Json(options.out);
    return out;
  };
  options.tell(
      object, [&] { return fit_text(remarks.fit) + unknown_text(remarks.unknown_features); }, options.out == "-");
}

// Writes the lines to OUT, unless a JSON object takes its place, then tells.
void write_predictions(const PredictOptions& options, const std::string& lines, const Remarks& remarks) {
  const bool uses_stdout = options.out == "-";
  if (!(uses_stdout && options.is_json)) write_text_file(options.out, lines);
  if (uses_stdout)
    tell_remarks(options, remarks);
  else
    tell_after_writing(fmt::format("'{}'", options.out), [&] { tell_remarks(options, remarks); });
}

// How the scores of several outputs become lines of text.
struct LabelLines {
  std::span<const double> names;  // of the labels or classes, one for each column of the scores
  bool has_classes = false;
  bool wants_scores = false;  // or probabilities, if that is what they are
  std::optional<Index> top{};
};

std::vector<Index> chosen_labels(const double* scores, Index columns, const LabelLines& how) {
  const std::span<const double> row(scores, static_cast<std::size_t>(columns));
  if (how.top) return best_places(row, *how.top);
  if (how.has_classes && !how.wants_scores) return best_places(row, 1);
  std::vector<Index> labels;
  for (Index j = 0; j < columns; ++j)
    if (how.wants_scores || is_positive(scores[j])) labels.push_back(j);
  return labels;
}

// One line per row: "3,17,40", the labels with scores above 0, or the one class with the largest; with `top` that many,
// the best first. With scores: "3:0.75 17:-1.5 ...", all of them in the model's order, or `top`, the best first.
std::string label_lines(const Matrix& scores, const LabelLines& how) {
  std::string lines;
  auto out = std::back_inserter(lines);
  for (Index i = 0; i < scores.rows(); ++i) {
    const double* row = scores.row(i).data();
    const char* separator = "";
    for (const Index j : chosen_labels(row, scores.cols(), how)) {
      const double name = how.names[static_cast<std::size_t>(j)];
      if (how.wants_scores)
        fmt::format_to(out, "{}{}:{}", separator, name, row[j]);
      else
        fmt::format_to(out, "{}{}", separator, name);
      separator = how.wants_scores ? " " : ",";
    }
    lines += '\n';
  }
  return lines;
}

// One line per row: all its numbers.
std::string number_lines(const Matrix& scores) {
  std::string lines;
  for (Index i = 0; i < scores.rows(); ++i)
    fmt::format_to(std::back_inserter(lines), "{}\n",
                   fmt::join(scores.row(i).data(), scores.row(i).data() + scores.cols(), " "));
  return lines;
}

// One number or one of two classes per row.
std::string vector_lines(const PredictOptions& options, const Model& model, const Matrix& scores) {
  const Matrix values = options.wants_probabilities ? probabilities(model, scores) : scores;
  // The second class may be the smaller one in LIBLINEAR's files.
  const bool is_second_larger = model.classes.empty() || model.classes[1] > model.classes[0];
  std::string lines;
  for (const double value : values.reshaped()) {
    double told = value;
    if (options.wants_probabilities && !is_second_larger) told = 1 - value;
    const bool wants_class = !options.wants_probabilities && !options.wants_scores && !model.classes.empty();
    if (wants_class) told = model.classes[is_positive(value) ? 1 : 0];
    lines += fmt::format("{}\n", told);
  }
  return lines;
}

// One of several classes, any number of labels, or several numbers per row.
std::string output_lines(const PredictOptions& options, const Model& model, const Matrix& scores) {
  const Matrix values = options.wants_probabilities ? probabilities(model, scores) : scores;
  if (model.classes.empty() && model.labels.empty()) return number_lines(values);
  const bool wants_pairs = options.wants_scores || options.wants_probabilities;
  return label_lines(values, {names_of(model), !model.classes.empty(), wants_pairs, parse_top(options.top)});
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
  Remarks remarks{.rows = samples.rows(), .unknown_features = scores.unknown_features};
  if (has_targets) remarks.fit = measure_fit(samples, model, scores.table());
  const auto& lines = model.kind == ModelKind::vector ? vector_lines : output_lines;
  write_predictions(options, lines(options, model, scores.score), remarks);
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
  CLI::App* parser = tool.add_subcommand("predict", "Apply a model: one prediction a line");
  const auto options = std::make_shared<PredictOptions>();
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
