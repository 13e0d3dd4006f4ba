// The positive semidefinite matrices of bounded trace  C = { X : X = X', X >= 0, tr X <= radius }.         [M24b]
#pragma once

#include "sets/spectral_ball.hpp"

namespace pdbfw {

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
