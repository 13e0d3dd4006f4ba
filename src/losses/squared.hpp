// Squared loss, target b any number.                                                                       [M5b]
//   f(w)  = (w - b)^2 / 2                1-smooth, 1-strongly convex
//   f*(y) = y^2 / 2 + b y
#pragma once

#include "pdbfw/loss.hpp"
#include "pdbfw/quadratic_conjugate.hpp"

namespace pdbfw {

struct Squared {
  static constexpr std::string_view kName = "squared";
  static constexpr TargetKind kTargetKind = TargetKind::numbers;
  static constexpr bool kIsQuadratic = true;

  [[nodiscard]] static double value(double b, double w) { return 0.5 * (w - b) * (w - b); }
  [[nodiscard]] static double derivative(double b, double w) { return w - b; }
  [[nodiscard]] static double second_derivative(double, double) { return 1; }
  [[nodiscard]] static QuadraticConjugate conjugate_of(double b) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {1, b, -kInfinity, kInfinity};
  }
  [[nodiscard]] static double conjugate(double b, double y) { return conjugate_of(b).value(y); }
  [[nodiscard]] static double conjugate_derivative(double b, double y) { return conjugate_of(b).derivative(y); }
  [[nodiscard]] static double dual_prox(double b, double w, double y, double step) {
    return conjugate_of(b).prox(w, y, step);
  }
  [[nodiscard]] static double smoothness() { return 1; }
  [[nodiscard]] static double curvature() { return 1; }
};

}  // namespace pdbfw
