// What a set of matrices that is defined by its spectrum must answer: all the oracles of the trace-norm ball, and of
// the positive semidefinite matrices of bounded trace.                                                     [M24]
#pragma once

#include <memory>
#include <string_view>

#include "linalg/operators.hpp"
#include "linalg/top_spectrum.hpp"

namespace pdbfw {

// A lower bound on min_{X in C} (ridge/2)|X|^2 - <u, X>, proven for whatever was not computed.
struct SpectralDualPart {
  double bound = 0;
  double multiplier = 0;    // of the radius, at which the bound was taken
  double beyond = 0;        // no singular value that was not computed is larger
  double out_of_reach = 0;  // what rounding keeps the bound below that of the spectrum as it was found
  Factors minimiser;  // of that problem as far as it was computed, in C; with ridge 0 the atom of the linear oracle
};

class SpectralSet {
 public:
  SpectralSet() = default;
  SpectralSet(const SpectralSet&) = delete;
  SpectralSet& operator=(const SpectralSet&) = delete;
  virtual ~SpectralSet() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual double radius() const = 0;
  [[nodiscard]] virtual std::shared_ptr<const SpectralSet> with_radius(double radius) const = 0;
  [[nodiscard]] virtual Spectrum spectrum() const = 0;
  // Throws InputError where the set does not fit d x c matrices.
  virtual void check_shape(Index d, Index c) const = 0;

  // argmin_{V in C} <gradient, V>: one rank-one matrix (or zero), to the given relative accuracy of the value.
  [[nodiscard]] virtual Factors linear_oracle(const Operator& gradient, TopSpectrum& top, double accuracy) const = 0;
  // argmin over V in C of rank <= s of l(V) = 1/2 |V|^2 - <V, centre>, which is the nearest point of C to the centre:
  // the projection of the s largest singular values. What is returned is (1/2, accuracy)-approximate with respect to a
  // point X of C, of which only `from` = l(X) is asked:  l(V) - l(X) <= 1/2 (l* - l(X)) + accuracy.      [M26]
  [[nodiscard]] virtual Factors block_oracle(const Operator& centre, Index s, double from, double accuracy,
                                             TopSpectrum& top) const = 0;
  // What a projection makes of these singular values or eigenvalues, which descend; without the zeros.
  [[nodiscard]] virtual Vector project_spectrum(const Vector& descending) const = 0;
  // The nearest point of C, by the whole spectrum.
  [[nodiscard]] virtual Factors project(const Matrix& centre) const = 0;
  // The same, where values relative to the largest one need be no better than the given accuracy.
  [[nodiscard]] virtual Factors project(const Matrix& centre, double accuracy, int threads) const = 0;
  // The nearest point of C to an operator, computing only the part of the spectrum above the threshold; values that
  // matter are found to the given accuracy relative to the largest one.
  [[nodiscard]] virtual Factors project(const Operator& centre, TopSpectrum& top, double accuracy) const = 0;
  // 0 inside C, else how far the defining inequalities are missed. The factors need not be orthonormal.
  [[nodiscard]] virtual double violation(const Factors& X) const = 0;
  // `slack`: how much may be given away, in units of the bound, before more of the spectrum is looked at.
  [[nodiscard]] virtual SpectralDualPart dual_part(const Operator& u, double ridge, double slack,
                                                   TopSpectrum& top) const = 0;
};

}  // namespace pdbfw
