// Newton's model on many features: coordinate descent column by column, against what the model says of the rows.  [M15]
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "core/run.hpp"
#include "pdbfw/problem.hpp"
#include "solvers/newton_model.hpp"

namespace pdbfw {

// A point, and the loss there: on features W, x; f' and f'' of the rows, the latter not below what the caller wants.
struct ColumnModel {
  std::span<const Index> features;
  std::span<const double> x;
  std::span<const double> slope, bend;
  std::span<const double> gradient, free_gradient;  // of the loss and the ridge, at x; of the free weights
  Hold hold;
  double multiplier = 0;  // a guess of the ball's, or not a number
  double stiffness = 1;   // a guess: how fast |x|_1 falls with it, beside how fast it would if columns were orthogonal
  double accuracy = 0;  // the model is solved when a cycle changes nothing by more than this share of the first change
  int most_extrapolations = std::numeric_limits<int>::max();  // after which it ends where it is
  double most_work = 0;                                       // multiply-adds, and so does it after these
};

struct ColumnStep {
  std::vector<double> x;                 // on W
  std::vector<double> free;              // how far the weights of free columns move
  double multiplier = 0, stiffness = 1;  // the first is not a number where there was no time to find the ball's
  double work = 0;                       // multiply-adds
  bool is_bounded = true;  // false where an entry that does not curve wants to move: the model has no minimum
};

// An (almost) minimiser of the model. The run is charged.
[[nodiscard]] ColumnStep descend_by_columns(const Problem& problem, const ColumnModel& model, Run& run);

}  // namespace pdbfw
