// The momentum of an accelerated gradient method.
//
//   with q = mu/L, t_1 = 1 and r = L_k/L_{k-1}                           (Chambolle, Pock 2016, Algorithm 5)
//       t_{k+1} = ( 1 - q t_k^2 + sqrt( (1 - q t_k^2)^2 + 4 r t_k^2 ) ) / 2
//       momentum = (t_k - 1) / t_{k+1} * (1 - q t_{k+1}) / (1 - q)
#pragma once

#include <algorithm>
#include <cmath>

namespace pdbfw {

class Momentum {
 public:
  void restart() { t_ = 1; }

  // The one to go on with from x_{k+1}, made with L; `last_L` made x_k.
  double next(double mu, double L, double last_L) {
    const double q = std::min(mu / L, 1.0), s = 1 - q * t_ * t_;
    const double t = 0.5 * (s + std::sqrt(s * s + 4 * (L / last_L) * t_ * t_));
    const double momentum = t_ > 1 && q < 1 ? std::max(0.0, (t_ - 1) / t * (1 - q * t) / (1 - q)) : 0;
    t_ = std::max(t, 1.0);
    return momentum;
  }

 private:
  double t_ = 1;
};

}  // namespace pdbfw
