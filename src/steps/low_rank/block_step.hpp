// The block oracle of the two block Frank-Wolfe methods.
#pragma once

#include "core/low_rank_judge.hpp"
#include "linalg/operators.hpp"
#include "steps/low_rank/adjoint.hpp"
#include "steps/low_rank/iterate.hpp"

namespace pdbfw::low_rank {

// Where a block step begins: X, Z = A*(Y), and <X, Z> = <W, Y>, which costs no product.
struct BlockFrom {
  const Iterate& X;
  const Adjoint& Z;
  double inner;
};

// The quadratic model of the step: X_tilde is the nearest point of C of rank at most s to  of_X X + of_Z Z.  [M26]
struct BlockGoal {
  double of_X, of_Z;
  Index s;
  double accuracy;  // the additive part of (1/2, accuracy), in units of |X|^2
};

class BlockStep {
 public:
  BlockStep(const Problem& problem, const Settings& settings)
      : p_(problem), top_(problem.set->spectrum(), settings.threads, settings.seed) {}

  // Asks the oracle for a few more values than had an effect last time, and for more only if all of them have one: a
  // value that the projection sets to zero has no larger one behind it.
  [[nodiscard]] Factors nearest(const BlockGoal& goal, const BlockFrom& from, Run& run);

  [[nodiscard]] double work() const { return top_.work(); }

 private:
  [[nodiscard]] Factors ask(const Operator& centre, const BlockGoal& goal, double from);

  const Problem& p_;
  TopSpectrum top_;
  Index last_rank_ = 0;
  Matrix centre_;
};

}  // namespace pdbfw::low_rank
