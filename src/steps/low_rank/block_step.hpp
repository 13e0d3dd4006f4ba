// The block oracle of the two block Frank-Wolfe methods.
#pragma once

#include <algorithm>

#include "core/low_rank_judge.hpp"
#include "core/spectral_set.hpp"
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
  [[nodiscard]] Factors nearest(const BlockGoal& goal, const BlockFrom& from, Run& run) {
    const double XX = from.X.squared_norm();
    const double value = 0.5 * XX - goal.of_X * XX - goal.of_Z * from.inner;  // 1/2 |X|^2 - <X, centre>
    const bool is_wide = std::min(goal.s, last_rank_) * kShareOfSide >= std::min(p_.d(), p_.c());
    run.charge(0, 1);
    if (from.Z.is_formed() && (is_wide || from.X.formed() != nullptr)) {
      centre_ = goal.of_X * from.X.dense() + goal.of_Z * from.Z.formed();
      return ask(DenseOperator(centre_), goal, value);
    }
    const auto X = from.X.as_operator();
    return ask(SumOperator({{goal.of_X, X.get()}, {goal.of_Z, &from.Z.Z()}}), goal, value);
  }

  [[nodiscard]] double work() const { return top_.work(); }

 private:
  // Where the rank asked for is this share of the smaller side, entries are worth more than products.
  static constexpr Index kShareOfSide = 8;
  // Values asked for beyond those that had an effect last time.
  static constexpr Index kMargin = 4, kMarginShare = 4;

  [[nodiscard]] Factors ask(const Operator& centre, const BlockGoal& goal, double from) {
    Index s = std::min(goal.s, last_rank_ + std::max(kMargin, last_rank_ / kMarginShare));
    for (;; s = std::min(2 * s, goal.s)) {
      Factors V = p_.set->block_oracle(centre, s, from, goal.accuracy, top_);
      last_rank_ = V.rank();
      if (last_rank_ < s || s == goal.s) return V;
    }
  }

  const Problem& p_;
  TopSpectrum top_;
  Index last_rank_ = 0;
  Matrix centre_;
};

}  // namespace pdbfw::low_rank
