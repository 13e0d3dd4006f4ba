// What `train` tells about a low-rank model.
#pragma once

#include <optional>
#include <string>

#include "cli/checkpointing.hpp"
#include "cli/label_fit.hpp"
#include "pdbfw/low_rank.hpp"

namespace pdbfw::cli {

struct LowRankReport {
  std::string data;   // its path
  std::string model;  // its path
  const low_rank::Problem& problem;
  const LabelledData& labelled;
  const low_rank::Result& result;
  const Formulation& formulation;
  LabelFit fit;
  double load_seconds = 0;
  std::string values = "float64";  // how the data are kept
  std::string start{};             // where it began; empty: from nothing
  std::optional<Resumed> resumed{};
};

[[nodiscard]] std::string summary(const LowRankReport& report);
[[nodiscard]] Json to_json(const LowRankReport& report);

}  // namespace pdbfw::cli
