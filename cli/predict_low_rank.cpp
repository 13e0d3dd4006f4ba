// pdbfw predict with a model of the set trace.
#include <optional>

#include "cli/commands.hpp"
#include "cli/label_fit.hpp"
#include "cli/label_lines.hpp"
#include "cli/low_rank_training.hpp"
#include "cli/predict_options.hpp"
#include "io/unknown_features.hpp"

namespace pdbfw::cli {

std::optional<Index> parse_top(const std::string& text) {
  constexpr std::string_view kRule = "an integer >= 1";
  if (text.empty()) return std::nullopt;
  const Index top = parse_count("top", text, kRule);
  if (top < 1) throw InputError("top", fmt::format("'{}'", text), kRule);
  return top;
}

Json label_json(Index rows, const std::optional<LabelFit>& fit, Index unknown_features, const std::string& out) {
  Json object;
  object["n"] = rows;
  if (fit) object.update(to_json(*fit));
  object["unknown_features"] = unknown_features;
  object["out"] = out == "-" ? Json() : Json(out);
  return object;
}

int predict_low_rank(const PredictOptions& options, const ReadOptions& reading, const LowRankModel& model) {
  const std::optional<Index> top = parse_top(options.top);
  if (options.wants_probabilities) require_probabilities(model.formulation.loss);
  const std::vector<double> names = names_of(model);
  const Targets targets = targets_of(model);
  ReadOptions relaxed = reading;
  relaxed.needs_targets = targets == Targets::classes;  // labels may be what is wanted
  const LabelledData data = read_labelled(options.data, relaxed, targets, names);
  Matrix scores;
  const Index columns = model.X.columns();
  rows_map(data.A, columns)->apply(with_rows(model.X, data.A->columns()), scores, reading.threads);
  if (data.has_numbers() && data.numbers.cols() != columns)
    throw InputError("labels", counted(data.numbers.cols(), "number a row", "numbers a row"),
                     fmt::format("{}, as many as the model has", columns));
  const bool has_labels = data.has_numbers() || !data.labels.place.empty();
  const std::optional<LabelFit> fit = has_labels ? std::optional(measure_fit(scores, data)) : std::nullopt;
  if (options.wants_probabilities) make_probabilities(model.formulation.loss, scores);

  const bool wants_pairs = options.wants_scores || options.wants_probabilities;
  const Index unknown = count_unknown_features(*data.A, model.X.rows());
  const std::string lines = targets == Targets::numbers
                                ? number_lines(scores)
                                : label_lines(scores, {names, data.has_classes, wants_pairs, top});
  write_predictions(options, lines, [&] {
    tell_prediction(options, label_json(scores.rows(), fit, unknown, options.out),
                    (fit ? to_text(*fit) + "\n" : "") + unknown_text(unknown));
  });
  return kSuccess;
}

}  // namespace pdbfw::cli
