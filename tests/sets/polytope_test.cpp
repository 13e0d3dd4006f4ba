// The hull of atoms: its oracle, the search for the nearest mixture, and what it refuses.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "io/message.hpp"
#include "pdbfw/problem.hpp"
#include "pdbfw/set.hpp"
#include "reference/dense.hpp"
#include "steps/mixture.hpp"
#include "support/cases.hpp"

namespace pdbfw {
namespace polytope_test {

using reference::DenseMatrix;
using test::message_of;

DenseMatrix triangle() { return {3, 2, {0, 0, 1, 0, 0, 1}}; }

std::vector<double> nearest(const Set& set, std::vector<double> v) {
  set.project(v);
  return v;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t j = 0; j < a.size(); ++j) EXPECT_NEAR(a[j], b[j], tolerance) << j;
}

TEST(Polytope, TheOracleFindsTheFirstOfTheBestAtoms) {
  for (const MatrixPtr& atoms : {reference::sparse(triangle()), reference::dense(triangle())}) {
    const auto set = make_polytope(atoms, 2);
    SparseAtom atom;
    set->linear_oracle(std::vector<double>{-1, -3}, atom);
    EXPECT_EQ(atom.at, std::vector<Index>{1});
    EXPECT_EQ(atom.value, std::vector<double>{2});
    set->linear_oracle(std::vector<double>{-1, -1}, atom);
    EXPECT_EQ(atom.at, std::vector<Index>{0});
    set->linear_oracle(std::vector<double>{1, 1, -5}, atom);  // a feature that no atom has
    EXPECT_TRUE(atom.at.empty());
    EXPECT_EQ(set->with_radius(7)->radius(), 7);
    set->with_radius(7)->linear_oracle(std::vector<double>{-1, 0}, atom);
    EXPECT_EQ(atom.value, std::vector<double>{7});
    EXPECT_FALSE(set->has_dead_zone());
    EXPECT_EQ(set->name(), kPolytope);
  }
}

TEST(Polytope, ProjectionsOntoATriangleByHand) {
  const auto set = make_polytope(reference::sparse(triangle()));
  expect_near(nearest(*set, {1, 1}), {0.5, 0.5}, 1e-13);
  expect_near(nearest(*set, {2, -1}), {1, 0}, 1e-13);
  expect_near(nearest(*set, {-1, 0.25}), {0, 0.25}, 1e-13);
  expect_near(nearest(*set, {0.2, 0.3}), {0.2, 0.3}, 1e-13);
  EXPECT_NEAR(set->violation(std::vector<double>{1, 1}), 0.5, 1e-13);  // of |x| = sqrt(2)
  EXPECT_NEAR(set->violation(std::vector<double>{1, 0.1}), 0.1 * std::sqrt(0.5) / std::sqrt(1.01), 1e-13);
  EXPECT_NEAR(set->violation(std::vector<double>{0.5, -0.25}), 0.25, 1e-13);  // of the atom (1, 0)
  EXPECT_LE(set->violation(std::vector<double>{0.2, 0.3}), 1e-13);
}

// Whatever the length of the atoms, 1e-9 of the radius means the same.
TEST(Polytope, ViolationsAreSharesOfTheRadius) {
  for (const double scale : {1e-100, 1e-3, 1.0, 1e6, 1e100}) {
    DenseMatrix atoms = triangle();
    for (double& entry : atoms.entry) entry *= scale;
    const auto set = make_polytope(reference::sparse(atoms));
    EXPECT_NEAR(set->violation(std::vector<double>{0.5 * scale, -0.25 * scale}), 0.25, 1e-12) << scale;
    EXPECT_NEAR(set->with_radius(4)->violation(std::vector<double>{2 * scale, -scale}), 1, 1e-12) << scale;
  }
  EXPECT_EQ(make_polytope(reference::sparse(triangle()))
                ->violation(std::vector<double>{std::numeric_limits<double>::quiet_NaN(), 0}),
            std::numeric_limits<double>::infinity());
}

TEST(Polytope, APointAloneIsASet) {
  const auto zero = make_polytope(reference::sparse({1, 2, {0, 0}}));
  EXPECT_EQ(zero->violation(std::vector<double>{0, 0}), 0);
  EXPECT_EQ(zero->violation(std::vector<double>{3, 4}), 1);
  const auto point = make_polytope(reference::sparse({2, 2, {3, 4, 3, 4}}));
  EXPECT_LE(point->violation(std::vector<double>{3, 4}), 1e-14);
  EXPECT_NEAR(point->violation(std::vector<double>{0, 0}), 1, 1e-14);
}

DenseMatrix any_atoms() {
  const auto m = *rc::gen::inRange<Index>(1, 25), d = *rc::gen::inRange<Index>(1, 9);
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const double density = *rc::gen::element(0.3, 1.0), scale = *rc::gen::element(1.0, 1e-6, 1e6);
  DenseMatrix atoms(m, d);
  for (double& entry : atoms.entry)
    if (random.uniform() < density) entry = scale * random.normal();
  // Some twice, some halfway between two others: mixtures are then not unique.
  for (Index i = 3; i < m; i += 4)
    for (Index j = 0; j < d; ++j) atoms(i, j) = i % 8 == 3 ? atoms(i - 1, j) : (atoms(i - 1, j) + atoms(i - 2, j)) / 2;
  return atoms;
}

RC_GTEST_PROP(PolytopeLaws, EveryMixtureIsInside, (std::uint64_t seed)) {
  const DenseMatrix atoms = any_atoms();
  Random random(seed);
  std::vector<double> weight(static_cast<std::size_t>(atoms.rows));
  double sum = 0;
  for (double& w : weight) sum += w = random.uniform() < 0.5 ? -std::log(1 - random.uniform()) : 0;
  if (sum == 0) sum = weight[0] = 1;
  for (double& w : weight) w /= sum;
  const std::vector<double> x = reference::transposed_times(atoms, weight);
  RC_ASSERT(make_polytope(reference::sparse(atoms))->violation(x) <= 1e-10);
}

RC_GTEST_PROP(PolytopeLaws, TheProjectionIsInsideAndNoAtomIsOnTheOtherSide, (std::uint64_t seed)) {
  const DenseMatrix atoms = any_atoms();
  const auto set = make_polytope(reference::sparse(atoms));
  Random random(seed);
  double size = 1e-300;
  for (const double entry : atoms.entry) size = std::max(size, std::abs(entry));
  std::vector<double> v(static_cast<std::size_t>(atoms.columns));
  for (double& v_j : v) v_j = 3 * size * random.normal();
  const std::vector<double> p = nearest(*set, v);
  RC_ASSERT(set->violation(p) <= 1e-10);
  for (Index i = 0; i < atoms.rows; ++i) {
    double product = 0;  // <v - p, atom - p> <= 0
    for (std::size_t j = 0; j < v.size(); ++j) product += (v[j] - p[j]) * (atoms(i, static_cast<Index>(j)) - p[j]);
    RC_ASSERT(product <= 1e-9 * size * size * static_cast<double>(v.size()));
  }
}

TEST(Polytope, VerticesOfTheBallMakeTheBall) {
  const Index d = 6;
  DenseMatrix vertices(2 * d, d);
  for (Index j = 0; j < d; ++j) {
    vertices(2 * j, j) = 1;
    vertices(2 * j + 1, j) = -1;
  }
  const auto hull = make_polytope(reference::sparse(vertices), 2.5), ball = make_set({.set = "l1", .radius = 2.5});
  Random random(1);
  for (int t = 0; t < 50; ++t) {
    std::vector<double> v(static_cast<std::size_t>(d));
    for (double& v_j : v) v_j = 2 * random.normal();
    expect_near(nearest(*hull, v), nearest(*ball, v), 1e-9);
  }
}

TEST(Polytope, AnOracleOfOnesOwn) {
  // The box [-1, 1]^d, which has 2^d vertices.
  const auto box = make_polytope([](std::span<const double> gradient) {
    SparseAtom corner;
    for (std::size_t j = 0; j < gradient.size(); ++j) {
      corner.at.push_back(static_cast<Index>(j));
      corner.value.push_back(gradient[j] > 0 ? -1 : 1);
    }
    return corner;
  });
  expect_near(nearest(*box, {3, -0.25, 0.5, -2}), {1, -0.25, 0.5, -1}, 1e-12);
  EXPECT_LE(box->violation(std::vector<double>{1, -1, 0.3, 0}), 1e-12);
}

TEST(Polytope, SaysWhatIsWrong) {
  EXPECT_EQ(message_of([] { (void)make_polytope(MatrixPtr()); }), "atoms: none breaks the rule: at least one");
  EXPECT_EQ(message_of([] { (void)make_polytope(own_csr<double, std::int32_t>(0, 3, {0}, {}, {})); }),
            "atoms: none breaks the rule: at least one");
  EXPECT_EQ(message_of([] { (void)make_polytope(LinearOracle()); }),
            "oracle: none breaks the rule: a function that finds an atom");
  const auto set = make_polytope(reference::sparse(triangle()));
  for (const double radius : {0.0, -1.0, std::numeric_limits<double>::infinity()})
    EXPECT_TRUE(message_of([&] { (void)set->with_radius(radius); }).ends_with("a finite number > 0"));
  EXPECT_EQ(message_of([&] { set->check_dimension(1); }),
            "atoms: 2 columns breaks the rule: at most the 1 features of the data");
  SparseAtom atom;
  EXPECT_EQ(message_of([&] {
              set->block_oracle(std::vector<double>{1, 1}, 1, atom);
            }),
            "set: polytope breaks the rule: a set with a block oracle");
  EXPECT_EQ(message_of([&] {
              (void)set->dead_zone(std::vector<double>{1, 1}, {});
            }),
            "set: polytope breaks the rule: a set with a dead zone");
}

TEST(Polytope, AnOracleThatMisbehavesIsCaught) {
  const auto message = [](SparseAtom bad) {
    const auto set = make_polytope([bad](std::span<const double>) { return bad; });
    return message_of([&] {
      SparseAtom atom;
      set->linear_oracle(std::vector<double>{1, 2}, atom);
    });
  };
  EXPECT_EQ(message({{0, 2}, {1, 1}}), "atom: index 2 after 0 breaks the rule: indices ascend from 0 to 1");
  EXPECT_EQ(message({{-1}, {1}}), "atom: index -1 after -1 breaks the rule: indices ascend from 0 to 1");
  EXPECT_EQ(message({{1, 0}, {1, 1}}), "atom: index 0 after 1 breaks the rule: indices ascend from 0 to 1");
  EXPECT_EQ(message({{0}, {}}), "atom: 1 indices, 0 values breaks the rule: as many of both");
  EXPECT_EQ(message({{0}, {HUGE_VAL}}), "atom: inf breaks the rule: finite numbers");
}

// Minor cycles on 1/2 |x - c|^2 over the triangle, from its first corner with the second entering.
TEST(CorrectedWeights, ByHand) {
  const Eigen::MatrixXd H = (Eigen::MatrixXd(3, 3) << 0, 0, 0, 0, 1, 0, 0, 0, 1).finished();
  const Eigen::VectorXd first = Eigen::VectorXd::Unit(3, 0);
  const auto slope = [](double c1, double c2) { return Eigen::Vector3d(0, -c1, -c2); };  // at the corner 0
  const Eigen::VectorXd inside = corrected_weights(H, slope(0.25, 0), first, 1);
  EXPECT_NEAR(inside[0], 0.75, 1e-9);
  EXPECT_NEAR(inside[1], 0.25, 1e-9);
  EXPECT_EQ(inside[2], 0);
  const Eigen::VectorXd beyond = corrected_weights(H, slope(5, 0), first, 1);
  EXPECT_EQ(beyond, Eigen::Vector3d(0, 1, 0));
  const Eigen::Vector3d middle(1.0 / 3, 1.0 / 3, 1.0 / 3);
  const Eigen::VectorXd edge = corrected_weights(H, Eigen::Vector3d(0, 1.0 / 3 - 1, 1.0 / 3 - 1), middle, 0);
  EXPECT_NEAR(edge[0], 0, 1e-12);
  EXPECT_NEAR(edge[1], 0.5, 1e-9);
}

RC_GTEST_PROP(CorrectedWeights, StayOnTheSimplexAndDoNotRaiseTheModel, (std::uint64_t seed)) {
  Random random(seed);
  const auto s = *rc::gen::inRange<Index>(1, 12), rank = *rc::gen::inRange<Index>(1, 12);
  Eigen::MatrixXd V(s, rank);
  Eigen::VectorXd gradient(s), weights(s);
  for (Index k = 0; k < s; ++k) {
    for (Index j = 0; j < rank; ++j) V(k, j) = random.normal();
    gradient[k] = random.normal();
    weights[k] = random.uniform() < 0.6 ? random.uniform() : 0;
  }
  const auto entering = static_cast<Index>(random.below(static_cast<std::uint64_t>(s)));
  if (weights.sum() == 0) weights[0] = 1;
  weights /= weights.sum();
  const Eigen::MatrixXd H = V * V.transpose();
  const Eigen::VectorXd now = corrected_weights(H, gradient, weights, entering);
  RC_ASSERT(now.minCoeff() >= 0);
  RC_ASSERT(std::abs(now.sum() - 1) <= 1e-12);
  const Eigen::VectorXd e = now - weights;
  RC_ASSERT(gradient.dot(e) + 0.5 * e.dot(H * e) <= 1e-9);
}

}  // namespace polytope_test
}  // namespace pdbfw
