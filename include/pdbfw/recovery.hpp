// Matrices recovered from few numbers: completion, affine rank minimisation, phase retrieval. Needs Eigen 3.4 on the
// caller's side.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pdbfw/data_file.hpp"
#include "pdbfw/dataset.hpp"
#include "pdbfw/formulation.hpp"
#include "pdbfw/low_rank.hpp"
#include "pdbfw/low_rank_problem.hpp"
#include "pdbfw/phase.hpp"

namespace pdbfw {

// Matrix completion: all entries of a matrix from some of them. What rows and columns explain by themselves is removed,
// the rest is a matrix of bounded trace norm (docs/low-rank.md).
//
//   pdbfw::Ratings ratings = pdbfw::read_ratings("ratings.csv");
//   pdbfw::Completion done = pdbfw::complete(ratings.entries(), {.radius = 300});
//   done.result.X.rank(), done.held_out->rmse, done.result.certificate ...
//   std::vector<double> guesses = pdbfw::predict(done, rows, columns);

struct CompletionOptions {
  std::string loss = "squared";  // or huber
  double huber_width = 1;
  Means means = Means::both;       // what is removed first
  std::optional<double> radius{};  // of the trace norm; none: the one with the smallest error on the entries held out
  Ridge ridge{0, false};
  double holdout = 0.1;  // the share of the entries that a first fit does not see; 0: no first fit
  Settings settings{};   // limits are for all solves together, but max_iterations and max_passes for each
};

struct Completion {
  // How far predictions are from entries that the fit did not see.
  struct HeldOut {
    Index entries = 0;
    double rmse = 0;  // root of the mean squared error
    double mae = 0;   // mean of the absolute errors
  };

  // One radius of a search, and what was found there.
  struct Trial {
    double radius = 0;
    double error = 0;  // held out: RMSE of the squared loss, mean absolute error of huber
    Index rank = 0;
    double seconds = 0;
  };

  TwoWayMeans means;
  low_rank::Problem problem;          // what was solved, on all entries
  low_rank::Result result;            // X: what the means leave
  double radius = 0;                  // in force
  std::vector<Trial> trials{};        // of the search for the radius, in the order of the solves
  std::optional<HeldOut> held_out{};  // of the first fit, with this radius
};

// Fits on all entries; before that, where a share is held out, on the others. The fits of a search begin at the best
// so far, and so does the fit on all entries. Throws InputError for options out of range and for entries of which
// none could be held out.
[[nodiscard]] Completion complete(const EntriesView& entries, const CompletionOptions& options = {},
                                  const Callback& callback = {});

// mean + row_i + column_j + X_ij. A row or a column -1 is an unknown one: it adds nothing.
[[nodiscard]] std::vector<double> predict(const TwoWayMeans& means, const Factors& X, std::span<const Index> row,
                                          std::span<const Index> column);

[[nodiscard]] Completion::HeldOut compare(std::span<const double> predicted, std::span<const double> value);

// Affine rank minimisation: the matrix of smallest trace norm that explains measurements A(X)_i = b_i
// (docs/low-rank.md).
//
//   pdbfw::MapPtr map = pdbfw::products_map(A, d, c);                    // or rank_one_map, quadratic_map ...
//   pdbfw::Explanation found = pdbfw::explain(map, b);
//   found.result.X, found.radius, found.misfit ...

struct ExplainOptions {
  std::string set = "trace";       // or psd_trace
  std::optional<double> radius{};  // none: the smallest with which the measurements are explained
  double misfit = 1e-6;            // explained: |A(X) - b| <= misfit |b|; ignored with a radius
  Ridge ridge{0, false};
  Settings settings{};  // limits are for all solves together, but max_iterations and max_passes for each
};

struct Explanation {
  // One radius on the way, and how far the measurements were from being explained there.
  struct Step {
    double radius = 0;
    double misfit = 0;
    Index rank = 0;
    double seconds = 0;
  };

  low_rank::Problem problem;  // squared loss
  low_rank::Result result;
  double radius = 0;          // in force
  double misfit = 0;          // |A(X) - b| / |b|
  std::vector<Step> steps{};  // of the search for the radius
};

// The optimum P(r) falls and is convex in the radius r, and so is its root; the multiplier says how fast it falls. So
// Newton's method on  sqrt P(r) = misfit sqrt P(0)  comes from below and does not go beyond the smallest radius by more
// than the solves are inexact (van den Berg, Friedlander 2008). It begins at |b|^2 / |A*(b)|, which no matrix that
// explains b can undercut. Throws InputError for options out of range and b that does not fit the map.
[[nodiscard]] Explanation explain(MapPtr map, std::span<const double> b, const ExplainOptions& options = {},
                                  const Callback& callback = {}, const low_rank::Start& start = {});

// |X - truth|_F / |truth|_F without multiplying X out. Throws InputError where the shapes differ or the truth is zero.
[[nodiscard]] double relative_error(const Factors& X, const Matrix& truth);

// Phase retrieval from beginning to end: a signal x from the intensities b_i = |a_i* x|^2 (docs/low-rank.md).
//
//   const auto m = pdbfw::phase_measurements(a, pdbfw::SignalKind::complex);   // a: n x d
//   const auto found = pdbfw::retrieve_phase(m, b);
//   pdbfw::relative_error(found.x, truth) ...                                  // phase.hpp: up to the global
//   phase

struct PhaseRetrieval {
  struct Options {
    std::optional<double> radius{};  // of the trace of X = x x*, which is |x|^2; none: room above what the data say
    Settings settings{};             // limits are for all solves together, but max_iterations and max_passes for each
  };

  Explanation explanation;  // X, its certificate, and how far the intensities are from being explained
  ComplexVector x;          // imaginary part 0 for real signals
};

// |x|^2 by least squares of the intensities on the squared lengths of their vectors, d b_i = |x|^2 |a_i|^2: exact on
// average over directions of x. Throws InputError unless it is positive.
[[nodiscard]] double squared_length(const Measurements& measurements, std::span<const double> b);

// Squared loss over the positive semidefinite matrices of trace <= radius, without a ridge. Where no radius is given it
// is twice the squared length above, and doubled as long as it binds. Throws InputError where b does not fit.
[[nodiscard]] PhaseRetrieval retrieve_phase(const Measurements& measurements, std::span<const double> b,
                                            const PhaseRetrieval::Options& options = {}, const Callback& callback = {});

}  // namespace pdbfw
