// Squared hinge, label b in {-1, +1}, margin m = b w.                                                      [M5c]
//   f(w)  = max(0, 1 - m)^2 / 2          1-smooth
//   f*(y) = b y + y^2 / 2  on  b y <= 0
#pragma once

#include "pdbfw/loss.hpp"
#include "pdbfw/quadratic_conjugate.hpp"

namespace pdbfw {

struct SquaredHinge {
  static constexpr std::string_view kName = "squared_hinge";
  static constexpr TargetKind kTargetKind = TargetKind::labels;

  [[nodiscard]] static double value(double b, double w) {
    const double short_of_one = std::max(0.0, 1 - b * w);
    return 0.5 * short_of_one * short_of_one;
  }
  [[nodiscard]] static double derivative(double b, double w) { return -b * std::max(0.0, 1 - b * w); }
  [[nodiscard]] static double second_derivative(double b, double w) { return b * w < 1 ? 1 : 0; }
  [[nodiscard]] static QuadraticConjugate conjugate_of(double b) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {1, b, b > 0 ? -kInfinity : 0.0, b > 0 ? 0.0 : kInfinity};
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
