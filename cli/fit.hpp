// How well a model meets the targets of a data set.
#pragma once

#include <span>
#include <string>

#include "cli/console.hpp"
#include "pdbfw/team.hpp"

namespace pdbfw::cli {

struct Fit {
  Index rows = 0;
  bool is_classification = false;
  Index correct = 0;     // classification
  double accuracy = 0;   // classification: correct / rows
  double rmse = 0;       // regression
  double r_squared = 0;  // regression
};

// The class (or the number, where there are no classes) that a score stands for.
[[nodiscard]] double prediction(double score, std::span<const double> classes);

// A target that is none of the two classes counts as missed. Of several processes all call it, with the rows of their
// own.
[[nodiscard]] Fit measure_fit(std::span<const double> scores, std::span<const double> target,
                              std::span<const double> classes, const TeamPtr& team = {});

// "83.3333% (225/270)" and "RMSE 0.25, R2 0.98".
[[nodiscard]] std::string to_text(const Fit& fit);
[[nodiscard]] Json to_json(const Fit& fit);

}  // namespace pdbfw::cli
