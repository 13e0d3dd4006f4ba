// Estimates of the gradient from samples drawn at random, with all entries.
#pragma once

#include <span>

#include "low_rank/primal_point.hpp"
#include "low_rank/sample.hpp"

namespace pdbfw::low_rank {

class SampledGradient {
 public:
  SampledGradient(const Problem& problem, int threads, std::uint64_t seed)
      : p_(problem), threads_(threads), sampler_(problem.n(), seed) {}

  // at.u = -(1/b) sum_i A_i*(grad f_i(W_i))  over b samples, for a W = A(X) that is known; all of them, and exact,
  // where b >= n: then at.Y and at.value are those of X, too. Returns the multiply-adds.
  double plain(Index b, PrimalPoint& at);
  // at.u = u~ - (1/b) sum_i A_i*( grad f_i(W_i) - Y~_i ): its noise vanishes as X and the snapshot meet.
  double reduced(Index b, const PrimalPoint& snapshot, PrimalPoint& at);
  // The same for given samples and a W that is not known.
  double reduced(std::span<const Index> chosen, const PrimalPoint& snapshot, PrimalPoint& at);

  [[nodiscard]] Sampler& sampler() { return sampler_; }

 private:
  // at.u -= (1/b) sum_i A_i*(Y_i)
  double add(const std::vector<Index>& rows, const Matrix& Y, PrimalPoint& at);
  // grad f_i(W_i)
  [[nodiscard]] Matrix gradients(const std::vector<Index>& rows, const Matrix& W) const;

  const Problem& p_;
  int threads_;
  Sampler sampler_;
};

}  // namespace pdbfw::low_rank
