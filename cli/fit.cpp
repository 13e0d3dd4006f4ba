#include "cli/fit.hpp"

#include <cmath>
#include <vector>

#include "pdbfw/metrics.hpp"

namespace pdbfw::cli {

double prediction(double score, std::span<const double> classes) {
  return classes.empty() ? score : classes[is_positive(score) ? 1 : 0];
}

Fit measure_fit(std::span<const double> scores, std::span<const double> target, std::span<const double> classes,
                const TeamPtr& team) {
  Fit fit;
  fit.rows = static_cast<Index>(sum_over(team, static_cast<double>(target.size())));
  fit.is_classification = !classes.empty();
  if (fit.is_classification) {
    std::vector<Index> places;
    places.reserve(target.size());
    for (const double value : target) places.push_back(value == classes[0] ? 0 : value == classes[1] ? 1 : 2);
    fit.accuracy = accuracy({scores, 1}, places, {}, team);
    fit.correct = std::llround(fit.accuracy * static_cast<double>(fit.rows));
  } else {
    fit.rmse = root_mean_squared_error(scores, target, {}, team);
    fit.r_squared = r_squared(scores, target, {}, team);
  }
  return fit;
}

std::string to_text(const Fit& fit) {
  if (fit.is_classification) return fmt::format("{:.6g}% ({}/{})", 100 * fit.accuracy, fit.correct, fit.rows);
  return fmt::format("RMSE {:.6g}, R2 {:.6g}", fit.rmse, fit.r_squared);
}

Json to_json(const Fit& fit) {
  if (fit.is_classification) return {{"accuracy", fit.accuracy}, {"correct", fit.correct}};
  return {{"rmse", fit.rmse}, {"r_squared", fit.r_squared}};
}

}  // namespace pdbfw::cli
