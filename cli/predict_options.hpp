// The options of `predict`, for all kinds of models.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/console.hpp"
#include "cli/label_fit.hpp"
#include "cli/memory_argument.hpp"
#include "cli/options.hpp"
#include "pdbfw/low_rank_model.hpp"

namespace pdbfw::cli {

struct PredictOptions : ReportFlags {
  DataArgument data;
  FieldFlags flags;
  MemoryArgument memory;
  std::string model;
  std::string out = "-";
  std::string top;
  bool wants_scores = false;
  bool wants_probabilities = false;
};

// Writes the lines to OUT, unless a JSON object takes its place, then tells.
void write_predictions(const PredictOptions& options, const std::string& lines, const std::function<void()>& tell);
// A JSON object to standard output; remarks to where no predictions go.
void tell_prediction(const PredictOptions& options, const Json& object, const std::string& remarks);
// "2 features of the data are unknown to the model and count as zero weight"; empty where all are known.
[[nodiscard]] std::string unknown_text(Index unknown_features);

// --top, if it is given.
[[nodiscard]] std::optional<Index> parse_top(const std::string& text);
// Nothing is told about data in which no row has a label.
[[nodiscard]] Json label_json(Index rows, const std::optional<LabelFit>& fit, Index unknown_features,
                              const std::string& out);

// Several labels a row, or one of many classes.
[[nodiscard]] int predict_low_rank(const PredictOptions& options, const ReadOptions& reading,
                                   const LowRankModel& model);
[[nodiscard]] int predict_classes(const PredictOptions& options, const ReadOptions& reading, const ClassesModel& model);

}  // namespace pdbfw::cli
