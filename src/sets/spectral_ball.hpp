// What the trace-norm ball and the positive semidefinite matrices of bounded trace share: a point lies in C if its
// spectrum s lies in { s >= 0, sum s <= radius }, and every oracle is that of this set for the spectrum.      [M24]
#pragma once

#include "core/spectral_set.hpp"
#include "linalg/operators.hpp"

namespace pdbfw {

class SpectralBall : public SpectralSet {
 public:
  explicit SpectralBall(double radius) : radius_(radius) {}

  [[nodiscard]] double radius() const final { return radius_; }
  [[nodiscard]] Factors linear_oracle(const Operator& gradient, TopSpectrum& top, double accuracy) const final;
  [[nodiscard]] Factors block_oracle(const Operator& centre, Index s, double from, double accuracy,
                                     TopSpectrum& top) const final;
  [[nodiscard]] Factors project(const Matrix& centre) const final;
  [[nodiscard]] Factors project(const Matrix& centre, double accuracy, int threads) const final;
  [[nodiscard]] Factors project(const Operator& centre, TopSpectrum& top, double accuracy) const final;
  [[nodiscard]] SpectralDualPart dual_part(const Operator& u, double ridge, double slack, TopSpectrum& top) const final;

 private:
  double radius_;
};

}  // namespace pdbfw
