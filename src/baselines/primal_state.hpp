// A primal point with its products and its gradient: what the primal methods keep, and the dual point it suggests.
//
//   here      maths                      |  invariants
//   x         iterate, in C              |    (I1) w = A x, restored from time to time
//   w         A x                        |    (I2) after look(): y = f'(w), u = -A'y/n, gradient = -u + grad g(x)
//   y         f'(w), the dual candidate  |
#pragma once

#include <vector>

#include "core/judge.hpp"
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

// At x, or where solvers begin if it is empty; looked at: two passes over the data.
[[nodiscard]] PrimalState primal_state_at(const Problem& problem, const Settings& settings, std::vector<double> x);

// (I2): one pass over the data.
void look(const Problem& problem, const Settings& settings, PrimalState& st);

// (I1), so that rounding cannot pile up: a pass.
void refresh(const Problem& problem, const Settings& settings, PrimalState& st);
// Whether that is due: every thousandth iteration only.
[[nodiscard]] bool refresh_is_due(const Run& run);

// x <- x + t e,  w <- w + t A e
void move(const Problem& problem, double t, const Direction& e, PrimalState& st);

// P(x) and D(y): O(n + d).
[[nodiscard]] Estimate estimate(const Problem& problem, PrimalState& st);

// <v, x>
[[nodiscard]] double dot(const std::vector<double>& v, const std::vector<double>& x);

// e = v - x and A e = A v - w. Returns the entries of A touched: the columns of v.
double aim_at(const Problem& problem, const SparseAtom& v, const PrimalState& st, Direction& e);

// What the Frank-Wolfe methods have in common: all but the direction and the step.
class FrankWolfeEngine : public Engine {
 public:
  FrankWolfeEngine(const Problem& problem, const Settings& settings, const Start& start);
  void radius_has_changed() override;
  [[nodiscard]] Estimate estimate() override { return pdbfw::estimate(p_, st_); }
  [[nodiscard]] Point point() override { return {st_.x, st_.y}; }

 protected:
  [[nodiscard]] bool is_theory() const { return settings_.steps == "theory"; }
  // Charges what was done before there was a run.
  void begin(Run& run);
  // The products and the gradient, once x has moved.
  void arrive(Run& run);

  const Problem& p_;
  const Settings settings_;
  PrimalState st_;
  Direction e_;

 private:
  [[nodiscard]] double pass() const { return static_cast<double>(p_.A->nonzeros()); }

  double owed_;  // entries touched before there was a run
};

}  // namespace pdbfw
