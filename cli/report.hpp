// What is told of models and solves, by `train` above all: a summary for people, one JSON object for programs.
#pragma once

#include <optional>
#include <string>

#include "cli/checkpointing.hpp"
#include "cli/console.hpp"
#include "pdbfw/fields.hpp"
#include "pdbfw/fit.hpp"

namespace pdbfw::cli {

struct TrainReport {
  const Samples& samples;
  const Fitted& fitted;
  std::string data;   // its path
  std::string model;  // its path
  double load_seconds = 0;
  std::string values = "float64";  // how the data are kept
  std::string start{};             // where it began; empty: from nothing
  std::optional<Resumed> resumed{};
};

// A dual value of -0 is a 0 that came from the other side; no reader should have to wonder.
[[nodiscard]] double without_negative_zero(double value);

[[nodiscard]] std::string summary(const TrainReport& report);
[[nodiscard]] Json to_json(const TrainReport& report);
[[nodiscard]] Json to_json(const Certificate& certificate);
[[nodiscard]] Json to_json(const Work& work);
[[nodiscard]] Json to_json(const FitMeasures& measures);
[[nodiscard]] Json to_json(const RowSource::Traffic& traffic);

// "smooth_hinge, l1 ball of radius 100, ridge 0.0002"
[[nodiscard]] std::string problem_text(const Formulation& formulation, double ridge);
// "converged: relative gap ..."
[[nodiscard]] std::string status_text(const Outcome& outcome);
// "12 iterations, 37 data passes (solver auto)"
[[nodiscard]] std::string work_text(const Outcome& outcome);
[[nodiscard]] std::string certificate_text(const Certificate& certificate);
[[nodiscard]] std::string solution_text(const Fitted& fitted);
[[nodiscard]] std::string seconds_text(const TrainReport& report);
// "83.3333% (225/270)", "RMSE 0.25, R2 0.98" or "micro F1 0.91, macro F1 0.84, precision@1 0.97, ..."
[[nodiscard]] std::string to_text(const FitMeasures& measures);
// What has been read of streamed data: "3 passes, 60.1 GB read at 1200 MB/s, waited for 1.2 s".
[[nodiscard]] std::string to_text(const RowSource::Traffic& traffic);

// The non-zeros, largest magnitude first, at most `top` of them. Lines feature<TAB>weight, or
// feature<TAB>label<TAB>weight for the kinds with several outputs: features count from 1, weights have 17 digits;
// outputs that are numbers count from 1 too. Throws InputError for a matrix with more than ten million weights unless
// fewer are asked for.
[[nodiscard]] std::string weight_lines(const Model& model, std::size_t top);

[[nodiscard]] std::string trace_csv(const Outcome& outcome);

}  // namespace pdbfw::cli
