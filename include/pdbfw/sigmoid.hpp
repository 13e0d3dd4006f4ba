// Probabilities from scores: Platt's sigmoid.                                                                   [M48]
//
//   const pdbfw::Sigmoid sigmoid = pdbfw::fit_sigmoid(scores, labels);   // of rows that the model was not learnt from
//   sigmoid(score)                                                       // the probability of the label +1
#pragma once

#include <span>

namespace pdbfw {

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
