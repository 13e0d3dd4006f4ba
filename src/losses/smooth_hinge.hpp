// Smooth hinge, label b in {-1, +1}, margin m = b w, smoothing s in (0, 1] (the paper's loss has s = 1).    [M5a]
//   f(w)  = 0 if m >= 1;  1 - m - s/2 if m <= 1 - s;  (1 - m)^2 / (2 s) between          1/s-smooth
//   f*(y) = b y + s y^2 / 2  on  b y in [-1, 0]                                           1/alpha = s there
#pragma once

#include "pdbfw/loss.hpp"
#include "pdbfw/quadratic_conjugate.hpp"

namespace pdbfw {

struct SmoothHinge {
  static constexpr std::string_view kName = "smooth_hinge";
  static constexpr TargetKind kTargetKind = TargetKind::labels;
  double smoothing = 1;

  [[nodiscard]] double value(double b, double w) const {
    // Without branches: which piece a sample is on is hard to foresee.
    const double short_of_one = 1 - b * w, curved = std::min(std::max(short_of_one, 0.0), smoothing);
    return curved * curved / (2 * smoothing) + std::max(0.0, short_of_one - smoothing);
  }
  [[nodiscard]] double derivative(double b, double w) const {
    return -b * std::min(std::max((1 - b * w) / smoothing, 0.0), 1.0);
  }
  [[nodiscard]] double second_derivative(double b, double w) const {
    const double short_of_one = 1 - b * w;
    return short_of_one > 0 && short_of_one < smoothing ? 1 / smoothing : 0;
  }
  [[nodiscard]] QuadraticConjugate conjugate_of(double b) const {
    return {smoothing, b, b > 0 ? -1.0 : 0.0, b > 0 ? 0.0 : 1.0};
  }
  [[nodiscard]] double conjugate(double b, double y) const { return conjugate_of(b).value(y); }
  [[nodiscard]] double conjugate_derivative(double b, double y) const { return conjugate_of(b).derivative(y); }
  [[nodiscard]] double dual_prox(double b, double w, double y, double step) const {
    return conjugate_of(b).prox(w, y, step);
  }
  [[nodiscard]] double smoothness() const { return 1 / smoothing; }
  [[nodiscard]] double curvature() const { return 1 / smoothing; }
};

}  // namespace pdbfw
