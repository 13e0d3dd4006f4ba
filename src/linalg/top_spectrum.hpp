// The largest singular values (or eigenvalues) of an operator, with a bound on those that were not computed.
#pragma once

#include <cstdint>

#include "linalg/operators.hpp"

namespace pdbfw {

enum class Spectrum {
  singular_values,
  eigenvalues  // of a symmetric operator, the largest ones (not in magnitude): U = V
};

// A block method that starts from the subspace in which its last call ended: what an oracle keeps from one iteration to
// the next. All randomness comes from the seed.
class TopSpectrum {
 public:
  TopSpectrum(Spectrum spectrum, int threads, std::uint64_t seed = 0)
      : spectrum_(spectrum), threads_(threads), seed_(seed) {}

  // The s largest, descending (fewer where the operator has fewer), each with a residual |M v - sigma u|, M the
  // operand, of at most `accuracy` times the largest value.
  [[nodiscard]] Factors largest(const Operator& operand, Index s, double accuracy);

  // All that exceed `border`, with the same accuracy.
  [[nodiscard]] Factors above(const Operator& M, double border, double accuracy);

  // An upper bound on every value of the operand M that is not among `top`, whose U spans the subspace that was looked
  // at:
  //     sigma_{s+1}(M) <= | M - U U'M |_2                                                              [M25]
  // (of eigenvalues: the largest eigenvalue of (I - UU') M (I - UU'), or 0 where that is negative). Exact (up to
  // rounding, which is added) where the smaller side of M is at most kExactSide; else it holds except with a
  // probability below 1e-12 over the seed. It is made as tight as needed to be at most `border`, or within (1 + slack)
  // of the true value.
  [[nodiscard]] double bound_beyond(const Operator& operand, const Factors& top, double border, double slack);

  static constexpr Index kExactSide = 2000;
  // Whether bound_beyond() is exact for this operator: its smaller side, and its size unless its entries are at hand.
  [[nodiscard]] static bool is_exact_for(const Operator& M);

  // For the next caller with the same kind of operator: how many values mattered to the last one; 0 at first.
  void expect(Index values) { expected_ = values; }
  [[nodiscard]] Index expected() const { return expected_; }

  // Forget the subspace, e.g. when another problem begins.
  void restart() {
    subspace_.resize(0, 0);
    expected_ = 0;
  }
  // Multiply-adds in products with operators so far.
  [[nodiscard]] double multiply_adds() const { return multiply_adds_; }
  // With the decompositions of small matrices, in multiply-adds of products that take as long.
  [[nodiscard]] double work() const { return multiply_adds_ + decomposing_; }
  [[nodiscard]] Spectrum spectrum() const { return spectrum_; }
  [[nodiscard]] int threads() const { return threads_; }

 private:
  Spectrum spectrum_;
  int threads_;
  std::uint64_t seed_;
  std::uint64_t calls_ = 0;
  Matrix subspace_;  // orthonormal columns, as long as the smaller side of the operator
  Index expected_ = 0;
  double multiply_adds_ = 0, decomposing_ = 0;
};

// All singular values or eigenvalues with their vectors, by a dense decomposition; NaN of what is not finite.
[[nodiscard]] Factors full_spectrum(const Matrix& M, Spectrum spectrum);

}  // namespace pdbfw
