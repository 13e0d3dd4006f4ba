// pdbfw predict with a model of several classes with sparse weights.
#include "cli/commands.hpp"
#include "cli/label_fit.hpp"
#include "cli/label_lines.hpp"
#include "cli/predict_options.hpp"

namespace pdbfw::cli {

int predict_classes(const PredictOptions& options, const ReadOptions& reading, const ClassesModel& model) {
  const std::optional<Index> top = parse_top(options.top);
  if (options.wants_probabilities) static_cast<void>(probabilities(model, {}));  // or there are none
  const LabelledData data = read_labelled(options.data, reading, Targets::classes, model.classes);
  const ClassScores found = predict_scores(*data.A, model, reading.threads);
  const auto classes = static_cast<Index>(model.classes.size());
  Matrix scores = Eigen::Map<const Matrix>(found.score.data(), data.A->rows(), classes);
  const LabelFit fit = measure_fit(scores, data);
  if (options.wants_probabilities) {
    const std::vector<double> shares = probabilities(model, found.score);
    scores = Eigen::Map<const Matrix>(shares.data(), data.A->rows(), classes);
  }
  const bool wants_pairs = options.wants_scores || options.wants_probabilities;
  write_predictions(options, label_lines(scores, {model.classes, true, wants_pairs, top}), [&] {
    tell_prediction(options, label_json(scores.rows(), fit, found.unknown_features, options.out),
                    to_text(fit) + "\n" + unknown_text(found.unknown_features));
  });
  return kSuccess;
}

}  // namespace pdbfw::cli
