// A learnt model: the weights, what they were learnt for, and the proof. docs/model-file.md specifies the file.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pdbfw/certificate.hpp"
#include "pdbfw/formulation.hpp"
#include "pdbfw/matrix.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/sigmoid.hpp"

namespace pdbfw {

// A vector by its non-zeros.
struct SparseVector {
  Index size = 0;
  std::vector<Index> at;  // ascending, 0-based
  std::vector<double> value;
};

[[nodiscard]] SparseVector to_sparse(std::span<const double> dense);
[[nodiscard]] std::vector<double> to_dense(const SparseVector& sparse);  // throws InputError when too large for memory

struct Model {
  Formulation formulation;                      // ridge as a plain weight
  Index samples = 0;                            // of the training data
  SparseVector weights;                         // of the features as they are, free ones too
  bool has_sample_weight = false;               // learnt with weights, which are not in the file
  bool has_penalty_weight = false;              // the same for those of features
  double intercept = 0;                         // learnt, or read from LIBLINEAR files with a bias
  std::optional<std::array<double, 2>> labels;  // what -1 and +1 stand for; none for regression
  std::optional<Sigmoid> sigmoid;               // from scores to probabilities of +1, where it was fitted
  std::optional<Status> status;                 // how training ended; none for foreign files
  std::optional<Certificate> certificate;       // of the training run; `certify` recomputes it
  std::optional<SparseVector> proof;            // the dual point y
};

enum class ModelFormat {
  pdbfw,
  liblinear,
  mapped  // binary, for many processes at once (mapped_model.hpp): a number for every feature
};

// What a file of this name is to hold unless somebody says otherwise: mapped if it ends in .pdbm, else pdbfw.
[[nodiscard]] ModelFormat format_by_name(const std::string& path);

// All write to a temporary name and rename, so a failure leaves the old file as it was. "-" is standard output.
void write_model(const std::string& path, const Model& model, ModelFormat format = ModelFormat::pdbfw);

// Recognises every format. Throws InputError "file:line:column: what is wrong"; memory grows with the file's length,
// never with a number it states.
[[nodiscard]] Model read_model(const std::string& path);

// a_i'x + intercept for every row. Features that the model does not know count as zero weight, and the other way round.
struct Scores {
  std::vector<double> score;
  Index unknown_features = 0;  // columns of the data beyond the model's width that hold at least one entry
};
[[nodiscard]] Scores predict_scores(const DataMatrix& A, const Model& model, int threads = 1);

// Of the second label. Throws InputError for a model that has none: its loss is not logistic and it has no sigmoid.
[[nodiscard]] std::vector<double> probabilities(const Model& model, std::span<const double> scores);

}  // namespace pdbfw
