// A primal point with its products and its gradient: what the primal methods keep, and the dual point it suggests.
//
//   here      maths                      |  invariants
//   x         iterate, in C              |    (I1) w = A x, restored from time to time
//   w         A x                        |    (I2) after look(): y = f'(w), u = -A'y/n, gradient = -u + grad g(x)
//   y         f'(w), the dual candidate  |
#pragma once

#include <vector>

#include "core/monitor.hpp"
#include "pdbfw/problem.hpp"
#include "pdbfw/settings.hpp"

namespace pdbfw {

struct PrimalState {
  std::vector<double> x, w;
  std::vector<double> y, u, gradient;
  DeadZone zone{};  // of the last dual value: a guess for the next
};

// A way to go: x + t e for the step t.
struct Direction {
  std::vector<double> x;  // e
  std::vector<double> w;  // A e
};

// At the start's x, looked at.
[[nodiscard]] PrimalState make_primal_state(const Problem& problem, const Settings& settings, const Start& start,
                                            Monitor& monitor);

// (I2): one pass over the data.
void look(const Problem& problem, const Settings& settings, PrimalState& st, Monitor& monitor);

// (I1), so that rounding cannot pile up: a pass, every thousandth iteration only.
void refresh_now_and_then(const Problem& problem, const Settings& settings, PrimalState& st, Monitor& monitor);

// x <- x + t e,  w <- w + t A e
void move(const Problem& problem, double t, const Direction& e, PrimalState& st);

// P(x) and D(y): O(n + d).
[[nodiscard]] Estimate estimate(const Problem& problem, PrimalState& st);

// <v, x>
[[nodiscard]] double dot(const std::vector<double>& v, const std::vector<double>& x);

// e = v - x and A e = A v - w. Returns the entries of A touched: the columns of v.
double aim_at(const Problem& problem, const SparseAtom& v, const PrimalState& st, Direction& e);

}  // namespace pdbfw
