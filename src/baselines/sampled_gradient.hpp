// Estimates of the gradient from rows drawn at random.
#pragma once

#include <vector>

#include "base/random.hpp"
#include "baselines/primal_point.hpp"

namespace pdbfw {

class SampledGradient {
 public:
  SampledGradient(const Problem& problem, int threads, std::uint64_t seed)
      : p_(problem), threads_(threads), random_(seed) {}

  // at.u = -(1/b) sum_i f_i'(a_i'x) a_i  over b rows, drawn with replacement; all of them, and exact, where b >= n.
  // Then at.w, at.y and at.value are those of x, too. Returns the entries of A touched.
  double plain(Index b, PrimalPoint& at);
  // at.u = u~ - (1/b) sum_i ( f_i'(a_i'x) - y~_i ) a_i: its noise vanishes as x and the snapshot meet.
  double reduced(Index b, const PrimalPoint& snapshot, PrimalPoint& at);
  // The same for an x whose at.y = f'(A x) is known already.
  double reduced_from_derivatives(Index b, const PrimalPoint& snapshot, PrimalPoint& at);

  // The variance of one row's gradient, at a point that has been looked at:  (1/n) sum_i f_i'^2 |a_i|^2 - |u|^2
  // The norms of the rows are charged when they are first needed.
  [[nodiscard]] double variance(const PrimalPoint& at, Run& run);
  // Of the rows that hold d entries, which pays for what costs O(d) per batch.
  [[nodiscard]] double first_batch() const;

 private:
  // at.u -= (1/b) sum_i change(i) a_i, where change(i, line) is a number.
  template <class Change>
  double sample(Index b, PrimalPoint& at, const Change& change);

  const Problem& p_;
  int threads_;
  Random random_;
  std::vector<double> squared_row_norms_;
};

}  // namespace pdbfw
