// Four of the losses have a quadratic conjugate on an interval:  f*(y) = q y^2 / 2 + c y  for  low <= y <= high.
// Their dual proximal step is one clipped division.                                                        [M7]
#pragma once

#include <algorithm>
#include <limits>

namespace pdbfw {

struct QuadraticConjugate {
  double q;  // > 0
  double c;
  double low;
  double high;

  [[nodiscard]] double value(double y) const {
    return y < low || y > high ? std::numeric_limits<double>::infinity() : 0.5 * q * y * y + c * y;
  }

  [[nodiscard]] double derivative(double y) const { return q * y + c; }

  // argmax_u  w u - f*(u) - (u - y)^2 / (2 step)  =  clip( (y + step (w - c)) / (1 + step q) ).
  // Two forms of the same quotient: neither meets inf / inf for a step of 0 or of infinity.
  [[nodiscard]] double prox(double w, double y, double step) const {
    const double u = step <= 1 ? (y + step * (w - c)) / (1 + step * q) : (y / step + (w - c)) / (1 / step + q);
    return std::clamp(u, low, high);
  }
};

}  // namespace pdbfw
