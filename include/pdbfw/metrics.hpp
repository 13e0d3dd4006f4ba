// How good predictions are.
//
// Scores lie row after row: n rows of one score for each of c labels or classes. Labels and classes are places, 0 ..
// c - 1; those from c on are labels that the model does not know (place_labels and encode_classes put them there) and
// count as missed. All throw InputError when sizes do not fit, there is nothing to count, or a number is NaN.
//
// Where rows may have weights, a finite number >= 0 each: weight 2 is the row twice, weight 0 is without it. None: all
// count the same.
//
// Where there may be a team (team.hpp), every member calls with its own rows, and all get the number of the rows of
// all.
#pragma once

#include <span>
#include <vector>

#include "pdbfw/dataset.hpp"
#include "pdbfw/team.hpp"

namespace pdbfw {

struct ScoreTable {
  std::span<const double> score;  // n x c
  Index columns = 0;              // c
};

// Which of two classes a score stands for: the second one (+1, the larger label) if it is above 0, else the first one
// (-1). So a score of 0, which every row without one of the model's features has, is of the first class. Whoever makes
// a class of a score asks here: training, prediction, cross-validation, the command line and Python.
[[nodiscard]] constexpr bool is_positive(double score) { return score > 0; }

// The class that each row is predicted to have, as its place: that of the largest score, and of equal ones the first.
// One column alone is the score of the second of two classes: is_positive() decides.
[[nodiscard]] std::vector<Index> predicted_places(const ScoreTable& scores);
// The places of the `count` largest scores of one row, the best first; of equal ones the first.
[[nodiscard]] std::vector<Index> best_places(std::span<const double> scores, Index count);

// The share of rows that are predicted to have their own class.
[[nodiscard]] double accuracy(const ScoreTable& scores, std::span<const Index> classes,
                              std::span<const double> weight = {}, const TeamPtr& team = {});

// What is right and wrong when the labels with a score above a threshold are predicted.
struct LabelMetrics {
  // F1 = 2 tp / (2 tp + fp + fn). Micro: of the counts of all labels together. Macro: the mean over the labels, where a
  // label that no row has and none is predicted to have (0 / 0) counts as 0, like zero_division=0 of scikit-learn.
  double micro_f1 = 0;
  double macro_f1 = 0;
  double hamming_loss = 0;  // the share of wrong decisions among all rows and labels
};
[[nodiscard]] LabelMetrics label_metrics(const ScoreTable& scores, const LabelLists& labels, double threshold = 0,
                                         const TeamPtr& team = {});

// The mean over the rows of: how many of the k labels with the largest scores the row has, over k. Of equal scores the
// first count. A row with fewer than k labels cannot reach 1, and one without any counts as 0.
[[nodiscard]] double precision_at(Index k, const ScoreTable& scores, const LabelLists& labels,
                                  const TeamPtr& team = {});

// The root of the mean squared error, and the mean absolute error.
[[nodiscard]] double root_mean_squared_error(std::span<const double> predicted, std::span<const double> actual,
                                             std::span<const double> weight = {}, const TeamPtr& team = {});
[[nodiscard]] double mean_absolute_error(std::span<const double> predicted, std::span<const double> actual,
                                         std::span<const double> weight = {});
// 1 - (sum of squared errors) / (the same of the mean of `actual`): 1 is perfect, 0 is no better than the mean. Where
// all numbers are equal: 1 if they are met, else 0, as scikit-learn has it.
[[nodiscard]] double r_squared(std::span<const double> predicted, std::span<const double> actual,
                               std::span<const double> weight = {}, const TeamPtr& team = {});

// Two classes: one score a row, and labels -1 and +1.
// The accuracy of these scores.
[[nodiscard]] double sign_accuracy(std::span<const double> scores, std::span<const double> labels,
                                   std::span<const double> weight = {});
// The share of pairs of a row of either label in which +1 has the larger score; equal scores count half. Needs both.
[[nodiscard]] double area_under_curve(std::span<const double> scores, std::span<const double> labels,
                                      std::span<const double> weight = {});
// F1 of the label +1; 0 where no row has it and none is predicted to.
[[nodiscard]] double positive_f1(std::span<const double> scores, std::span<const double> labels,
                                 std::span<const double> weight = {});
// The mean of log(1 + exp(-label score)): the scores are those of a logistic loss.
[[nodiscard]] double log_loss(std::span<const double> scores, std::span<const double> labels,
                              std::span<const double> weight = {});

// Probabilities from scores: Platt's sigmoid.                                                                   [M48]
//
//   const pdbfw::Sigmoid sigmoid = pdbfw::fit_sigmoid(scores, labels);   // of rows that the model was not learnt from
//   sigmoid(score)                                                       // the probability of the label +1

// p(s) = 1 / (1 + exp(-(slope s + offset))): the probability of +1 where the score is s.
struct Sigmoid {
  double slope = 1;
  double offset = 0;
  [[nodiscard]] double operator()(double score) const;
};

// The sigmoid of largest likelihood, with targets that are a little less sure than the labels, so that it is finite
// even where the scores tell the labels apart (Platt 2000), by Newton's method (Lin, Lin, Weng 2007). Labels are -1 and
// +1. Throws InputError when one of them does not occur, sizes do not fit or a score is not finite.
[[nodiscard]] Sigmoid fit_sigmoid(std::span<const double> scores, std::span<const double> labels);

}  // namespace pdbfw
