// The momentum of an accelerated gradient method, for any course that L takes.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "baselines/step_rules.hpp"

namespace pdbfw {
namespace momentum_test {

// Nesterov's, for q = mu/L.
double limit(double q) { return (1 - std::sqrt(q)) / (1 + std::sqrt(q)); }

TEST(Momentum, TendsToNesterovs) {
  for (const double mu : {0.0, 1e-4, 0.01, 0.5, 0.999}) {
    Momentum momentum;
    double last = 0;
    for (int k = 0; k < 2'000; ++k) {
      const double now = momentum.next(mu, 1, 1);
      EXPECT_GE(now, last - 1e-15) << mu;
      EXPECT_LT(now, 1) << mu;
      last = now;
    }
    EXPECT_NEAR(last, limit(mu), mu == 0 ? 2e-3 : 1e-9) << mu;  // 1 - 3/k where mu = 0
  }
}

TEST(Momentum, BeginsAnewWithNone) {
  Momentum momentum;
  for (int k = 0; k < 10; ++k) static_cast<void>(momentum.next(0.01, 1, 1));
  momentum.restart();
  EXPECT_EQ(momentum.next(0.01, 1, 1), 0);
}

// Backtracking lets L fall as far as mu, where one step without any momentum solves the problem, and below.
RC_GTEST_PROP(Momentum, IsBoundedWhateverLDoes, ()) {
  const double mu = *rc::gen::element(0.0, 1e-3, 0.07, 1.0);
  Momentum momentum;
  double last_L = *rc::gen::element(1e-3, 0.1, 1.0, 100.0);
  for (int k = 0; k < 40; ++k) {
    double L = last_L * *rc::gen::element(0.9, 0.9, 0.9, 1.0, 1 / 0.9, 1.9, 2.0, 1024.0);
    // L often is the curvature that was met: all but mu.
    if (*rc::gen::inRange(0, 4) == 0 && mu > 0) L = mu * (1 + *rc::gen::element(0.0, 1e-16, 4e-16, 1e-12, 1e-3, -1e-3));
    const double now = momentum.next(mu, L, last_L), q = std::min(1.0, mu / L);
    RC_ASSERT(now >= 0);
    RC_ASSERT(now <= std::sqrt(std::max(1.0, last_L / L)) * (1 + 1e-12));
    RC_ASSERT(now <= (1 / std::sqrt(q) - 1) * (1 + 1e-12));
    last_L = L;
  }
}

}  // namespace momentum_test
}  // namespace pdbfw
