// The momentum of an accelerated gradient method.
//
//   with q = mu/L, t_1 = 1 and r = L_k/L_{k-1}                           (Chambolle, Pock 2016, Algorithm 5)
//       t_{k+1} = ( 1 - q t_k^2 + sqrt( (1 - q t_k^2)^2 + 4 r t_k^2 ) ) / 2
//       momentum = (t_k - 1) / t_{k+1} * (1 - q t_{k+1}) / (1 - q)
//
//   1 <= t_k <= 1/sqrt q while L is constant. A fall of L can end both: the second because q rises, the first because r
//   is below 1. Then the last factor is no longer in [0, 1], and without bound where q is near 1. So both are kept.
#pragma once

#include <algorithm>
#include <cmath>

namespace pdbfw {

class Momentum {
 public:
  void restart() { t_ = 1; }

  // The one to go on with from x_{k+1}, made with L; `last_L` made x_k.
  double next(double mu, double L, double last_L) {
    const double q = std::min(mu / L, 1.0), most = 1 / std::sqrt(q);
    const double last = std::min(t_, most), s = 1 - q * last * last;
    t_ = std::clamp(0.5 * (s + std::sqrt(s * s + 4 * (L / last_L) * last * last)), 1.0, most);
    return last > 1 ? (last - 1) / t_ * (1 - q * t_) / (1 - q) : 0;
  }

 private:
  double t_ = 1;
};

}  // namespace pdbfw
