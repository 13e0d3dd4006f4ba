// Which radius, or which penalty? k-fold cross-validation over a path of them. The folds share the data in memory: a
// row that is held out has the weight 0.
//
//   const pdbfw::CrossValidation cv = pdbfw::cross_validate(samples, {.formulation = {.loss = "logistic"}});
//   cv.radii[cv.best], cv.radii[cv.one_standard_error], cv.mean[cv.best]
//
//   pdbfw::cross_validate(samples, {.formulation = {.loss = "logistic"}, .is_by_penalty = true}).alphas ...
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pdbfw/formulation.hpp"
#include "pdbfw/samples.hpp"
#include "pdbfw/solve.hpp"

namespace pdbfw {

// From the largest radius that matters down to `smallest` times that, each the same factor below the last. What matters
// is found by one solve: the problem's own radius or, where that does not bind, the norm of the solution.
[[nodiscard]] std::vector<double> path_radii(const Problem& problem, const PathOptions& options = {},
                                             const Settings& settings = {}, const Callback& callback = {});

// Rows to folds 0 .. folds - 1: equal shares, of every label too where there are at most 20 of them; with groups, all
// rows of a group in one fold, the largest groups dealt out first. Throws InputError.
[[nodiscard]] std::vector<Index> make_folds(std::span<const double> targets, Index folds, std::uint64_t seed = 0,
                                            std::span<const Index> groups = {});

struct CrossValidationOptions {
  Formulation formulation{};     // its radius is the largest that is tried
  bool is_by_penalty = false;    // penalties are compared (solve.hpp), not radii; `alphas` imply it
  std::vector<double> radii{};   // empty: path_radii of all rows
  std::vector<double> alphas{};  // empty: path_alphas of all rows
  PathOptions path{};            // for those from the data
  std::string score = "auto";    // score_names(); auto: accuracy of labels, rmse of numbers
  Index folds = 5;               // 2 .. 1,000
  std::vector<Index> groups{};   // empty, or the group of each row
};

struct CrossValidation {
  std::string score;  // which
  bool larger_is_better = true;
  std::vector<double> radii;                 // ascending; empty where penalties were compared
  std::vector<double> alphas;                // descending: the sparsest model is the first one here, too
  std::vector<std::vector<double>> of_fold;  // [fold][radius]: on the rows held out, by their sample weights
  std::vector<double> mean, standard_error;  // over the folds
  std::size_t best = 0;                      // the smallest radius, or largest penalty, of the best mean
  std::size_t one_standard_error = 0;        // the same of the means within one standard error of the best
  double largest_relative_gap = 0;           // certified, over all folds and radii
  bool is_complete = true;                   // false: the callback stopped it, and the folds that are there are whole
};

// Two classes or one number per row. Throws InputError. The settings' limits are those of one solve; their seed deals
// out the folds too.
[[nodiscard]] CrossValidation cross_validate(const Samples& samples, const CrossValidationOptions& options = {},
                                             const Settings& settings = {}, const Callback& callback = {});

// The score of every row, by a model that was learnt without its fold: what fit_sigmoid (metrics.hpp) is to be given.
// Throws InputError. Where the callback stops it, the list is empty.
//
// With a team, A, b, sample weights and the scores are those of the rows of this member; all members call it. The folds
// are those of all rows, whose targets go to every member for it. Throws TeamLost.
[[nodiscard]] std::vector<double> out_of_fold_scores(const MatrixPtr& A, const std::vector<double>& b,
                                                     const Formulation& formulation, const Settings& settings = {},
                                                     const Callback& callback = {}, Index folds = 5,
                                                     const TeamPtr& team = {});

[[nodiscard]] std::vector<std::string_view> score_names();

}  // namespace pdbfw
