// pdbfw predict DATA MODEL [OUT]
#include <array>
#include <cmath>
#include <memory>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/fit.hpp"
#include "cli/options.hpp"
#include "cli/text_file.hpp"

namespace pdbfw::cli {
namespace {

struct PredictOptions {
  DataArgument data;
  FieldFlags flags;
  std::string model;
  std::string out = "-";
  bool wants_scores = false;
  bool wants_probabilities = false;
  bool is_json = false;
  bool is_quiet = false;
};

// Positive scores mean the second label, which in LIBLINEAR's files may be the smaller one.
double probability_of_larger(double score, const std::array<double, 2>& labels) {
  return 1 / (1 + std::exp(labels[1] > labels[0] ? -score : score));
}

std::string prediction_lines(const PredictOptions& options, const Model& model, const std::vector<double>& scores) {
  std::string lines;
  for (const double score : scores) {
    double value = prediction(score, model.labels);
    if (options.wants_scores) value = score;
    if (options.wants_probabilities) value = probability_of_larger(score, *model.labels);
    lines += fmt::format("{}\n", value);
  }
  return lines;
}

std::string remarks(const Fit& fit, const Scores& scores) {
  std::string text = fit.is_classification ? fmt::format("Accuracy = {}\n", to_text(fit)) : to_text(fit) + "\n";
  if (scores.unknown_features > 0)
    text += fmt::format("{} of the data {} unknown to the model and {} as zero weight\n",
                        counted(scores.unknown_features, "feature", "features"),
                        scores.unknown_features == 1 ? "is" : "are", scores.unknown_features == 1 ? "counts" : "count");
  return text;
}

Json to_json(const Fit& fit, const Scores& scores, const std::string& out) {
  Json object;
  object["n"] = fit.rows;
  object.update(to_json(fit));
  object["unknown_features"] = scores.unknown_features;
  object["out"] = out == "-" ? Json() : Json(out);
  return object;
}

void tell(const PredictOptions& options, const Fit& fit, const Scores& scores) {
  if (options.is_json)
    print_json(to_json(fit, scores, options.out));
  else if (options.is_quiet)
    return;
  else if (options.out == "-")
    print_remark(remarks(fit, scores));
  else
    print(remarks(fit, scores));
}

int predict(const PredictOptions& options) {
  const int threads = options.flags.request().settings.threads;
  const ReadOptions read_options = options.data.read_options(threads);
  require_one_stdin(options.data.path(), options.model);
  require_writable("OUT", options.out);
  if (options.out != "-") {
    require_other_file("OUT", options.out, options.data);
    require_other_file("OUT", options.out, {options.model});
  }
  const Model model = load_model(options.model);
  if (options.wants_probabilities && model.formulation.loss != "logistic")
    throw InputError("probabilities", fmt::format("loss {}", model.formulation.loss), "only for the loss logistic");
  const Dataset data = read_dataset(options.data.path(), read_options);
  const Scores scores = predict_scores(*data.A, model, threads);
  const Fit fit = measure_fit(scores.score, data.target, model.labels);

  const bool uses_stdout = options.out == "-";
  if (!(uses_stdout && options.is_json)) write_text_file(options.out, prediction_lines(options, model, scores.score));
  if (uses_stdout)
    tell(options, fit, scores);
  else
    tell_after_writing(fmt::format("'{}'", options.out), [&] { tell(options, fit, scores); });
  return kSuccess;
}

}  // namespace

Command add_predict(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("predict", "Apply a model: one prediction a line");
  const auto options = std::make_shared<PredictOptions>();
  options->data.add(*parser);
  parser->add_option("MODEL", options->model, "A model of pdbfw or LIBLINEAR; - is standard input")
      ->required()
      ->type_name("");
  parser->add_option("OUT", options->out, "Where the predictions go; default -, standard output")->type_name("");
  CLI::Option* scores = parser->add_flag("--scores", options->wants_scores, "Write the products with the weights");
  parser
      ->add_flag("--probabilities", options->wants_probabilities,
                 "Write the probability of the larger label (loss logistic)")
      ->excludes(scores);
  options->flags.add(*parser, "threads");
  parser->add_flag("--json", options->is_json,
                   "Print one JSON object; predictions are then written\nonly if OUT is given");
  parser->add_flag("--quiet", options->is_quiet, "Print nothing but predictions and errors");
  parser->footer(
      "Accuracy (or RMSE and R2) goes to standard output, or to standard error when the predictions go there.\n"
      "Features that the model does not know count as zero weight and are reported.\n\n"
      "Example:\n"
      "  pdbfw predict test.txt news20.model predictions.txt");
  return {parser, [options] { return predict(*options); }};
}

}  // namespace pdbfw::cli
