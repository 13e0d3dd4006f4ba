// The oracles of every registered set against brute force.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/dual_value.hpp"
#include "reference/dense.hpp"
#include "reference/sets.hpp"
#include "support/cases.hpp"

namespace pdbfw {
namespace set_laws_test {

using SetPtr = std::shared_ptr<const Set>;

// Multiples of 1/4 in a small range: ties, zeros and exact hits of the radius are the rule, not the exception.
std::vector<double> grid_vector(std::size_t d) {
  return *rc::gen::container<std::vector<double>>(
      d, rc::gen::map(rc::gen::inRange(-16, 17), [](int k) { return k / 4.0; }));
}

std::vector<double> any_vector(std::size_t least = 1, std::size_t most = 8) {
  const auto d = *rc::gen::inRange<std::size_t>(least, most + 1);
  std::vector<double> v = grid_vector(d);
  if (*rc::gen::arbitrary<bool>()) {
    Random random(*rc::gen::arbitrary<std::uint64_t>());
    for (double& v_j : v) v_j += random.normal();
  }
  return v;
}

SetPtr any_set() {
  const auto names = set_names();
  const std::string name(names[*rc::gen::inRange<std::size_t>(0, names.size())]);
  const double radius = *rc::gen::element(1e-3, 0.25, 1.0, 2.5, 10.0, 1e6);
  RC_LOG() << name << " of radius " << radius;
  return make_set({.set = name, .radius = radius});
}

double size_of(std::span<const double> v) {
  double most = 0;
  for (const double v_j : v) most = std::max(most, std::abs(v_j));
  return most;
}

// Differences between entries and the threshold are rounded in the last digit of the entries.
double rounding(const Set& set, std::span<const double> v) {
  return 4e-16 * static_cast<double>(v.size() + 2) * (size_of(v) + set.radius());
}

std::vector<double> expand(const SparseAtom& atom, std::size_t d) {
  std::vector<double> x(d, 0.0);
  for (std::size_t k = 0; k < atom.at.size(); ++k) x[static_cast<std::size_t>(atom.at[k])] = atom.value[k];
  return x;
}

bool is_well_formed(const SparseAtom& atom, std::size_t d) {
  if (atom.at.size() != atom.value.size()) return false;
  for (std::size_t k = 0; k < atom.at.size(); ++k) {
    if (atom.at[k] < 0 || atom.at[k] >= static_cast<Index>(d)) return false;
    if (k > 0 && atom.at[k] <= atom.at[k - 1]) return false;
  }
  return true;
}

RC_GTEST_PROP(EverySet, LinearOracleFindsTheBestVertex, ()) {
  const SetPtr set = any_set();
  const std::vector<double> gradient = any_vector();
  SparseAtom atom{.at = {7}, .value = {7}};  // what is left in it from before must not matter
  set->linear_oracle(gradient, atom);
  RC_ASSERT(is_well_formed(atom, gradient.size()));
  const std::vector<double> x = expand(atom, gradient.size());
  RC_ASSERT(set->violation(x) == 0);
  double best = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& vertex : reference::vertices(*set, gradient.size()))
    best = std::min(best, reference::inner(gradient, vertex));
  RC_ASSERT(reference::inner(gradient, x) == best);
}

RC_GTEST_PROP(EverySet, ProjectAgreesWithSorting, ()) {
  const SetPtr set = any_set();
  const std::vector<double> v = any_vector(1, 30);
  std::vector<double> x = v;
  set->project(x);
  const std::vector<double> slow = reference::projection(*set, v);
  for (std::size_t j = 0; j < v.size(); ++j) RC_ASSERT(std::abs(x[j] - slow[j]) <= rounding(*set, v));
}

// Whatever the sizes of the vector and of the radius: rounding of the one must not spoil the other.
RC_GTEST_PROP(EverySet, ProjectedPointsLieInTheSetToRoundingOfTheRadius, ()) {
  const SetPtr set = any_set();
  std::vector<double> x = any_vector(1, 30);
  const double scale = *rc::gen::element(1e-6, 1.0, 1e6, 1e12);
  for (double& x_j : x) x_j *= scale;
  RC_LOG() << "scale " << scale;
  set->project(x);
  RC_ASSERT(set->violation(x) <= 1e-14 * static_cast<double>(x.size()) * set->radius());
}

RC_GTEST_PROP(EverySet, ProjectTwiceIsProjectOnce, ()) {
  const SetPtr set = any_set();
  const std::vector<double> v = any_vector(1, 30);
  std::vector<double> once = v;
  set->project(once);
  std::vector<double> twice = once;
  set->project(twice);
  for (std::size_t j = 0; j < v.size(); ++j)
    RC_ASSERT(std::abs(twice[j] - once[j]) <= 4e-16 * static_cast<double>(v.size() + 2) * set->radius());
}

RC_GTEST_PROP(EverySet, ViolationIsZeroInsideAndPositiveOutside, ()) {
  const SetPtr set = any_set();
  const auto d = *rc::gen::inRange<std::size_t>(1, 6);
  for (std::vector<double> vertex : reference::vertices(*set, d)) {
    RC_ASSERT(set->violation(vertex) == 0);
    if (size_of(vertex) == 0) continue;
    for (double& v_j : vertex) v_j *= 1.5;
    RC_ASSERT(set->violation(vertex) == 0.5 * set->radius());
  }
}

RC_GTEST_PROP(EverySet, StartLiesInside, ()) {
  const SetPtr set = any_set();
  const auto d = *rc::gen::inRange<std::size_t>(1, 6);
  SparseAtom atom{.at = {3}, .value = {1e9}};
  set->start(static_cast<Index>(d), atom);
  RC_ASSERT(is_well_formed(atom, d));
  RC_ASSERT(set->violation(expand(atom, d)) == 0);
}

RC_GTEST_PROP(EverySet, BlockOracleWithRoomForAllIsTheProjection, ()) {
  const SetPtr set = any_set();
  const std::vector<double> centre = any_vector(1, 20);
  std::vector<double> x = centre;
  set->project(x);
  for (const std::size_t s : {centre.size(), centre.size() + 5}) {
    SparseAtom atom;
    set->block_oracle(centre, static_cast<Index>(s), atom);
    RC_ASSERT(is_well_formed(atom, centre.size()));
    const std::vector<double> block = expand(atom, centre.size());
    for (std::size_t j = 0; j < x.size(); ++j) RC_ASSERT(std::abs(block[j] - x[j]) <= rounding(*set, centre));
  }
}

RC_GTEST_PROP(EverySet, BlockOracleFindsTheBestOfAllSupports, ()) {
  const SetPtr set = any_set();
  const std::vector<double> centre = any_vector(1, 8);
  const auto s = *rc::gen::inRange<Index>(1, static_cast<Index>(centre.size()) + 1);
  SparseAtom atom{.at = {7}, .value = {7}};
  set->block_oracle(centre, s, atom);
  RC_ASSERT(is_well_formed(atom, centre.size()));
  RC_ASSERT(static_cast<Index>(atom.at.size()) <= s);
  const std::vector<double> x = expand(atom, centre.size());
  RC_ASSERT(set->violation(x) <= rounding(*set, centre));
  const double best = reference::distance_by_trying_supports(*set, centre, s);
  RC_ASSERT(reference::squared_distance(centre, x) <= best + 1e-13 * (1 + best) + rounding(*set, centre));
}

// --- the dead zone ---------------------------------------------------------------------------------------------------

enum class Kind { uniform, diagonal, partly_zero, all_zero, one_zero };

struct Ridge {
  std::vector<double> each;
  double uniform = 0;
  [[nodiscard]] Curvatures q() const { return {uniform, each}; }
};

Ridge any_ridge(std::size_t d) {
  const auto kind = *rc::gen::element(Kind::uniform, Kind::diagonal, Kind::partly_zero, Kind::all_zero, Kind::one_zero);
  // Exact and inexact inverses.
  const auto positive = [] { return std::pow(2.0, *rc::gen::inRange(-12, 6)) * *rc::gen::element(1.0, 0.3, 1.7); };
  if (kind == Kind::uniform) return {{}, positive()};
  if (kind == Kind::all_zero) return *rc::gen::arbitrary<bool>() ? Ridge{{}, 0} : Ridge{std::vector<double>(d), 0};
  Ridge ridge;
  for (std::size_t j = 0; j < d; ++j) {
    const bool is_zero =
        kind == Kind::partly_zero ? *rc::gen::arbitrary<bool>() : (kind == Kind::one_zero && j + 1 == d);
    ridge.each.push_back(is_zero ? 0.0 : positive());
  }
  return ridge;
}

// The minimiser that a zone stands for. What the zone leaves of the radius goes to a feature without ridge, whose u_j
// lies on the border of the zone.
std::vector<double> minimiser(const Set& set, std::span<const double> u, const Curvatures& q, const DeadZone& zone) {
  std::vector<double> x(u.size(), 0.0);
  double norm = 0;
  for (std::size_t j = 0; j < u.size(); ++j) {
    const double outside = zone.outside(u[j]);
    if (outside == 0) continue;
    x[j] = outside / q[static_cast<Index>(j)];
    norm += std::abs(x[j]);
  }
  if (!zone.is_tight) return x;
  for (std::size_t j = 0; j < u.size(); ++j) {
    if (q[static_cast<Index>(j)] != 0 || (u[j] != zone.upper && u[j] != zone.lower)) continue;
    x[j] = std::copysign(std::max(0.0, set.radius() - norm), reference::is_ball(set) ? u[j] : 1.0);
    break;
  }
  return x;
}

double objective(std::span<const double> u, const Curvatures& q, std::span<const double> x) {
  double sum = 0;
  for (std::size_t j = 0; j < u.size(); ++j) sum += 0.5 * q[static_cast<Index>(j)] * x[j] * x[j] - u[j] * x[j];
  return sum;
}

// x is optimal exactly when no vertex v is better along the line: <q x - u, v - x> >= 0 for all of them.
RC_GTEST_PROP(EverySet, DeadZoneGivesAPointThatNoVertexImproves, ()) {
  const SetPtr set = any_set();
  const std::vector<double> u = any_vector(1, 8);
  const Ridge ridge = any_ridge(u.size());
  const Curvatures q = ridge.q();
  const DeadZone zone = set->dead_zone(u, q);
  const std::vector<double> x = minimiser(*set, u, q, zone);
  // x_j = outside / q_j: a rounding of u is magnified by 1/q.
  double magnified = rounding(*set, u);
  for (std::size_t j = 0; j < u.size(); ++j)
    if (q[static_cast<Index>(j)] > 0)
      magnified =
          std::max(magnified, 1e-15 * static_cast<double>(u.size() + 2) * size_of(u) / q[static_cast<Index>(j)]);
  RC_ASSERT(set->violation(x) <= magnified);
  double slope_at_x = 0, most = 0;
  std::vector<double> gradient(u.size());
  for (std::size_t j = 0; j < u.size(); ++j) {
    gradient[j] = q[static_cast<Index>(j)] * x[j] - u[j];
    slope_at_x += gradient[j] * x[j];
    most = std::max(most, std::abs(gradient[j]));
  }
  const double slack = 1e-12 * (1 + most) * (set->radius() + size_of(x)) + most * magnified * 4;
  for (const std::vector<double>& vertex : reference::vertices(*set, u.size()))
    RC_ASSERT(reference::inner(gradient, vertex) >= slope_at_x - slack);
  // The zone's own account of the value is that of the point.
  const double value = objective(u, q, x), part = set_part(u, q, zone, set->radius());
  RC_ASSERT(std::abs(value - part) <= slack + 1e-12 * (1 + std::abs(part)));
}

RC_GTEST_PROP(EverySet, DeadZoneGivesTheDualValueOfTheSlowReference, ()) {
  const SetPtr set = any_set();
  const std::vector<double> u = any_vector(1, 20);
  const Ridge ridge = any_ridge(u.size());
  const DeadZone zone = set->dead_zone(u, ridge.q());
  const double part = set_part(u, ridge.q(), zone, set->radius());
  const double slow = reference::smallest_of_set(*set, u, ridge.q());
  RC_ASSERT(std::abs(part - slow) <= 1e-12 * (1 + std::abs(slow) + size_of(u) * set->radius()));
  RC_ASSERT(zone.lower <= zone.upper);
}

// Any zone gives a lower bound: a rounded certificate never claims too much.
RC_GTEST_PROP(EverySet, AnotherZoneGivesALowerBound, ()) {
  const SetPtr set = any_set();
  const std::vector<double> u = any_vector(1, 8);
  const Ridge ridge = any_ridge(u.size());
  const DeadZone zone = set->dead_zone(u, ridge.q());
  const double part = set_part(u, ridge.q(), zone, set->radius());
  DeadZone other = zone;
  const double shift = *rc::gen::inRange(-8, 9) / 8.0;
  other.upper += shift;
  if (reference::holds_zero(*set)) other.upper = std::max(0.0, other.upper);
  if (reference::is_ball(*set)) other.lower = -other.upper;
  other.multiplier = other.upper;
  RC_ASSERT(set_part(u, ridge.q(), other, set->radius()) <= part + 1e-12 * (1 + std::abs(part) + set->radius()));
}

bool same_bits(const DeadZone& a, const DeadZone& b) {
  return a.lower == b.lower && a.upper == b.upper && a.multiplier == b.multiplier && a.is_tight == b.is_tight;
}

// Where a magnitude lies on the border of the zone, to the last digit, it may be counted in or left out: the threshold
// is the same either way, but for the rounding of a mean of d magnitudes, and so is whether a radius is met that is
// just met.
RC_GTEST_PROP(EverySet, AGuessChangesTheDeadZoneByRoundingOnly, ()) {
  const SetPtr set = any_set();
  const std::vector<double> u = any_vector(1, 40);
  const Ridge ridge = any_ridge(u.size());
  const DeadZone plain = set->dead_zone(u, ridge.q());
  const double slack = 4e-16 * static_cast<double>(u.size() + 2) * (size_of(u) + std::abs(plain.multiplier));
  const auto is_near = [&](double a, double b) { return a == b || std::abs(a - b) <= slack; };
  const auto check = [&](double multiplier) {
    DeadZone guess = plain;
    guess.multiplier = multiplier;
    const DeadZone zone = set->dead_zone(u, ridge.q(), &guess);
    RC_LOG() << "guess " << multiplier << ": " << zone.multiplier << " for " << plain.multiplier << "\n";
    RC_ASSERT(is_near(zone.multiplier, plain.multiplier));
    RC_ASSERT(is_near(zone.upper, plain.upper) && is_near(zone.lower, plain.lower));
    RC_ASSERT(zone.is_tight == plain.is_tight || is_near(plain.multiplier, 0));
  };
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const double factor : {0.0, 0.5, 0.9, 0.99, 1.0, 1.01, 1.05, 1.12, 2.0, -1.0, kInf})
    check(factor * plain.multiplier);
  for (const double multiplier : {0.0, 1e-300, 1e300, -1e300, -0.25, 0.25, grid_vector(1)[0]}) check(multiplier);
}

// Eight magnitudes lie exactly on the border that is found, 3.5: the sum of those above it may hold them or not.
TEST(EverySet, AGuessAtATieChangesRoundingOnly) {
  const std::vector<double> u{-3.25, -3.5, -3.25, -3.5, -3.5,  -3.5,  -3.5, -3.5,
                              -3.25, -4,   -3.5,  -3.5, -3.25, -3.25, -4};
  for (const double q : {0.1, 0.3, 0.7, 1.1, 1.7}) {
    const SetPtr set = make_set({.set = "l1", .radius = 1 / q});
    for (const double multiplier : {0.0, 3.4, 3.5, 3.535, 3.9, 10.0}) {
      DeadZone guess;
      guess.multiplier = multiplier;
      EXPECT_NEAR(set->dead_zone(u, {q, {}}, &guess).multiplier, 3.5, 1e-14) << q << ", " << multiplier;
    }
  }
}

// The free minimiser meets the radius exactly, so that rounding decides whether the radius counts as slack.
TEST(EverySet, AGuessDecidesNothingWhereTheRadiusIsJustMet) {
  Random random(1);
  for (int t = 0; t < 2'000; ++t) {
    std::vector<double> u(1 + random.below(5));
    const double q = static_cast<double>(1 + random.below(30)) / 10;
    double radius = 0;
    for (double& u_j : u) radius += (u_j = static_cast<double>(1 + random.below(30)) / 10) / q;
    for (const SetPtr& set : test::set_cases(radius)) {
      const DeadZone plain = set->dead_zone(u, {q, {}});
      for (const double multiplier : {1e-300, 1e-17, 1e-16, 1e-3, -1e-16}) {
        DeadZone guess;
        guess.multiplier = multiplier;
        ASSERT_TRUE(same_bits(set->dead_zone(u, {q, {}}, &guess), plain)) << set->name() << " " << multiplier;
      }
    }
  }
}

TEST(EverySet, OfOneDimensionIsAnIntervalOrAPoint) {
  for (const SetPtr& set : test::set_cases(2)) {
    std::vector<double> big{5}, small{-0.5};
    set->project(big);
    EXPECT_EQ(big[0], 2) << set->name();
    set->project(small);
    EXPECT_EQ(small[0], reference::is_ball(*set) ? -0.5 : reference::holds_zero(*set) ? 0.0 : 2.0) << set->name();
  }
}

TEST(EverySet, TiesShareTheRadius) {
  for (const SetPtr& set : test::set_cases(1)) {
    std::vector<double> v{3, 3, 3, 3};
    set->project(v);
    EXPECT_EQ(v, std::vector<double>(4, 0.25)) << set->name();
    SparseAtom atom;
    set->block_oracle(std::vector<double>{3, 3, 3, 3}, 2, atom);
    EXPECT_EQ(atom.at, (std::vector<Index>{0, 1})) << set->name();
    EXPECT_EQ(atom.value, (std::vector<double>{0.5, 0.5})) << set->name();
  }
}

TEST(L1Ball, WithASlackRadiusLeavesAPointAlone) {
  const SetPtr ball = make_set({.set = "l1", .radius = 1e9});
  std::vector<double> v{1, -2, 3};
  ball->project(v);
  EXPECT_EQ(v, (std::vector<double>{1, -2, 3}));
  const DeadZone zone = ball->dead_zone(v, {1.0, {}});
  EXPECT_EQ(zone.multiplier, 0);
  EXPECT_FALSE(zone.is_tight);
}

TEST(EverySet, OfATinyRadiusStillMeetsIt) {
  for (const double radius : {1e-6, 1e-12, 1e-18, 1e-30, 1e-200})
    for (const SetPtr& set : test::set_cases(radius)) {
      std::vector<double> v{1, 0.5, -2, 1};
      set->project(v);
      EXPECT_LE(set->violation(v), 1e-14 * radius) << set->name() << " " << radius;
    }
}

TEST(EverySet, SaysItsNameAndRadius) {
  for (const std::string_view name : set_names()) {
    const SetPtr set = make_set({.set = std::string(name), .radius = 0.7});
    EXPECT_EQ(set->name(), name);
    EXPECT_EQ(set->radius(), 0.7);
  }
}

}  // namespace set_laws_test
}  // namespace pdbfw
