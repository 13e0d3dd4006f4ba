// The options of `train`, for the two families that it learns.
#pragma once

#include <optional>
#include <string>

#include "cli/options.hpp"
#include "io/output_file.hpp"

namespace pdbfw::cli {

struct TrainOptions {
  DataArgument data;
  FieldFlags flags;
  AtomsArgument atoms;
  WeightsArgument weights;
  std::optional<double> alpha{};  // a penalty instead of a radius
  std::string model;
  std::string start;
  std::string trace;
  std::string format = "pdbfw";
  std::string targets = "auto";
  bool is_json = false;
  bool is_quiet = false;
  bool leaves_out_proof = false;

  [[nodiscard]] std::string start_name() const { return start == "-" ? "standard input" : start; }  // for messages
  [[nodiscard]] ModelFormat model_format() const {
    return chosen("format", format, {"pdbfw", "liblinear"}) == 0 ? ModelFormat::pdbfw : ModelFormat::liblinear;
  }
};

// Throws InputError unless the outputs can be written and are no input, and standard input and output are used once.
void check_files(const TrainOptions& options, const std::string& model);

// The model, and the trace if it is wanted: both or neither, as far as a file system lets anyone promise it.
void commit_with_trace(const TrainOptions& options, const Outcome& outcome, OutputFile& model);

// A matrix of weights: --set trace.
[[nodiscard]] int train_low_rank(const TrainOptions& options, const Request& request, const std::string& path);

}  // namespace pdbfw::cli
