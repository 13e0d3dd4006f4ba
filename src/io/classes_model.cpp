#include "pdbfw/classes_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "io/unknown_features.hpp"
#include "linalg/block_products.hpp"

namespace pdbfw {
namespace {

[[noreturn]] void refuse_probabilities(const std::string& loss, bool can_fit) {
  throw InputError("probabilities", fmt::format("loss {}", loss),
                   can_fit ? "a model that was trained with --probabilities, or the loss logistic or softmax"
                           : "only for the losses logistic, multilabel_logistic and softmax");
}

bool is_hinge(const std::string& loss) { return loss == "smooth_hinge" || loss == "squared_hinge"; }

// exp(s_j) / sum_k exp(s_k), in place.
void normalise_exponentials(std::span<double> row) {
  const double top = *std::max_element(row.begin(), row.end());
  double sum = 0;
  for (double& entry : row) sum += entry = std::exp(entry - top);
  for (double& entry : row) entry /= sum;
}

// Each by its own sigmoid, divided by their sum; equal where all of them are too small for a double.
void normalise_sigmoids(std::span<double> row, std::span<const Sigmoid> sigmoids) {
  double sum = 0;
  for (std::size_t k = 0; k < row.size(); ++k) sum += row[k] = (sigmoids.empty() ? Sigmoid{} : sigmoids[k])(row[k]);
  for (double& entry : row) entry = sum > 0 ? entry / sum : 1 / static_cast<double>(row.size());
}

}  // namespace

ClassScores predict_scores(const DataMatrix& A, const ClassesModel& model, int threads) {
  const auto classes = static_cast<Index>(model.classes.size());
  // The features that any class looks at and the data have, in order.
  std::map<Index, Index> row_of;
  for (const SparseVector& column : model.weights)
    for (const Index j : column.at)
      if (j < A.columns()) row_of[j] = 0;
  std::vector<Index> at;
  for (auto& [feature, row] : row_of) {
    row = static_cast<Index>(at.size());
    at.push_back(feature);
  }
  Matrix weights = Matrix::Zero(static_cast<Index>(at.size()), classes);
  for (Index k = 0; k < classes; ++k) {
    const SparseVector& column = model.weights[static_cast<std::size_t>(k)];
    for (std::size_t e = 0; e < column.at.size() && column.at[e] < A.columns(); ++e)
      weights(row_of[column.at[e]], k) = column.value[e];
  }
  Matrix scores;
  multiply_rows(A, at, weights, scores, threads);
  for (Index k = 0; k < classes; ++k) scores.col(k).array() += model.intercepts[static_cast<std::size_t>(k)];
  return {{scores.data(), scores.data() + scores.size()}, count_unknown_features(A, model.features)};
}

std::vector<double> probabilities(const ClassesModel& model, std::span<const double> scores) {
  const std::string& loss = model.formulation.loss;
  const bool has_sigmoids = !model.sigmoids.empty();
  if (!has_sigmoids && loss != "softmax" && loss != "logistic")
    refuse_probabilities(loss, model.strategy == Strategy::one_vs_rest && is_hinge(loss));
  const std::size_t classes = model.classes.size();
  if (scores.size() % classes != 0)
    throw InputError("scores", fmt::format("{} of them", scores.size()), fmt::format("{} a row", classes));
  std::vector<double> out(scores.begin(), scores.end());
  for (std::size_t first = 0; first < out.size(); first += classes) {
    const std::span<double> row{out.data() + first, classes};
    if (!has_sigmoids && loss == "softmax")
      normalise_exponentials(row);
    else
      normalise_sigmoids(row, model.sigmoids);
  }
  return out;
}

std::vector<double> probabilities(const Model& model, std::span<const double> scores) {
  const std::string& loss = model.formulation.loss;
  if (!model.sigmoid && loss != "logistic") refuse_probabilities(loss, is_hinge(loss));
  const Sigmoid sigmoid = model.sigmoid.value_or(Sigmoid{});
  std::vector<double> out;
  out.reserve(scores.size());
  for (const double score : scores) out.push_back(sigmoid(score));
  return out;
}

}  // namespace pdbfw
