// The problem:   min over x in C of   P(x) = (1/n) sum_i f_i(a_i'x) + g(x).                               [M1]
#pragma once

#include <memory>
#include <vector>

#include "pdbfw/loss.hpp"
#include "pdbfw/matrix.hpp"
#include "pdbfw/set.hpp"
#include "pdbfw/team.hpp"

namespace pdbfw {

// Plain data, immutable while it is solved, safe to share between threads. `make_problem` (formulation.hpp) builds one
// from names and numbers; filling the fields by hand allows losses, regularisers and sets of your own.
struct Problem {
  MatrixPtr A;                       // n x d
  std::shared_ptr<const Loss> loss;  // with the n targets
  std::shared_ptr<const Regulariser> regulariser;
  std::shared_ptr<const Set> set;

  // What make_problem did to the features; feature_weights (solve.hpp) undoes it.
  std::vector<double> feature_scale{};  // empty, or: a column of A is that of the data times this
  std::vector<Index> free_features{};   // ascending: columns of the data that are the loss's free ones, and not in A
  bool has_intercept = false;           // a column of ones is the last of the free ones

  // Where several processes share the work, A and the loss are those of the rows here, and samples() counts all.
  TeamPtr team{};
  Index samples_of_team = 0;

  [[nodiscard]] Index n() const { return A->rows(); }  // here
  [[nodiscard]] Index samples() const { return team ? samples_of_team : n(); }
  [[nodiscard]] Index d() const { return A->columns(); }  // what C, g and x know of
  [[nodiscard]] Index features() const { return d() + static_cast<Index>(free_features.size()); }  // of the data
};

}  // namespace pdbfw
