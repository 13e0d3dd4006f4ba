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
  [[nodiscard]] Vector project_spectrum(const Vector& descending) const final;
  [[nodiscard]] Factors project(const Matrix& centre) const final;
  [[nodiscard]] Factors project(const Matrix& centre, double accuracy, int threads) const final;
  [[nodiscard]] Factors project(const Operator& centre, TopSpectrum& top, double accuracy) const final;
  [[nodiscard]] SpectralDualPart dual_part(const Operator& u, double ridge, double slack, TopSpectrum& top) const final;

 private:
  double radius_;
};

// The trace-norm ball  C = { X : sum of singular values <= radius }.                                        [M24a]

class TraceBall final : public SpectralBall {
 public:
  using SpectralBall::SpectralBall;

  [[nodiscard]] std::string_view name() const override { return "trace"; }
  [[nodiscard]] std::shared_ptr<const SpectralSet> with_radius(double radius) const override {
    return std::make_shared<TraceBall>(radius);
  }
  [[nodiscard]] Spectrum spectrum() const override { return Spectrum::singular_values; }
  void check_shape(Index, Index) const override {}
  [[nodiscard]] double violation(const Factors& X) const override;
};

// The positive semidefinite matrices of bounded trace  C = { X : X = X', X >= 0, tr X <= radius }.         [M24b]

class PsdTrace final : public SpectralBall {
 public:
  using SpectralBall::SpectralBall;

  [[nodiscard]] std::string_view name() const override { return "psd_trace"; }
  [[nodiscard]] std::shared_ptr<const SpectralSet> with_radius(double radius) const override {
    return std::make_shared<PsdTrace>(radius);
  }
  [[nodiscard]] Spectrum spectrum() const override { return Spectrum::eigenvalues; }
  void check_shape(Index d, Index c) const override;
  [[nodiscard]] double violation(const Factors& X) const override;
};

}  // namespace pdbfw
