#include "steps/low_rank/block_step.hpp"

#include <algorithm>

#include "core/spectral_set.hpp"
#include "linalg/operators.hpp"

namespace pdbfw::low_rank {
namespace {

// Where the rank asked for is this share of the smaller side, entries are worth more than products.
constexpr Index kShareOfSide = 8;
// Values asked for beyond those that had an effect last time.
constexpr Index kMargin = 4, kMarginShare = 4;

}  // namespace

Factors BlockStep::ask(const Operator& centre, const BlockGoal& goal, double from) {
  Index s = std::min(goal.s, last_rank_ + std::max(kMargin, last_rank_ / kMarginShare));
  for (;; s = std::min(2 * s, goal.s)) {
    Factors V = p_.set->block_oracle(centre, s, from, goal.accuracy, top_);
    last_rank_ = V.rank();
    if (last_rank_ < s || s == goal.s) return V;
  }
}

Factors BlockStep::nearest(const BlockGoal& goal, const BlockFrom& from, Run& run) {
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

}  // namespace pdbfw::low_rank
