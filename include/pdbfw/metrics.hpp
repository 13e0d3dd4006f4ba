// How good predictions are.
//
// Scores lie row after row: n rows of one score for each of c labels or classes. Labels and classes are places, 0 ..
// c - 1; those from c on are labels that the model does not know (place_labels and encode_classes put them there) and
// count as missed. All throw InputError when sizes do not fit, there is nothing to count, or a number is NaN.
//
// Where rows may have weights, a finite number >= 0 each: weight 2 is the row twice, weight 0 is without it. None: all
// count the same.
#pragma once

#include <span>

#include "pdbfw/label_lists.hpp"

namespace pdbfw {

struct ScoreTable {
  std::span<const double> score;  // n x c
  Index columns = 0;              // c
};

// The share of rows whose largest score is that of their class; of equal scores the first counts.
[[nodiscard]] double accuracy(const ScoreTable& scores, std::span<const Index> classes);

// What is right and wrong when the labels with a score above a threshold are predicted.
struct LabelMetrics {
  // F1 = 2 tp / (2 tp + fp + fn). Micro: of the counts of all labels together. Macro: the mean over the labels, where a
  // label that no row has and none is predicted to have (0 / 0) counts as 0, like zero_division=0 of scikit-learn.
  double micro_f1 = 0;
  double macro_f1 = 0;
  double hamming_loss = 0;  // the share of wrong decisions among all rows and labels
};
[[nodiscard]] LabelMetrics label_metrics(const ScoreTable& scores, const LabelLists& labels, double threshold = 0);

// The mean over the rows of: how many of the k labels with the largest scores the row has, over k. Of equal scores the
// first count. A row with fewer than k labels cannot reach 1, and one without any counts as 0.
[[nodiscard]] double precision_at(Index k, const ScoreTable& scores, const LabelLists& labels);

// The root of the mean squared error, and the mean absolute error.
[[nodiscard]] double root_mean_squared_error(std::span<const double> predicted, std::span<const double> actual,
                                             std::span<const double> weight = {});
[[nodiscard]] double mean_absolute_error(std::span<const double> predicted, std::span<const double> actual,
                                         std::span<const double> weight = {});
// 1 - (sum of squared errors) / (the same of the mean of `actual`): 1 is perfect, 0 is no better than the mean. Where
// all numbers are equal: 1 if they are met, else 0.
[[nodiscard]] double r_squared(std::span<const double> predicted, std::span<const double> actual,
                               std::span<const double> weight = {});

// Two classes: one score a row, and labels -1 and +1.
// The share of rows whose score has the sign of their label; a score of 0 counts as +1.
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

}  // namespace pdbfw
