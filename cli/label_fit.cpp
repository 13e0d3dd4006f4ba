#include "cli/label_fit.hpp"

namespace pdbfw::cli {

LabelFit measure_fit(const Matrix& scores, const LabelledData& data) {
  const ScoreTable table{{scores.data(), static_cast<std::size_t>(scores.size())}, scores.cols()};
  LabelFit fit{.rows = scores.rows()};
  if (data.has_numbers()) {
    fit.targets = Targets::numbers;
    fit.rmse =
        root_mean_squared_error(table.score, {data.numbers.data(), static_cast<std::size_t>(data.numbers.size())});
    return fit;
  }
  if (data.has_classes) {
    fit.targets = Targets::classes;
    fit.accuracy = accuracy(table, data.labels.place);
    return fit;
  }
  fit.metrics = label_metrics(table, data.labels);
  for (const Index k : {1, 3, 5})
    if (k <= table.columns) fit.precision.emplace_back(k, precision_at(k, table, data.labels));
  return fit;
}

std::string to_text(const LabelFit& fit) {
  if (fit.targets == Targets::numbers) return fmt::format("RMSE {:.6g}", fit.rmse);
  if (fit.targets == Targets::classes) return fmt::format("accuracy {:.6g}%", 100 * fit.accuracy);
  std::string text = fmt::format("micro F1 {:.4f}, macro F1 {:.4f}", fit.metrics.micro_f1, fit.metrics.macro_f1);
  for (const auto& [k, share] : fit.precision) text += fmt::format(", precision@{} {:.4f}", k, share);
  return text;
}

Json to_json(const LabelFit& fit) {
  if (fit.targets == Targets::numbers) return {{"rmse", fit.rmse}};
  if (fit.targets == Targets::classes) return {{"accuracy", fit.accuracy}};
  Json out{{"micro_f1", fit.metrics.micro_f1},
           {"macro_f1", fit.metrics.macro_f1},
           {"hamming_loss", fit.metrics.hamming_loss}};
  for (const auto& [k, share] : fit.precision) out[fmt::format("precision_at_{}", k)] = share;
  return out;
}

}  // namespace pdbfw::cli
