#include <cmath>

#include "apps/fit_rules.hpp"
#include "apps/model_problem.hpp"
#include "pdbfw/fit.hpp"

namespace pdbfw {

FitMeasures measure_fit(const Samples& samples, const Model& model, const ScoreTable& scores) {
  const bool has_classes = !model.classes.empty();
  FitMeasures out{.rows = samples.rows()};
  if (!has_classes && model.labels.empty()) {
    out.kind = FitMeasures::Kind::numbers;
    out.rmse = root_mean_squared_error(scores.score, samples.target, {}, samples.team);
    if (model.kind == ModelKind::vector) out.r_squared = r_squared(scores.score, samples.target, {}, samples.team);
    return out;
  }
  const PlacedTargets targets = place_targets(samples, names_of(model));
  if (has_classes) {
    out.kind = FitMeasures::Kind::classes;
    out.accuracy = accuracy(scores, targets.labels.place, {}, samples.team);
    out.correct = std::llround(out.accuracy * static_cast<double>(out.rows));
    return out;
  }
  out.kind = FitMeasures::Kind::labels;
  out.labels = label_metrics(scores, targets.labels, 0, samples.team);
  for (const Index k : {1, 3, 5})
    if (k <= scores.columns) out.precision.emplace_back(k, precision_at(k, scores, targets.labels, samples.team));
  return out;
}

}  // namespace pdbfw
