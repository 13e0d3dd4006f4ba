// How well a matrix of scores meets the labels, classes or numbers of a data set.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/console.hpp"
#include "cli/labelled_data.hpp"
#include "pdbfw/metrics.hpp"

namespace pdbfw::cli {

struct LabelFit {
  Index rows = 0;
  Targets targets = Targets::labels;
  double accuracy = 0;     // classes: the share of rows whose largest score is that of their class
  double rmse = 0;         // numbers: the root of the mean squared error
  LabelMetrics metrics{};  // labels: those with a score above 0 are predicted
  std::vector<std::pair<Index, double>> precision{};  // labels: at 1, 3 and 5, as far as there are so many
};

// Labels and classes that the model does not know count as missed.
[[nodiscard]] LabelFit measure_fit(const Matrix& scores, const LabelledData& data);

// "accuracy 97.5%", "RMSE 0.25" and "micro F1 0.91, macro F1 0.84, precision@1 0.97, @3 0.8, @5 0.6".
[[nodiscard]] std::string to_text(const LabelFit& fit);
[[nodiscard]] Json to_json(const LabelFit& fit);

}  // namespace pdbfw::cli
