// How well a model meets the targets of a data set.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "cli/console.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw::cli {

struct Fit {
  Index rows = 0;
  bool is_classification = false;
  Index correct = 0;     // classification
  double rmse = 0;       // regression: root of the mean squared error
  double r_squared = 0;  // regression: 1 - squared error / spread of the targets; NaN when the targets are all equal
  [[nodiscard]] double accuracy() const { return static_cast<double>(correct) / static_cast<double>(rows); }
};

// The label (or the number) that a score stands for.
[[nodiscard]] double prediction(double score, const std::optional<std::array<double, 2>>& labels);

// A target that is no label of the model counts as missed.
[[nodiscard]] Fit measure_fit(std::span<const double> scores, std::span<const double> target,
                              const std::optional<std::array<double, 2>>& labels);

// "83.3333% (225/270)" and "RMSE 0.25, R2 0.98".
[[nodiscard]] std::string to_text(const Fit& fit);
[[nodiscard]] Json to_json(const Fit& fit);

}  // namespace pdbfw::cli
