// Huber's loss, target b any number, width e > 0.                                                          [M5d]
//   f(w)  = (w - b)^2 / 2 if |w - b| <= e,  else e |w - b| - e^2 / 2          1-smooth
//   f*(y) = y^2 / 2 + b y  on  |y| <= e
#pragma once

#include <cmath>

#include "pdbfw/loss.hpp"
#include "pdbfw/quadratic_conjugate.hpp"

namespace pdbfw {

struct Huber {
  static constexpr std::string_view kName = "huber";
  static constexpr TargetKind kTargetKind = TargetKind::numbers;
  double width = 1;

  [[nodiscard]] double value(double b, double w) const {
    const double off = std::abs(w - b);
    return off <= width ? 0.5 * off * off : width * off - 0.5 * width * width;
  }
  [[nodiscard]] double derivative(double b, double w) const { return std::clamp(w - b, -width, width); }
  [[nodiscard]] double second_derivative(double b, double w) const { return std::abs(w - b) < width ? 1 : 0; }
  [[nodiscard]] QuadraticConjugate conjugate_of(double b) const { return {1, b, -width, width}; }
  [[nodiscard]] double conjugate(double b, double y) const { return conjugate_of(b).value(y); }
  [[nodiscard]] double conjugate_derivative(double b, double y) const { return conjugate_of(b).derivative(y); }
  [[nodiscard]] double dual_prox(double b, double w, double y, double step) const {
    return conjugate_of(b).prox(w, y, step);
  }
  [[nodiscard]] static double smoothness() { return 1; }
  [[nodiscard]] static double curvature() { return 1; }
};

}  // namespace pdbfw
