// What `train` tells about several classes with sparse weights.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/label_fit.hpp"
#include "cli/report.hpp"
#include "pdbfw/model.hpp"
#include "pdbfw/result.hpp"

namespace pdbfw::cli {

struct ClassesReport {
  std::string data;   // its path
  std::string model;  // its path
  Index nonzeros;     // of the data
  const Model& learnt;
  std::vector<const Outcome*> outcomes;  // one, or one of each class
  const Formulation& formulation;
  LabelFit fit;
  double load_seconds = 0;
  std::string values = "float64";  // how the data are kept
  std::string start{};             // where it began; empty: from nothing
  std::optional<TeamReport> team{};
};

[[nodiscard]] std::string summary(const ClassesReport& report);
[[nodiscard]] Json to_json(const ClassesReport& report);

// Of several certificates, the one with the largest relative gap.
[[nodiscard]] std::size_t worst(const std::vector<Certificate>& certificates);

}  // namespace pdbfw::cli
