// Which radii: what `path` and `cv` share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "pdbfw/cross_validation.hpp"
#include "pdbfw/fit.hpp"

namespace pdbfw::cli {

class RadiiFlags {
 public:
  void add(CLI::App& parser);
  // Throws InputError.
  [[nodiscard]] PathOptions grid() const;
  [[nodiscard]] std::vector<double> given() const {  // --radii; empty: from the data
    return parse_positive_list("radii", radii_);
  }

 private:
  std::string points_ = "20", smallest_ = "0.001", radii_;
};

// The data and the formulation of a command that learns vectors, read and judged.
struct PathData {
  Samples samples;
  Request request;
  double load_seconds = 0;
};
[[nodiscard]] PathData read_path_data(const DataArgument& data, const FieldFlags& flags, const WeightsArgument& weights,
                                      const FeatureArguments& features);

}  // namespace pdbfw::cli
