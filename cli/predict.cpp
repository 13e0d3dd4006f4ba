// pdbfw predict DATA MODEL [OUT]
#include <array>
#include <cmath>
#include <functional>
#include <memory>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/fit.hpp"
#include "cli/low_rank_training.hpp"
#include "cli/predict_options.hpp"
#include "cli/text_file.hpp"
#include "pdbfw/mapped_model.hpp"

namespace pdbfw::cli {
namespace {

std::string prediction_lines(const PredictOptions& options, const Model& model, const std::vector<double>& scores) {
  std::string lines;
  std::vector<double> of_second;
  if (options.wants_probabilities) of_second = probabilities(model, scores);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    double value = prediction(scores[i], model.labels);
    if (options.wants_scores) value = scores[i];
    // The second label may be the smaller one in LIBLINEAR's files.
    if (options.wants_probabilities) value = (*model.labels)[1] > (*model.labels)[0] ? of_second[i] : 1 - of_second[i];
    lines += fmt::format("{}\n", value);
  }
  return lines;
}

std::string remarks(const Fit& fit, const Scores& scores) {
  return (fit.is_classification ? fmt::format("Accuracy = {}\n", to_text(fit)) : to_text(fit) + "\n") +
         unknown_text(scores.unknown_features);
}

Json json_of(const Fit& fit, const Scores& scores, const std::string& out) {
  Json object;
  object["n"] = fit.rows;
  object.update(to_json(fit));
  object["unknown_features"] = scores.unknown_features;
  object["out"] = out == "-" ? Json() : Json(out);
  return object;
}

// `score` gives those of all rows by the weights of the model, wherever they lie.
int predict_weights(const PredictOptions& options, const ReadOptions& read_options, const Model& model,
                    const std::function<Scores(const DataMatrix& A)>& score) {
  if (!options.top.empty())
    throw InputError("top", fmt::format("'{}'", options.top), "only for models of the set trace or of several classes");
  if (options.wants_probabilities) static_cast<void>(probabilities(model, {}));  // or there are none
  const Dataset data = options.memory.read(options.data.path(), read_options);
  const Scores scores = score(*data.A);
  const Fit fit = measure_fit(scores.score, data.target, model.labels);
  write_predictions(options, prediction_lines(options, model, scores.score),
                    [&] { tell_prediction(options, json_of(fit, scores, options.out), remarks(fit, scores)); });
  return kSuccess;
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
  if (is_mapped_model(options.model)) {
    const MappedModel mapped = map_model(options.model);
    require_known(options.model, mapped.head);
    return predict_weights(options, read_options, mapped.head,
                           [&](const DataMatrix& A) { return predict_scores(A, mapped, threads); });
  }
  const AnyModel any = load_any_model(options.model);
  if (!std::holds_alternative<Model>(any)) options.memory.refuse_for("a model of several labels or classes");
  if (const auto* matrix = std::get_if<LowRankModel>(&any)) return predict_low_rank(options, read_options, *matrix);
  if (const auto* classes = std::get_if<ClassesModel>(&any)) return predict_classes(options, read_options, *classes);
  const Model& model = std::get<Model>(any);
  return predict_weights(options, read_options, model,
                         [&](const DataMatrix& A) { return predict_scores(A, model, threads); });
}

}  // namespace

void write_predictions(const PredictOptions& options, const std::string& lines, const std::function<void()>& tell) {
  const bool uses_stdout = options.out == "-";
  if (!(uses_stdout && options.is_json)) write_text_file(options.out, lines);
  if (uses_stdout)
    tell();
  else
    tell_after_writing(fmt::format("'{}'", options.out), tell);
}

void tell_prediction(const PredictOptions& options, const Json& object, const std::string& remarks) {
  if (options.is_json)
    print_json(object);
  else if (options.is_quiet)
    return;
  else if (options.out == "-")
    print_remark(remarks);
  else
    print(remarks);
}

std::string unknown_text(Index unknown_features) {
  if (unknown_features == 0) return {};
  return fmt::format("{} of the data {} unknown to the model and {} as zero weight\n",
                     counted(unknown_features, "feature", "features"), unknown_features == 1 ? "is" : "are",
                     unknown_features == 1 ? "counts" : "count");
}

Command add_predict(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("predict", "Apply a model: one prediction a line");
  const auto options = std::make_shared<PredictOptions>();
  options->data.add(*parser);
  parser->add_option("MODEL", options->model, "A model of pdbfw or LIBLINEAR; - is standard input")
      ->required()
      ->type_name("");
  parser->add_option("OUT", options->out, "Where the predictions go; default -, standard output")->type_name("");
  CLI::Option* scores = parser->add_flag(
      "--scores", options->wants_scores,
      "Write the products with the weights; of several labels or classes, label:score\nfor each of them");
  parser
      ->add_flag("--probabilities", options->wants_probabilities,
                 "Write the probability of the larger label; of several labels or classes,\nlabel:probability for each "
                 "of them (losses logistic, multilabel_logistic and softmax,\nand hinges trained with "
                 "--probabilities)")
      ->excludes(scores);
  parser
      ->add_option("--top", options->top,
                   "Several labels or classes: those with the COUNT largest scores, the best first,\nin place of those "
                   "with scores above 0, or of the best class")
      ->type_name("COUNT");
  options->flags.add(*parser, "threads");
  options->memory.add(*parser);
  options->add_json(*parser, "Print one JSON object; predictions are then written\nonly if OUT is given");
  options->add_quiet(*parser, "Print nothing but predictions and errors");
  parser->footer(
      "Of two labels, a score above 0 stands for the larger one, and any other, 0 too, for the smaller one.\n"
      "Accuracy (or RMSE and R2; for several labels a row micro and macro F1 and precision@1, @3, @5) goes to "
      "standard\n"
      "output, or to standard error when the predictions go there. Several labels are written as 3,17,40.\n"
      "Features that the model does not know count as zero weight and are reported.\n\n"
      "Example:\n"
      "  pdbfw predict test.txt news20.model predictions.txt");
  return {parser, [options] { return predict(*options); }};
}

}  // namespace pdbfw::cli
