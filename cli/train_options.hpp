// The options of `train`, for all that it learns.
#pragma once

#include <optional>
#include <string>

#include "cli/checkpointing.hpp"
#include "cli/liblinear_flags.hpp"
#include "cli/options.hpp"
#include "io/models/model_file.hpp"
#include "pdbfw/model.hpp"

namespace pdbfw::cli {

struct TrainOptions : ReportFlags {
  const CLI::App* parser = nullptr;  // knows which of them were given
  DataArgument data;
  FieldFlags flags;
  ProblemFiles files;
  LiblinearFlags liblinear;
  MemoryArgument memory;
  CheckpointFlags checkpoints;
  std::optional<double> alpha{};  // a penalty instead of a radius
  std::string model;
  double patience = 300;  // of processes that wait for each other, in seconds
  std::string start;
  std::string trace;
  std::string format;  // empty: by the name of the model
  std::string targets = "auto";
  bool wants_probabilities = false;
  bool leaves_out_proof = false;

  void add(CLI::App& app);

  [[nodiscard]] std::string start_name() const { return start == "-" ? "standard input" : start; }  // for messages
  [[nodiscard]] ModelFormat model_format() const {
    if (format.empty()) return format_by_name(model);
    return static_cast<ModelFormat>(chosen("format", format, {"pdbfw", "liblinear", "mapped"}));  // as in ModelFormat
  }
};

}  // namespace pdbfw::cli
