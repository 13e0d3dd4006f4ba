#include "cli/fit.hpp"

#include <cmath>

namespace pdbfw::cli {

double prediction(double score, const std::optional<std::array<double, 2>>& labels) {
  if (!labels) return score;
  return score > 0 ? (*labels)[1] : (*labels)[0];
}

Fit measure_fit(std::span<const double> scores, std::span<const double> target,
                const std::optional<std::array<double, 2>>& labels) {
  Fit fit;
  fit.rows = static_cast<Index>(target.size());
  fit.is_classification = labels.has_value();
  double mean = 0;
  for (const double value : target) mean += value / static_cast<double>(target.size());
  double missed = 0;
  double spread = 0;
  for (std::size_t i = 0; i < target.size(); ++i) {
    const double predicted = prediction(scores[i], labels);
    if (predicted == target[i]) ++fit.correct;
    missed += (predicted - target[i]) * (predicted - target[i]);
    spread += (target[i] - mean) * (target[i] - mean);
  }
  fit.rmse = std::sqrt(missed / static_cast<double>(target.size()));
  fit.r_squared = spread > 0 ? 1 - missed / spread : std::nan("");
  return fit;
}

std::string to_text(const Fit& fit) {
  if (fit.is_classification) return fmt::format("{:.6g}% ({}/{})", 100 * fit.accuracy(), fit.correct, fit.rows);
  const bool has_spread = !std::isnan(fit.r_squared);
  return fmt::format("RMSE {:.6g}, R2 {}", fit.rmse, has_spread ? fmt::format("{:.6g}", fit.r_squared) : "undefined");
}

Json to_json(const Fit& fit) {
  if (fit.is_classification) return {{"accuracy", fit.accuracy()}, {"correct", fit.correct}};
  return {{"rmse", fit.rmse}, {"r_squared", fit.r_squared}};  // NaN is written as null
}

}  // namespace pdbfw::cli
