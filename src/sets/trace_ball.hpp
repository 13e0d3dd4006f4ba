// The trace-norm ball  C = { X : sum of singular values <= radius }.                                        [M24a]
#pragma once

#include "sets/spectral_ball.hpp"

namespace pdbfw {

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

}  // namespace pdbfw
