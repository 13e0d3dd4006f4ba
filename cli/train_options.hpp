// The options of `train`, for all that it learns.
#pragma once

#include <optional>
#include <string>

#include "cli/checkpointing.hpp"
#include "cli/liblinear_flags.hpp"
#include "cli/memory_argument.hpp"
#include "cli/options.hpp"
#include "cli/report.hpp"
#include "cli/team_rows.hpp"
#include "cli/training.hpp"
#include "cli/ways.hpp"
#include "io/output_file.hpp"
#include "pdbfw/model.hpp"

namespace pdbfw::cli {

struct TrainOptions : ReportFlags {
  const CLI::App* parser = nullptr;  // knows which of them were given
  DataArgument data;
  FieldFlags flags;
  AtomsArgument atoms;
  WeightsArgument weights;
  FeatureArguments features;
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

  [[nodiscard]] std::string start_name() const { return start == "-" ? "standard input" : start; }  // for messages
  [[nodiscard]] ModelFormat model_format() const {
    if (format.empty()) return format_by_name(model);
    return static_cast<ModelFormat>(chosen("format", format, {"pdbfw", "liblinear", "mapped"}));  // as in ModelFormat
  }
  // "old.model: weights and proof"; empty without a start.
  [[nodiscard]] std::string start_text(bool has_proof) const;
  // Throws InputError for what was given and would not be obeyed in this way.
  void require_obeyed(const Request& request, Way way, bool has_team) const;
  // Throws InputError where the only format is pdbfw: for `whom`.
  void require_native_format(std::string_view whom) const;
};

// Throws InputError unless the outputs can be written and are no input, and standard input and output are used once.
void check_files(const TrainOptions& options, const std::string& model);

// The model, and the trace if it is wanted: both or neither, as far as a file system lets anyone promise it.
void commit_with_trace(const TrainOptions& options, const Outcome& outcome, OutputFile& model);

// -v: how well the model does on rows that were held out; no model is written.
[[nodiscard]] int validate_as_liblinear(const TrainOptions& options, const Request& request, const Dataset& data);

// The penalty that is asked for instead of a radius: --alpha, or LIBLINEAR's cost. Of several processes all call it.
[[nodiscard]] std::optional<double> alpha_of(const TrainOptions& options, const Prepared& prepared, const Dataset& data,
                                             const Formulation& formulation);

// Prints the report: text or JSON, as it is asked for.
void tell(const TrainOptions& options, const TrainReport& report);

// Several processes.
[[nodiscard]] int train_team(const TrainOptions& options, Request request, const std::string& path,
                             const TeamPtr& team);

// A matrix of weights: --set trace.
[[nodiscard]] int train_low_rank(const TrainOptions& options, const Request& request, const std::string& path,
                                 const TeamPtr& team = {});

// Several classes with sparse weights: all of them together, or each against the rest.
[[nodiscard]] int train_joint(const TrainOptions& options, Request request, const std::string& path);
[[nodiscard]] int train_one_vs_rest(const TrainOptions& options, const Request& request, const std::string& path,
                                    const TeamRows& rows, double load_seconds, const std::optional<Model>& old,
                                    const TeamPtr& team = {});

}  // namespace pdbfw::cli
