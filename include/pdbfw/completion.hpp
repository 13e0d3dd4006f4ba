// Matrix completion: all entries of a matrix from some of them. What rows and columns explain by themselves is removed,
// the rest is a matrix of bounded trace norm (docs/low-rank.md).
//
//   pdbfw::Ratings ratings = pdbfw::read_ratings("ratings.csv");
//   pdbfw::Completion done = pdbfw::complete(pdbfw::entries(ratings), {.radius = 300});
//   done.result.X.rank(), done.held_out->rmse, done.result.certificate ...
//   std::vector<double> guesses = pdbfw::predict(done, rows, columns);
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pdbfw/formulation.hpp"
#include "pdbfw/low_rank_problem.hpp"
#include "pdbfw/low_rank_solve.hpp"
#include "pdbfw/ratings.hpp"
#include "pdbfw/two_way_means.hpp"

namespace pdbfw {

struct CompletionOptions {
  std::string loss = "squared";  // or huber
  double huber_width = 1;
  Means means = Means::both;       // what is removed first
  std::optional<double> radius{};  // of the trace norm; none: the one with the smallest error on the entries held out
  Ridge ridge{0, false};
  double holdout = 0.1;  // the share of the entries that a first fit does not see; 0: no first fit
  Settings settings{};   // limits are for all solves together, but max_iterations and max_passes for each
};

// How far predictions are from entries that the fit did not see.
struct HeldOut {
  Index entries = 0;
  double rmse = 0;  // root of the mean squared error
  double mae = 0;   // mean of the absolute errors
};

// One radius of a search, and what was found there.
struct RadiusTrial {
  double radius = 0;
  double error = 0;  // held out: RMSE of the squared loss, mean absolute error of huber
  Index rank = 0;
  double seconds = 0;
};

struct Completion {
  TwoWayMeans means;
  low_rank::Problem problem;          // what was solved, on all entries
  low_rank::Result result;            // X: what the means leave
  double radius = 0;                  // in force
  std::vector<RadiusTrial> trials{};  // of the search for the radius, in the order of the solves
  std::optional<HeldOut> held_out{};  // of the first fit, with this radius
};

[[nodiscard]] EntriesView entries(const Ratings& ratings);  // borrowed

// Fits on all entries; before that, where a share is held out, on the others. The fits of a search begin at the best
// so far, and so does the fit on all entries. Throws InputError for options out of range and for entries of which
// none could be held out.
[[nodiscard]] Completion complete(const EntriesView& entries, const CompletionOptions& options = {},
                                  const Callback& callback = {});

// mean + row_i + column_j + X_ij. A row or a column -1 is one that nobody knows: it adds nothing.
[[nodiscard]] std::vector<double> predict(const TwoWayMeans& means, const Factors& X, std::span<const Index> row,
                                          std::span<const Index> column);

[[nodiscard]] HeldOut compare(std::span<const double> predicted, std::span<const double> value);

}  // namespace pdbfw
