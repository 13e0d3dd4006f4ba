// A learnt model: the weights, what they were learnt for, and the proof. docs/model-file.md specifies the file.
// Needs Eigen 3.4 on the caller's side.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pdbfw/factors.hpp"
#include "pdbfw/formulation.hpp"
#include "pdbfw/metrics.hpp"
#include "pdbfw/result.hpp"

namespace pdbfw {

// A vector by its non-zeros.
struct SparseVector {
  Index size = 0;
  std::vector<Index> at;  // ascending, 0-based
  std::vector<double> value;

  [[nodiscard]] static SparseVector of(std::span<const double> dense);
  [[nodiscard]] std::vector<double> dense() const;  // throws InputError when too large for memory
};

// What the weights are. The first three kinds are sparse.
enum class ModelKind {
  vector,       // one vector: two classes, or one number per row
  one_vs_rest,  // one vector per class, each learnt against all other classes and each with its own certificate
  joint,        // one vector per class, all learnt together: one certificate
  matrix        // a matrix of low rank by its factors: labels, classes or numbers, or the entries of a matrix
};
[[nodiscard]] std::string_view to_string(ModelKind kind);

struct Model {
  ModelKind kind = ModelKind::vector;
  Formulation formulation;          // sample weights, penalty weights and atoms are not in the file
  Index samples = 0;                // of the training data
  bool has_sample_weight = false;   // learnt with weights of samples
  bool has_penalty_weight = false;  // learnt with weights of features

  // One vector of weights per output for the sparse kinds, of the features as they are; factors, features x outputs,
  // for the kind matrix.
  std::vector<SparseVector> weights;
  Factors factors;
  std::vector<double> intercepts;  // sparse kinds: none, which is all zero, or one per output

  // What the outputs stand for. Kind vector: what -1 and +1 stand for, in this order, or none if the targets are
  // numbers. Other kinds: the target of each output; for the kind matrix also none, or labels instead.
  std::vector<double> classes;
  std::vector<Index> labels;      // kind matrix: the label of each output (MultilabelDataset::ids)
  std::vector<Sigmoid> sigmoids;  // from scores to probabilities: none, or one per output

  // How training ended: none, or one of both; for the kind one_vs_rest one of both per output. `certify` recomputes
  // the certificates.
  std::vector<Status> statuses;
  std::vector<Certificate> certificates;

  // The dual point, samples x outputs: none, or one column per output for the sparse kinds; for the kind matrix a
  // dense matrix, empty if there is none.
  std::vector<SparseVector> proof;
  Matrix matrix_proof;

  // Kind matrix: the name of the linear map between the matrix and the samples (linear_map.hpp).
  std::string map = "rows";
  // Matrix completion: what rows and columns are called (no names: the numbers from 1 up), and what was removed from
  // the entries before: entry (i, j) is  mean + row_means[i] + column_means[j] + X_ij. Empty means are zeros.
  std::vector<std::string> row_names, column_names;
  double mean = 0;
  std::vector<double> row_means, column_means;

  [[nodiscard]] Index features() const;
  [[nodiscard]] Index outputs() const;  // 1 for the kind vector
  [[nodiscard]] double intercept(Index output = 0) const;
};

enum class ModelFormat {
  pdbfw,      // text
  liblinear,  // LIBLINEAR's text: the kind vector with two classes
  mapped      // binary, for many processes at once (MappedModel): the kind vector, one number per feature
};

// Writes to a temporary name and renames, so a failure leaves the old file as it was. "-" is standard output. Throws
// InputError for a model that could not be read back or that the format cannot hold.
void write_model(const std::string& path, const Model& model, ModelFormat format = ModelFormat::pdbfw);

// Recognises every format; "-" is standard input. Throws InputError "file:line:column: what is wrong"; memory grows
// with the file's length, never with a number it states.
[[nodiscard]] Model read_model(const std::string& path);

// A model file that is mapped into memory instead of read: the processes of a machine that use one share its pages.
// The numbers lie in the file's own pages. A copy of this is another view of them.
struct MappedModel {
  Model head;                           // of the kind vector: all but weights and proof, of which it has the sizes
  std::span<const double> weights;      // one per feature, zeros too
  std::span<const double> proof;        // one per sample; empty where the head has none
  std::shared_ptr<const void> storage;  // keeps both

  [[nodiscard]] Model model() const;  // with weights and proof of its own
};

// Version, sizes, checksum and numbers are checked first; throws InputError that begins with the file's name. Nothing
// may cut or overwrite the file while it is in use. To replace it is fine, as write_model does it: a process that has
// the old one keeps it.
[[nodiscard]] MappedModel map_model(const std::string& path);

}  // namespace pdbfw
