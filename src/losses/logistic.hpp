// Logistic loss, label b in {-1, +1}, margin m = b w.                                                      [M5e]
//   f(w)  = log(1 + exp(-m))                                    1/4-smooth; strongly convex nowhere (alpha = 0)
//   f*(y) = v log v + (1 - v) log(1 - v),  v = -b y in [0, 1]
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/elementary.hpp"
#include "pdbfw/loss.hpp"

namespace pdbfw {

struct Logistic {
  static constexpr std::string_view kName = "logistic";
  static constexpr TargetKind kTargetKind = TargetKind::labels;

  [[nodiscard]] static double sigmoid(double s) {
    return s >= 0 ? 1 / (1 + std::exp(-s)) : std::exp(s) / (1 + std::exp(s));
  }
  // f, f' and f'' by e = exp(-|m|), which is never large.
  struct Local {
    double value, slope, bend;
  };
  [[nodiscard, gnu::always_inline]] static Local at(double b, double w) {
    const double m = b * w, far = m < 0 ? -m : m;
    const double e = exp_of_negative(-far), inverse = 1 / (1 + e);
    return {log1p_of_share(e) + (m < 0 ? far : 0.0), -b * (m < 0 ? inverse : e * inverse), e * inverse * inverse};
  }
  [[nodiscard, gnu::always_inline]] static double value(double b, double w) { return at(b, w).value; }
  [[nodiscard, gnu::always_inline]] static double derivative(double b, double w) { return at(b, w).slope; }
  [[nodiscard]] static double second_derivative(double b, double w) { return at(b, w).bend; }

  // At the ends of the domain, where v is all but 0 or 1, it is 0.
  [[nodiscard, gnu::always_inline]] static double conjugate(double b, double y) {
    constexpr double kLeast = std::numeric_limits<double>::min();
    const double v = -b * y;
    const bool is_inside = v >= 0 && v <= 1, is_open = v >= kLeast && v < 1;
    const double share = is_open ? v : 0.5;
    const double entropy = share * log_of_normal(share) + (1 - share) * log1p_of_negative_share(share);
    return is_open ? entropy : is_inside ? 0.0 : std::numeric_limits<double>::infinity();
  }

  [[nodiscard]] static double conjugate_derivative(double b, double y) {
    const double v = -b * y;
    return -b * (std::log(v) - std::log1p(-v));  // infinite at the ends of the domain
  }

  // With v = -b u = sigmoid(s) the optimality condition of the proximal step is                           [M8]
  //     h(s) = s + m + (sigmoid(s) - v_0) / step = 0,   h' = 1 + sigmoid'(s) / step >= 1,
  // an increasing function. Its root lies between -m - (1 - v_0)/step and -m + v_0/step, and between -m, where only the
  // loss counts, and the s of v_0, where nothing moves. Newton's method; the middle of the bracket whenever Newton
  // would leave it or does not at least halve the last step, else it can jump to and fro for ever.
  [[nodiscard]] static double dual_prox(double b, double w, double y, double step) {
    const double m = b * w, v0 = -b * y, inverse = 1 / step;
    if (std::isinf(inverse)) return -b * std::clamp(v0, 0.0, 1.0);
    constexpr double kFar = 746;  // where the sigmoid is 0 or 1 in double
    const bool is_inside = v0 > 0 && v0 < 1;
    const double rest = is_inside ? std::log(v0 / (1 - v0)) : (v0 > 0 ? kFar : -kFar);
    double low = std::max(-m - (1 - v0) * inverse, std::min(-m, rest));
    double high = std::min(-m + v0 * inverse, std::max(-m, rest));
    double s = std::max(low, std::min(high, is_inside ? rest : -m));
    double last = high - low;
    constexpr int kLogisticSteps = 100;  // the bracket alone would need about 60 halvings
    for (int t = 0; t < kLogisticSteps; ++t) {
      const double v = sigmoid(s);
      const double h = s + m + (v - v0) * inverse;
      (h > 0 ? high : low) = s;
      const double newton = s - h / (1 + v * (1 - v) * inverse);
      const bool is_good = newton >= low && newton <= high && std::abs(newton - s) <= 0.5 * last;
      const double next = is_good ? newton : 0.5 * (low + high);
      last = std::abs(next - s);
      s = next;
      // |h''| <= h': after a step of Newton's method of length e the root is at most e^2 / 2 away, or nearly so.
      if (last <= (is_good ? 1e-8 : 1e-14) * (1 + std::abs(s))) break;
    }
    return -b * sigmoid(s);
  }

  // Many samples at once, in vector code.
  static void values(std::span<const double> b, std::span<const double> w, std::span<double> value);
  static void conjugates(std::span<const double> b, std::span<const double> y, std::span<double> value);
  static void derivatives(std::span<const double> b, std::span<const double> w, std::span<double> y);
  static void local_models(std::span<const double> b, std::span<const double> w, std::span<double> value,
                           std::span<double> slope, std::span<double> bend);

  [[nodiscard]] static double smoothness() { return 0.25; }
  [[nodiscard]] static double curvature() { return 0; }
};

}  // namespace pdbfw
