// Certificates that leave columns out: what a solver guesses may cost time, never truth.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/judge.hpp"
#include "pdbfw/set.hpp"
#include "support/cases.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace certify_test {

constexpr double kInf = std::numeric_limits<double>::infinity();

std::vector<double> column_sums(const DataMatrix& A, std::span<const double> signs) {
  const reference::DenseMatrix full = reference::expand(A);
  std::vector<double> sums(static_cast<std::size_t>(A.columns()), 0.0);
  for (Index j = 0; j < full.columns; ++j) {
    double up = 0, down = 0;
    for (Index i = 0; i < full.rows; ++i) {
      const double pull = std::copysign(1.0, signs[static_cast<std::size_t>(i)]) * full(i, j);
      (pull > 0 ? up : down) += std::abs(pull);
    }
    sums[static_cast<std::size_t>(j)] = std::max(up, down);
  }
  return sums;
}

// Shares of the right border: none, too low, right, too high, huge, and nonsense.
constexpr double kShares[] = {-1, 0, 1e-300, 0.01, 0.5, 0.95, 1, 1.04, 1.1, 2, 10, 1e6, 1e300, kInf};

void expect_near(double a, double b, double tolerance, const std::string& what) {
  EXPECT_TRUE(a == b || std::abs(a - b) <= tolerance) << what << ": " << a << " and " << b;  // both may be infinite
}

Certificate certify_seen(const Problem& problem, std::span<const double> x, std::span<const double> y, int threads,
                         const ColumnBounds& bounds, DualSide& side) {
  PrimalSide primal{.objective_of_nothing = objective_of_nothing(problem)};
  return certify(problem, x, y, threads, bounds, primal, side).certificate;
}

// How many of the certificates left a column out.
int expect_same_for_any_border(const Problem& problem, std::span<const double> x, std::span<const double> y,
                               ColumnBounds bounds, const std::string& name) {
  DualSide all;
  const Certificate plain = certify_seen(problem, x, y, 1, {}, all);
  EXPECT_EQ(all.u.size(), static_cast<std::size_t>(problem.d())) << name;
  EXPECT_EQ(all.entries, static_cast<double>(problem.A->nonzeros())) << name;
  const double size = 1 + std::abs(plain.primal) + std::abs(plain.dual);
  int partial = 0;
  for (const double share : kShares)
    for (const int threads : {1, 2}) {
      const std::string what = name + ", share " + std::to_string(share);
      const double border = share == kInf ? kInf : share * std::abs(all.zone.multiplier);
      DualSide side;
      bounds.border = border;
      const Certificate bounded = certify_seen(problem, x, y, threads, bounds, side);
      EXPECT_EQ(bounded.primal, plain.primal) << what;
      EXPECT_EQ(bounded.violation, plain.violation) << what;
      EXPECT_LE(bounded.dual, plain.dual + 1e-13 * size) << what;  // nothing more is claimed
      expect_near(bounded.dual, plain.dual, 1e-13 * size, what);
      expect_near(bounded.gap, plain.gap, 2e-13 * size, what);
      expect_near(side.zone.lower, all.zone.lower, 1e-13 * size, what);
      expect_near(side.zone.upper, all.zone.upper, 1e-13 * size, what);
      expect_near(side.zone.multiplier, all.zone.multiplier, 1e-13 * size, what);
      EXPECT_EQ(side.zone.is_tight, all.zone.is_tight) << what;
      if (!side.u.empty()) {  // all columns were needed: at least their entries were looked at
        EXPECT_EQ(side.u, all.u) << what;
        EXPECT_GE(side.entries, all.entries) << what;
      } else {
        EXPECT_LE(side.entries, all.entries) << what;
        if (side.entries < all.entries) ++partial;
      }
    }
  return partial;
}

int expect_same_with_signs(const Problem& problem, std::span<const double> x, std::span<const double> y,
                           std::span<const double> signs, const std::string& name) {
  const std::vector<double> sums = column_sums(*problem.A, signs);
  return expect_same_for_any_border(problem, x, y, ColumnBounds{.sums = sums, .signs = signs}, name);
}

// The signs of y, all of them wrong, and any.
int expect_same_for_any_border(const Problem& problem, std::span<const double> x, std::span<const double> y,
                               const std::string& name) {
  std::vector<double> wrong, any;
  Random random(3);
  for (const double y_i : y) {
    wrong.push_back(-y_i);
    any.push_back(random.normal());
  }
  const int with_wrong = expect_same_with_signs(problem, x, y, wrong, name + ", wrong signs");
  const int with_any = expect_same_with_signs(problem, x, y, any, name + ", any signs");
  const int with_right = expect_same_with_signs(problem, x, y, y, name + ", right signs");
  EXPECT_GE(with_right, with_wrong) << name;
  return with_right + with_any;
}

// Columns of very different size, most of them too small to matter.
Problem problem_of_small_columns(const std::string& loss, const std::string& set, bool is_dense, double ridge,
                                 std::uint64_t seed) {
  Random random(seed);
  const reference::DenseMatrix A = test::random_matrix({.n = 30, .d = 25, .scale = 3, .column_decay = 0.8}, random);
  const Formulation formulation{.loss = loss, .set = set, .radius = 0.7, .ridge = {ridge, true}};
  std::vector<double> b = test::random_targets(A, test::takes_labels(formulation), random);
  return make_problem(is_dense ? reference::dense(A) : reference::sparse(A), std::move(b), formulation);
}

// Over problems of every kind: `count` says how many certificates of a problem at x left a column out.
template <class Count>
void expect_columns_left_out(const Count& count) {
  for (const std::string_view set : set_names())
    for (const double ridge : {0.0, 0.1, 10.0}) {
      int partial = 0;
      for (const std::string_view loss : loss_names())
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
          const Problem problem =
              problem_of_small_columns(std::string(loss), std::string(set), seed % 2 == 0, ridge, seed);
          Random random(seed);
          std::vector<double> x = test::random_vector(25, random);
          for (double& x_j : x) x_j *= random.uniform() < 0.3 ? 1 : 0;
          problem.set->project(x);
          partial += count(problem, x, random,
                           std::string(loss) + " on " + std::string(set) + ", seed " + std::to_string(seed));
        }
      EXPECT_GT(partial, 0) << set << ", ridge " << ridge << ": no certificate left a column out";
    }
}

TEST(ColumnSums, LeaveTheCertificateAsItIs) {
  expect_columns_left_out([](const Problem& problem, const std::vector<double>& x, Random&, const std::string& name) {
    return expect_same_for_any_border(problem, x, dual_candidate(problem, x), name);
  });
}

TEST(ColumnSums, AreOfNoUseWhereFeaturesDifferInCurvature) {
  for (const std::string_view set : set_names()) {
    Random random(7);
    const reference::DenseMatrix A = test::random_matrix({.n = 12, .d = 6, .column_decay = 0.5}, random);
    const Problem problem =
        make_problem(reference::sparse(A), test::random_targets(A, true, random),
                     {.set = std::string(set), .radius = 1, .ridge = {1, true}, .ridge_scale = {1, 0, 3, 0.1, 10, 1}});
    const std::vector<double> x = start_point(problem);
    EXPECT_EQ(expect_same_for_any_border(problem, x, dual_candidate(problem, x), std::string(set)), 0) << set;
  }
}

// Where all a_ij >= 0 and all y_i are equal, |u_j| is as large as its bound.
TEST(ColumnSums, MayBeMetExactly) {
  for (const std::string_view set : set_names())
    for (const double ridge : {0.0, 1.0}) {
      reference::DenseMatrix A(9, 12);
      Random random(8);
      for (Index j = 0; j < 12; ++j)  // three columns of each size
        for (Index i = 0; i < 9; ++i) A(i, j) = (0.1 + random.uniform()) / static_cast<double>(1 + j / 3);
      for (Index i = 0; i < 9; ++i) A(i, 1) = A(i, 2) = A(i, 0);  // ties at the border
      const Problem problem = make_problem(reference::dense(A), std::vector<double>(9, 1.0),
                                           {.set = std::string(set), .radius = 0.1, .ridge = {ridge, true}});
      const std::vector<double> x = start_point(problem), y(9, -0.9);
      EXPECT_GT(expect_same_for_any_border(problem, x, y, std::string(set)), 0) << set;
    }
}

TEST(ColumnSums, OfADualPointOfZero) {
  for (const std::string_view set : set_names()) {
    const Problem problem = problem_of_small_columns("squared", std::string(set), false, 1, 1);
    const std::vector<double> x = start_point(problem), y(30, 0.0);
    (void)expect_same_for_any_border(problem, x, y, std::string(set));
    DualSide side;
    const std::vector<double> sums = column_sums(*problem.A, y);
    const Certificate plain = certify(problem, x, y);
    EXPECT_NEAR(certify_seen(problem, x, y, 1, {.sums = sums, .signs = y, .border = 0.5}, side).dual, plain.dual, 1e-14)
        << set;
  }
}

struct EarlierProduct {
  std::vector<double> z, u, norms;
  [[nodiscard]] ColumnBounds bounds() const { return {.norms = norms, .u = u, .z = z}; }
};

EarlierProduct product_at(const DataMatrix& A, std::vector<double> z) {
  EarlierProduct out{std::move(z), std::vector<double>(static_cast<std::size_t>(A.columns())), {}};
  multiply_transposed(A, out.z, out.u);
  for (double& u_j : out.u) u_j /= -static_cast<double>(A.rows());
  const reference::DenseMatrix full = reference::expand(A);
  for (Index j = 0; j < full.columns; ++j) {
    double sum = 0;
    for (Index i = 0; i < full.rows; ++i) sum += full(i, j) * full(i, j);
    out.norms.push_back(std::sqrt(sum));
  }
  return out;
}

// From a product at a point that is near, longer, far, the other way round, 0, or the same.
TEST(EarlierProducts, LeaveTheCertificateAsItIs) {
  expect_columns_left_out(
      [](const Problem& problem, const std::vector<double>& x, Random& random, const std::string& name) {
        const std::vector<double> y = dual_candidate(problem, x);
        int partial = 0;
        for (const auto& [times, noise] :
             {std::pair{1.0, 0.01}, {2.0, 0.01}, {1.0, 1.0}, {-1.0, 0.0}, {0.0, 0.0}, {1.0, 0.0}}) {
          std::vector<double> z = y;
          for (double& z_i : z) z_i = times * z_i + noise * random.normal();
          const EarlierProduct earlier = product_at(*problem.A, z);
          partial += expect_same_for_any_border(problem, x, y, earlier.bounds(), name);
        }
        return partial;
      });
}

// Two samples, columns (1, 0) and (0, 0.1). At z = (-1, 0) u = (0.5, 0); y = (-2, -1) is 2 z and (0, -1) more.
TEST(EarlierProducts, ByHand) {
  const std::vector<double> z{-1, 0}, u{0.5, 0}, norms{1, 0.1}, y{-2, -1};
  const ColumnBounds bounds{.norms = norms, .u = u, .z = z};
  EXPECT_EQ(bounds.may_exceed(0.04, y, 1), (std::vector<Index>{0, 1}));  // 0.1 * 1 / 2 = 0.05
  EXPECT_EQ(bounds.may_exceed(0.06, y, 1), (std::vector<Index>{0}));
  EXPECT_EQ(bounds.may_exceed(1.4, y, 1), (std::vector<Index>{0}));  // 2 * 0.5 + 1 * 1 / 2 = 1.5
  EXPECT_EQ(bounds.may_exceed(1.6, y, 1), std::vector<Index>{});
}

// Two atoms far from 0, 1 apart: P* is far below the rounding of the numbers that D is made of.
TEST(Verdict, TakesNoProofFromWhatCancels) {
  constexpr double kFar = 1e12;
  Problem problem =
      make_problem(reference::dense({2, 1, {1, 1}}), {kFar, kFar + 1}, {.loss = "squared", .ridge = {0, false}});
  problem.set = make_polytope(reference::dense({2, 1, {kFar, kFar + 1}}));
  const std::vector<double> x{kFar + 0.5};
  const Certificate c = certify(problem, x, dual_candidate(problem, x));
  EXPECT_GE(c.gap, 0);
  EXPECT_LE(c.dual, c.primal);
}

// One sample (1, 0.1), squared loss: y = -1 puts u = (1, 0.1), and a border of 0.5 leaves the second column out.
TEST(ColumnSums, ByHand) {
  const Problem problem =
      make_problem(reference::dense({1, 2, {1, 0.1}}), {2}, {.loss = "squared", .radius = 0.25, .ridge = {1, false}});
  const std::vector<double> x{0, 0}, y{-1}, sums{1, 0.1};
  DualSide side;
  // The zone: 1 - t = 0.25. D = -0.25^2 / 2 - 0.75 * 0.25 - (1/2 - 2).
  const double dual = -0.03125 - 0.1875 + 1.5;
  EXPECT_NEAR(certify_seen(problem, x, y, 1, {.sums = sums, .signs = y, .border = 0.5}, side).dual, dual, 1e-14);
  EXPECT_TRUE(side.u.empty());
  EXPECT_EQ(side.entries, 1);
  EXPECT_DOUBLE_EQ(side.zone.upper, 0.75);
  // A border so high that nothing seems to matter is found out.
  DualSide other;
  EXPECT_NEAR(certify_seen(problem, x, y, 1, {.sums = sums, .signs = y, .border = 100}, other).dual, dual, 1e-14);
  EXPECT_EQ(other.u, (std::vector<double>{1, 0.1}));
  EXPECT_EQ(other.entries, 2);
}

}  // namespace certify_test
}  // namespace pdbfw
