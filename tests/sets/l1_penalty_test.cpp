// A penalty in the place of a set: its zone is that of the exact minimiser.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "core/dual_value.hpp"
#include "sets/l1_sets.hpp"

namespace pdbfw {
namespace l1_penalty_test {

double objective(double x, double u, double q, double alpha) { return 0.5 * q * x * x + alpha * std::abs(x) - u * x; }

// outside(u) / q is below its neighbours, and its value is what the zone says.
TEST(L1Penalty, HasTheZoneOfTheMinimiser) {
  Random random(1);
  for (int t = 0; t < 500; ++t)
    for (const bool is_one_sided : {false, true}) {
      const double alpha = random.uniform() + 0.01, u = 3 * random.normal(), q = random.uniform() + 0.1;
      const L1Penalty penalty(alpha, is_one_sided);
      const DeadZone zone = penalty.dead_zone({}, {}, nullptr);
      const double x = zone.outside(u) / q, least = objective(x, u, q, alpha);
      EXPECT_NEAR(set_part(std::vector<double>{u}, {q, {}}, zone, penalty.radius()), least, 1e-12);
      for (const double step : {-1.0, -0.1, -1e-4, 1e-4, 0.1, 1.0}) {
        if (is_one_sided && x + step < 0) continue;
        EXPECT_GE(objective(x + step, u, q, alpha), least);
      }
      EXPECT_EQ(penalty.violation(std::vector<double>{x}), 0);
    }
}

TEST(L1Penalty, IsKnownByItsPrice) {
  EXPECT_EQ(price(L1Penalty(0.7, false)), 0.7);
  EXPECT_EQ(price(L1Penalty(0.7, true)), 0.7);
  EXPECT_EQ(price(*l1_ball(0.7)), 0);
  EXPECT_EQ(L1Penalty(0.7, true).with_radius(3)->name(), "nonnegative");
  EXPECT_EQ(price(*L1Penalty(0.7, false).with_radius(3)), 0);
}

TEST(L1Penalty, TellsTheShareThatIsInside) {
  const DeadZone both = L1Penalty(1, false).dead_zone({}, {}, nullptr),
                 one = L1Penalty(1, true).dead_zone({}, {}, nullptr);
  const std::vector<double> u{0.5, -4, 2}, q{0, 1, 0}, none{0, 0, 0};
  EXPECT_EQ(share_inside(u, {0, none}, both), 0.25);
  EXPECT_EQ(share_inside(u, {0, q}, both), 0.5) << "a feature with a ridge may be outside";
  EXPECT_EQ(share_inside(u, {0, none}, one), 0.5) << "below is inside";
}

TEST(L1Penalty, HasNoBoundButItsSign) {
  std::vector<double> v{-2, 1e9};
  L1Penalty(1, false).project(v);
  EXPECT_EQ(v, (std::vector<double>{-2, 1e9}));
  EXPECT_EQ(L1Penalty(1, false).violation(v), 0);
  EXPECT_EQ(L1Penalty(1, true).violation(v), 2);
  L1Penalty(1, true).project(v);
  EXPECT_EQ(v, (std::vector<double>{0, 1e9}));
  SparseAtom atom;
  L1Penalty(1, false).block_oracle(std::vector<double>{1, -3, 2}, 2, atom);
  EXPECT_EQ(atom.at, (std::vector<Index>{1, 2}));
  EXPECT_EQ(atom.value, (std::vector<double>{-3, 2}));
}

}  // namespace l1_penalty_test
}  // namespace pdbfw
