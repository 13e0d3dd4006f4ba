// Which radii or penalties: what `path` and `cv` share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/output_files.hpp"
#include "pdbfw/cross_validation.hpp"
#include "pdbfw/fit.hpp"

namespace pdbfw::cli {

class RadiiFlags {
 public:
  void add(CLI::App& parser);
  // All of them throw InputError.
  [[nodiscard]] PathOptions grid() const;
  [[nodiscard]] bool are_penalties() const;
  // --alphas or --radii, whichever it is about; empty: from the data.
  [[nodiscard]] std::vector<double> given() const;
  // With a radius of its own, beside `fields`, or other contradictions.
  void check(const FieldFlags& fields) const;

 private:
  std::string points_ = "20", smallest_ = "0.001", radii_, by_ = "radius", alphas_;
};

// The data and the formulation of a command that learns vectors, read and judged.
struct PathData {
  Samples samples;
  Request request;
  double load_seconds = 0;
};

struct PathProblemFlags : ReportFlags {
  DataArgument data;
  FieldFlags fields;
  ProblemFiles files;
  RadiiFlags radii;

  void add(CLI::App& parser);
  [[nodiscard]] PathData read() const;
  // Throws InputError for an output that is an input too, or one of `taken`, or standard output.
  void check_output(std::string_view option, const std::string& path, std::vector<std::string> taken = {}) const;
};

}  // namespace pdbfw::cli
