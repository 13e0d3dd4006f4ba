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

// e = v + of_x x and A e = A v + of_x w. Returns the entries of A touched: the columns of v.
double aim_at(const Problem& problem, const SparseAtom& v, const PrimalPoint& from, Direction& e, double of_x = -1);

// x <- x + t e,  w <- w + t A e
void move(const Problem& problem, double t, const Direction& e, PrimalPoint& point);

// All else about a point that has moved, and its gradient: one pass over the data, or two when w is computed anew.
void arrive(const Problem& problem, int threads, PrimalPoint& point, std::vector<double>& gradient, Run& run);

// The lowest point of the objective on a line. For phi(t) = P(x + t e):
//   phi'(t) = (1/n) sum_i f_i'(w_i + t (A e)_i) (A e)_i + <grad g(x), e> + t sum_j q_j e_j^2
// O(rows that move) a slope.
[[nodiscard]] double exact_step(const Problem& problem, const PrimalPoint& from, const Direction& e, double most);

// The minimiser of the bound that L-smoothness gives:   <-grad P(x), e> / (L |e|^2),  `slope` = <grad P(x), e>.
[[nodiscard]] double short_step(const Direction& e, double slope, double L);

class FrankWolfeEngine : public PrimalPointEngine {
 public:
  FrankWolfeEngine(const Problem& p, const Settings& settings, const Start& start)
      : PrimalPointEngine(p, settings, start) {
    gradient_at(p, answer_, gradient_);
  }

 protected:
  void begin() override { gradient_at(p_, answer_, gradient_); }
  // What a step is made of; those of the other family are in low_rank/linear_step.hpp.
  void look(Run& run) { pay(run); }
  // Towards the vertex that the gradient likes best.
  const Direction& exact(Run& run) {
    p_.set->linear_oracle(gradient_, vertex_);
    run.charge(aim_at(p_, vertex_, answer_, e_), 1);
    return e_;
  }
  [[nodiscard]] double exact_step(const Direction& e) const { return pdbfw::exact_step(p_, answer_, e, 1); }
  void move(double gamma, const Direction& e, Run& run) {
    pdbfw::move(p_, gamma, e, answer_);
    arrive(run);
  }
  void arrive(Run& run) { pdbfw::arrive(p_, threads_, answer_, gradient_, run); }

  Direction e_;
  std::vector<double> gradient_;  // at the answer

 private:
  SparseAtom vertex_;
};

}  // namespace pdbfw
