// The one judge. Everything is recomputed from A, b, x and y; nothing a solver kept on its way is trusted.  [M2]
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pdbfw/problem.hpp"

namespace pdbfw {

// P(x) >= P* = D* >= D(y) for every x in C and every y: the gap bounds how far P(x) is above the optimum.
struct Certificate {
  double primal = 0;        // P(x)
  double dual = 0;          // D(y), y balanced first if there is an intercept; -inf outside the conjugate's domain
  double gap = 0;           // P(x) - D(y) >= P(x) - P*, no less than its rounding; 0 where they agree to 13 digits
  double relative_gap = 0;  // gap / max(|P(x)|, tiny), tiny = kTinyFraction * P(0); the one stop rule
  double violation = 0;     // 0 when x lies in C
};

// Below this fraction of the objective at zero an objective counts as zero, so that a problem whose optimum is zero
// still ends.
inline constexpr double kTinyFraction = 1e-9;

[[nodiscard]] Certificate certify(const Problem& problem, std::span<const double> x, std::span<const double> y,
                                  int threads = 1);

// A relative gap in words: "9.02e-08", or "0, within rounding".
[[nodiscard]] std::string text_of_gap(double relative_gap, int digits = 2);

// For an x that came without a dual point: y_i = f_i'(a_i'x), which is optimal when x is.
[[nodiscard]] std::vector<double> dual_candidate(const Problem& problem, std::span<const double> x, int threads = 1);

}  // namespace pdbfw
