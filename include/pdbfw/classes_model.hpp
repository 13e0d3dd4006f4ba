// A learnt model of several classes with sparse weights: a column of weights for each class, what they were learnt for,
// and the proof. docs/model-file.md specifies the file.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pdbfw/model.hpp"

namespace pdbfw {

enum class Strategy {
  joint,       // all classes at once (joint.hpp): one certificate
  one_vs_rest  // a model a class (one_vs_rest.hpp): a certificate each
};
[[nodiscard]] std::string_view to_string(Strategy strategy);

struct ClassesModel {
  Strategy strategy = Strategy::joint;
  Formulation formulation;  // without sample weights
  Index samples = 0;        // of the training data
  Index features = 0;
  bool has_sample_weight = false;     // learnt with weights, which are not in the file
  std::vector<double> classes;        // the targets that the classes stand for
  std::vector<SparseVector> weights;  // one of each class
  std::vector<double> intercepts;     // one of each class
  std::vector<Sigmoid> sigmoids{};    // none, or one of each class
  // Of the training run: none, one (joint), or one of each class (one_vs_rest). `certify` recomputes them.
  std::vector<Status> statuses{};
  std::vector<Certificate> certificates{};
  std::vector<SparseVector> proof{};  // the dual point: none, or one of each class (joint: the columns of Y)
};

// Writes to a temporary name and renames, so a failure leaves the old file as it was. "-" is standard output. Throws
// InputError for a model that could not be read back.
void write_classes_model(const std::string& path, const ClassesModel& model);

// Throws InputError "file:line:column: what is wrong"; memory grows with the file's length, never with a number it
// states.
[[nodiscard]] ClassesModel read_classes_model(const std::string& path);

// A score of every row and class, row after row; features that the model does not know count as zero weight.
struct ClassScores {
  std::vector<double> score;  // n x classes
  Index unknown_features = 0;
};
[[nodiscard]] ClassScores predict_scores(const DataMatrix& A, const ClassesModel& model, int threads = 1);

// Of such scores, row by row; they sum to 1 in a row. One against the rest: those of every class, divided by their sum.
// Throws InputError for a model that has none: its loss is neither softmax nor logistic and it has no sigmoids.
[[nodiscard]] std::vector<double> probabilities(const ClassesModel& model, std::span<const double> scores);

}  // namespace pdbfw
