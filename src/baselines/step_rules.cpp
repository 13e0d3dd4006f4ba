#include "baselines/step_rules.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pdbfw {
namespace {

constexpr double kFlat = 1e-4;
constexpr int kMostSlopes = 60;

}  // namespace

double line_minimum(const std::function<double(double)>& slope, double slope_at_0, double curvature_at_0, double most) {
  if (!(slope_at_0 < 0) || !(most > 0)) return 0;
  struct End {
    double t, slope;
  };
  End low{0, slope_at_0}, high{most, std::numeric_limits<double>::infinity()};  // slopes < 0 and >= 0
  double t = curvature_at_0 > 0 ? std::min(most, -slope_at_0 / curvature_at_0) : most;
  int same_side = 0;  // how often in a row low (< 0) or high (> 0) was moved
  for (int k = 0; k < kMostSlopes; ++k) {
    const double here = slope(t);
    if (std::abs(here) <= -kFlat * slope_at_0 || (here < 0 && t == most)) return t;
    if (here < 0) {
      // The other end's slope is halved when it stays (Illinois), so that both ends close in.
      same_side = std::min(same_side, 0) - 1;
      if (same_side < -1) high.slope /= 2;
      const double secant = t + here * (t - low.t) / (low.slope - here);  // beyond t
      low = {t, here};
      if (!std::isfinite(high.slope)) {
        t = std::min(most, secant > t ? std::min(secant, 10 * t) : 2 * t);
        continue;
      }
    } else {  // not a number, too: the objective has overflown there
      same_side = std::max(same_side, 0) + 1;
      if (same_side > 1) low.slope /= 2;
      high = {t, here};
    }
    t = low.t - low.slope * (high.t - low.t) / (high.slope - low.slope);
    if (!(t > low.t && t < high.t)) t = low.t + (high.t - low.t) / 2;
    if (!(t > low.t && t < high.t)) break;  // neighbours
  }
  return low.t;
}

}  // namespace pdbfw
