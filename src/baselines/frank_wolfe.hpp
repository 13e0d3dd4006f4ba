// What the Frank-Wolfe methods for sparse problems have in common: all but the direction and the step.
//
//   x <- x + t e,   w = A x moves along by A e, and is computed anew from time to time, so that rounding cannot pile up
#pragma once

#include <vector>

#include "baselines/primal_point.hpp"

namespace pdbfw {

// A way to go: x + t e for the step t.
struct Direction {
  std::vector<double> x;  // e
  std::vector<double> w;  // A e
};

// e = v - x and A e = A v - w. Returns the entries of A touched: the columns of v.
double aim_at(const Problem& problem, const SparseAtom& v, const PrimalPoint& from, Direction& e);

// x <- x + t e,  w <- w + t A e
void move(const Problem& problem, double t, const Direction& e, PrimalPoint& point);

// All else about a point that has moved, and its gradient: one pass over the data, or two when w is computed anew.
void arrive(const Problem& problem, int threads, PrimalPoint& point, std::vector<double>& gradient, Run& run);

class FrankWolfeEngine : public PrimalPointEngine {
 public:
  FrankWolfeEngine(const Problem& problem, const Settings& settings, const Start& start);

 protected:
  void begin() override { gradient_at(p_, answer_, gradient_); }
  void arrive(Run& run) { pdbfw::arrive(p_, threads_, answer_, gradient_, run); }

  Direction e_;
  std::vector<double> gradient_;  // at the answer
};

}  // namespace pdbfw
