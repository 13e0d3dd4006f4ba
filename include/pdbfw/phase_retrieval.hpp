// Phase retrieval from beginning to end: a signal x from the intensities b_i = |a_i* x|^2 (docs/low-rank.md).
//
//   const auto m = pdbfw::phase_measurements(a, pdbfw::SignalKind::complex);   // a: n x d
//   const auto found = pdbfw::retrieve_phase(m, b);
//   pdbfw::relative_error(found.x, truth) ...                                  // phase.hpp: up to the global phase
#pragma once

#include <optional>
#include <span>

#include "pdbfw/phase.hpp"
#include "pdbfw/rank_minimisation.hpp"

namespace pdbfw {

struct PhaseOptions {
  std::optional<double> radius{};  // of the trace of X = x x*, which is |x|^2; none: room above what the data say
  Settings settings{};             // limits are for all solves together, but max_iterations and max_passes for each
};

struct PhaseRetrieval {
  Explanation explanation;  // X, its certificate, and how far the intensities are from being explained
  ComplexVector x;          // imaginary part 0 for real signals
};

// |x|^2 by least squares of the intensities on the squared lengths of their vectors, d b_i = |x|^2 |a_i|^2: exact on
// average over directions of x. Throws InputError unless it is positive.
[[nodiscard]] double squared_length(const Measurements& measurements, std::span<const double> b);

// Squared loss over the positive semidefinite matrices of trace <= radius, without a ridge. Where no radius is given it
// is twice the squared length above, and doubled as long as it binds. Throws InputError where b does not fit.
[[nodiscard]] PhaseRetrieval retrieve_phase(const Measurements& measurements, std::span<const double> b,
                                            const PhaseOptions& options = {}, const Callback& callback = {});

}  // namespace pdbfw
