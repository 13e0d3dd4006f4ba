// Scores and probabilities of a model for data. Needs Eigen 3.4 on the caller's side.
//
//   const pdbfw::Model model = pdbfw::read_model("news20.model");
//   const pdbfw::Scores scores = pdbfw::predict_scores(*data.A, model);
//   scores.score(i, k), pdbfw::predicted_places(scores.table()), pdbfw::probabilities(model, scores.score) ...
#pragma once

#include "pdbfw/factors.hpp"
#include "pdbfw/metrics.hpp"
#include "pdbfw/model.hpp"

namespace pdbfw {

struct Scores {
  Matrix score;                // one row per row of the data, one column per output of the model
  Index unknown_features = 0;  // columns of the data beyond the model's width that hold at least one entry

  [[nodiscard]] ScoreTable table() const { return {all(), score.cols()}; }
  [[nodiscard]] std::span<const double> all() const {  // row after row
    return {score.data(), static_cast<std::size_t>(score.size())};
  }
};

// a_i'x + intercept for every row and every output. Features that the model does not know count as zero weight, and
// weights beyond the data's width are not used. Throws InputError for a matrix that was not learnt from rows of
// features (Model::map).
[[nodiscard]] Scores predict_scores(const DataMatrix& A, const Model& model, int threads = 1);

// The same scores to the last bit as those of its model(), without a copy of the weights unless the data are wider than
// the model.
[[nodiscard]] Scores predict_scores(const DataMatrix& A, const MappedModel& model, int threads = 1);

// From such scores; of the kind vector, the probability of the second class. One class per row: they sum to 1 in a row;
// for the kind one_vs_rest those of every class, divided by their sum. Throws InputError for a model that has none: its
// loss is not logistic, multilabel_logistic or softmax and it has no sigmoids.
[[nodiscard]] Matrix probabilities(const Model& model, Matrix scores);

}  // namespace pdbfw
