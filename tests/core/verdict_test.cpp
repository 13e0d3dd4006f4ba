// The rounding of the judge, against sums in long double: what is certified holds, and is finite wherever y is in its
// domain.                                                                                                     [M2c]
#include "core/verdict.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/judge.hpp"
#include "losses/with_free.hpp"
#include "pdbfw/pairwise_sum.hpp"
#include "pdbfw/solve.hpp"
#include "regularisers/ridge.hpp"
#include "support/cases.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace verdict_test {

using Long = long double;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr Long kEpsilon = std::numeric_limits<double>::epsilon();

// f(w) and f*(y), from the table of [M5].
Long long_value(const std::string& loss, Long b, Long w) {
  const Long m = b * w, off = std::abs(w - b);
  if (loss == "smooth_hinge") return m >= 1 ? 0 : m <= 0 ? Long(0.5) - m : (1 - m) * (1 - m) / 2;
  if (loss == "squared_hinge") return m >= 1 ? 0 : (1 - m) * (1 - m) / 2;
  if (loss == "logistic") return m > 0 ? std::log1p(std::exp(-m)) : -m + std::log1p(std::exp(m));
  if (loss == "huber") return off <= 1 ? off * off / 2 : off - Long(0.5);
  return off * off / 2;
}
Long long_conjugate(const std::string& loss, Long b, Long y) {
  const Long v = -b * y;
  if (loss == "logistic") return v <= 0 || v >= 1 ? 0 : v * std::log(v) + (1 - v) * std::log1p(-v);
  return y * y / 2 + b * y;
}

struct Case {
  reference::DenseMatrix A;
  std::vector<double> b, weight;
  std::string loss;
  double ridge;
  bool has_intercept;
  Problem problem;
};

// Data whose sums round badly: zeros and ones, whole numbers far from zero, or entries of very different size; with
// weights over many orders of magnitude.
Case hard_case(Random& random) {
  const auto losses = loss_names(), sets = set_names();
  const auto n = static_cast<Index>(2 + random.below(random.uniform() < 0.1 ? 1500 : 60));
  const auto d = static_cast<Index>(1 + random.below(12));
  Case c{.A = {n, d},
         .b = {},
         .weight = {},
         .loss = std::string(losses[random.below(losses.size())]),
         .ridge = random.uniform() < 0.5 ? 0 : std::exp(3 * random.normal()),
         .has_intercept = random.uniform() < 0.5,
         .problem = {}};
  const std::uint64_t kind = random.below(3);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < d; ++j) {
      if (random.uniform() < 0.5) continue;
      c.A(i, j) = kind == 0 ? 1 : kind == 1 ? 1000 + std::floor(10 * random.uniform()) : std::exp(5 * random.normal());
    }
  const bool are_labels = make_loss({.loss = c.loss})->target_kind() == TargetKind::labels;
  for (Index i = 0; i < n; ++i)
    c.b.push_back(are_labels ? (i == 0 || (i > 1 && random.uniform() < 0.7) ? 1 : -1) : 100 + 10 * random.normal());
  Problem& p = c.problem;
  p.A = random.uniform() < 0.5 ? reference::sparse(c.A) : reference::dense(c.A);
  const bool is_weighted = random.uniform() < 0.3;
  for (Index i = 0; i < n; ++i) c.weight.push_back(is_weighted ? std::exp(4 * random.normal()) : 1);
  auto loss = make_loss({.loss = c.loss}, c.b, is_weighted ? c.weight : std::vector<double>{});
  if (c.has_intercept)
    loss = std::make_shared<WithFree>(loss, 1, std::vector<double>(static_cast<std::size_t>(n), 1.0));
  p.loss = loss;
  p.has_intercept = c.has_intercept;
  p.regulariser = std::make_shared<RidgeRegulariser>(c.ridge);
  p.set = make_set({.set = std::string(sets[random.below(sets.size())]),
                    .radius = std::exp(2 * random.normal()) / (kind == 1 ? 1e3 : 1)});
  return c;
}

struct Exact {
  Long gap = 0, unit = 0;
  Long size = 0;         // of all that is added up
  Long last_digits = 0;  // what may become of it when products are rounded: kinks of the set, squares of the loss
};

// P(x) - D(y) for the weight of the intercept and the dead zone that the library finds: those of any other are no
// better.
Exact exact_gap(const Case& c, const std::vector<double>& x, const std::vector<double>& y) {
  const Problem& p = c.problem;
  const auto n = static_cast<std::size_t>(p.n());
  std::vector<double> w_rounded(n);
  multiply(*p.A, x, w_rounded);
  std::vector<double> near_balance = y;
  p.loss->balance(near_balance);
  std::vector<Long> dual(near_balance.begin(), near_balance.end());
  Long t = 0;
  if (c.has_intercept) {
    t = p.loss->free_weights(w_rounded)[0];
    Long up = 0, down = 0;
    for (const Long y_i : dual) (y_i > 0 ? up : down) += std::abs(y_i);
    for (Long& y_i : dual)
      if (up != down && (y_i > 0) == (up > down)) y_i *= std::min(up, down) / std::max(up, down);
  }
  Exact out;
  Long primal = 0, conjugate = 0, at_zero = 0;
  std::vector<Long> z(x.size(), 0), size_of_z(x.size(), 0);
  for (std::size_t i = 0; i < n; ++i) {
    Long w = t, size_of_w = std::abs(t);
    for (std::size_t j = 0; j < x.size(); ++j) {
      const Long a = c.A(static_cast<Index>(i), static_cast<Index>(j));
      w += a * x[j];
      size_of_w += std::abs(a * x[j]);
      z[j] += a * dual[i];
      size_of_z[j] += std::abs(a * dual[i]);
    }
    const Long f = c.weight[i] * long_value(c.loss, c.b[i], w);
    const Long f_star = c.weight[i] * long_conjugate(c.loss, c.b[i], dual[i] / c.weight[i]);
    primal += f;
    conjugate += f_star;
    at_zero += c.weight[i] * long_value(c.loss, c.b[i], 0);
    const Long error_of_w = kEpsilon * static_cast<Long>(x.size() + 2) * size_of_w;
    out.last_digits += c.weight[i] * error_of_w * error_of_w;
    out.size += std::abs(f) + std::abs(f_star) + std::abs(c.b[i] * dual[i]) + size_of_w * std::abs(dual[i]);
  }
  const Long samples = static_cast<Long>(n);
  Long g = 0;
  std::vector<double> u;
  for (std::size_t j = 0; j < x.size(); ++j) {
    g += Long(c.ridge) * x[j] * x[j] / 2;
    u.push_back(static_cast<double>(-z[j] / samples));
  }
  const std::string set(p.set->name());
  const double radius = p.set->radius();
  Long lambda = p.set->dead_zone(u, p.regulariser->curvatures()).multiplier;
  const auto reach = [&](std::size_t j) { return set == "l1" ? std::abs(z[j]) / samples : -z[j] / samples; };
  Long part = 0, largest = 0;
  for (std::size_t j = 0; j < x.size(); ++j) largest = std::max(largest, size_of_z[j] / samples);
  if (c.ridge == 0) {
    lambda = set == "simplex" ? reach(0) : 0;
    for (std::size_t j = 0; j < x.size(); ++j) lambda = std::max(lambda, reach(j));
  } else {
    for (std::size_t j = 0; j < x.size(); ++j)
      if (reach(j) > lambda) part += (reach(j) - lambda) * (reach(j) - lambda) / (2 * Long(c.ridge));
  }
  out.gap = primal / samples + g + part + lambda * radius + conjugate / samples;
  out.size = out.size / samples + g + part + std::abs(lambda * radius) + largest * radius;
  out.last_digits = out.last_digits / samples + kEpsilon * samples * largest * radius;
  out.unit = std::max(std::abs(primal / samples + g), Long(kTinyFraction) * at_zero / samples);
  return out;
}

// True gaps are no larger than what is certified, but for the agreement of values; nor is much given away.
void expect_true(const Case& c, const std::vector<double>& x, const std::vector<double>& y) {
  PrimalSide primal{.objective_of_nothing = objective_of_nothing(c.problem)};
  DualSide dual;
  const Verdict verdict = certify(c.problem, x, y, 1, {}, primal, dual);
  const Certificate& said = verdict.certificate;
  const double rounding = verdict.rounding.of_gap;
  const Exact exact = exact_gap(c, x, y);
  RC_LOG() << c.loss << " on " << c.problem.set->name() << ", " << c.problem.n() << " x " << c.problem.d() << ", ridge "
           << c.ridge << ", intercept " << c.has_intercept << ", radius " << c.problem.set->radius() << ": gap "
           << said.gap << ", exactly " << static_cast<double>(exact.gap) << ", of " << static_cast<double>(exact.unit)
           << ", size " << static_cast<double>(exact.size);
  RC_ASSERT(std::isfinite(said.gap) && said.gap >= 0);
  RC_ASSERT(std::isfinite(said.relative_gap) && std::isfinite(said.dual));
  RC_ASSERT(exact.gap <= said.primal - said.dual + rounding + exact.last_digits);
  RC_ASSERT(said.gap >= rounding || (said.gap == 0 && rounding <= Long(kAgreement) * exact.unit * (1 + Long(1e-9))));
  const bool is_of_no_account = rounding <= Long(1e-3) * Long(kAgreement) * exact.unit;
  RC_ASSERT(rounding <= Long(1e-13) * exact.size || is_of_no_account);
  RC_ASSERT(said.gap <= exact.gap + 2 * Long(rounding) + exact.last_digits);
}

RC_GTEST_PROP(Verdict, HoldsAndIsFiniteForAnyPoints, (std::uint64_t seed)) {
  Random random(seed);
  for (int k = 0; k < 5; ++k) {
    const Case c = hard_case(random);
    std::vector<double> x = test::random_vector(static_cast<std::size_t>(c.problem.d()), random);
    for (double& x_j : x) x_j *= c.problem.set->radius();
    c.problem.set->project(x);
    expect_true(c, x, dual_candidate(c.problem, x));
    expect_true(c, x, std::vector<double>(c.b.size(), 0.0));
  }
}

RC_GTEST_PROP(Verdict, HoldsAndIsFiniteWhereTheProblemIsSolved, (std::uint64_t seed)) {
  Random random(seed);
  const Case c = hard_case(random);
  const Result result = solve(c.problem, {.tol = 1e-300, .max_iterations = 300});
  expect_true(c, result.x, result.y);
  RC_ASSERT((result.status == Status::converged) == (result.certificate.relative_gap == 0));
}

TEST(Verdict, OfAnUnprovenDualValueIsInfinite) {
  Certificate c{.primal = 1, .dual = -kInf};
  compare(c, {}, 1);
  EXPECT_EQ(c.gap, kInf);
  EXPECT_EQ(c.relative_gap, kInf);
  const CertificateTerms overflow{.loss = 1, .product = kInf, .size_of_product = kInf, .at_x = -kInf};
  EXPECT_EQ(conclude(overflow).certificate.dual, -kInf);
  EXPECT_EQ(conclude(overflow).certificate.gap, kInf);
}

// Weak duality holds for any x in C and any y: whatever puts D above P is rounding.
TEST(Verdict, ClipsWhatCannotBe) {
  for (const double above : {1e-15, 1e-10, 1e-3, 1.0}) {
    Certificate c{.primal = 1, .dual = 1 + above};
    compare(c, {}, 1);
    EXPECT_EQ(c.gap, 0);
    EXPECT_EQ(c.relative_gap, 0);
    EXPECT_EQ(c.dual, c.primal);
  }
}

// The products <A x, y> and <x, A'y> tell how far the judge's own products can be trusted.
TEST(Verdict, CountsWhatTheProductsDisagreeBy) {
  const CertificateTerms same{.loss = 0.5, .conjugate = -1, .on_set = -0.5, .product = 0.5, .at_x = -0.5};
  CertificateTerms other = same;
  other.at_x = -0.5 + 1e-6;
  EXPECT_EQ(conclude(same).certificate.gap, 0);
  const Certificate c = conclude(other).certificate;
  EXPECT_NEAR(c.gap, 1e-6, 1e-12);
  EXPECT_EQ(c.dual, c.primal - c.gap);  // no more than is proven
}

TEST(Verdict, TellsAGapWithinRoundingAsSuch) {
  EXPECT_EQ(text_of_gap(0), "0, within rounding");
  EXPECT_EQ(text_of_gap(9.02e-8), "9.02e-08");
  EXPECT_EQ(text_of_gap(1.0, 6), "1.000000e+00");
  EXPECT_EQ(text_of_gap(kInf), "inf");
}

// Targets 10^4 + {0, 1}: P* = 1/8, but D is a difference of numbers of the size of 10^4.
constexpr double kFar = 1e4;
Problem far_away() {
  return make_problem(reference::dense({2, 1, {1, 1}}), {kFar, kFar + 1},
                      {.loss = "squared", .radius = 2 * kFar, .ridge = {0, false}});
}

TEST(Verdict, EndsARunAtOnceWhenOnlyRoundingIsLeft) {
  const Problem problem = far_away();
  const std::vector<double> x{kFar + 0.5}, y = dual_candidate(problem, x);
  Monitor monitor(problem, {.tol = 1e-12}, {});
  // The solver believes in a gap that is far from the tolerance, so that the first certificate is the 21st pass's.
  Index iterations = 0;
  while (monitor.carry_on({0.125, 0, 1}, [&] { return Point{x, y}; })) {
    monitor.run().charge(2);
    ASSERT_LE(++iterations, 21);
  }
  const Result result = std::move(monitor).finish();
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_TRUE(result.message.starts_with("the gap is within rounding: relative gap ")) << result.message;
  EXPECT_GT(result.certificate.relative_gap, 1e-12);
  EXPECT_TRUE(std::isfinite(result.certificate.relative_gap));
}

TEST(Verdict, LetsARunGoOnWhileThereIsMoreThanRounding) {
  const Problem problem = far_away();
  const std::vector<double> x{kFar + 0.5 + 1e-3}, y = dual_candidate(problem, x);
  Monitor monitor(problem, {.tol = 1e-12, .max_iterations = 50}, {});
  while (monitor.carry_on({0.125, 0, 1}, [&] { return Point{x, y}; })) monitor.run().charge(2);
  EXPECT_EQ(std::move(monitor).finish().status, Status::iteration_limit);
}

// Equal terms round alike, so that errors add up: 0.1 n times in a row errs by far more.
TEST(PairwiseSum, ErrsByNoMoreThanItsDepth) {
  Random random(5);
  for (const std::size_t n : {1U, 2U, 3U, 4U, 5U, 127U, 128U, 129U, 1000U, 20'000U, 50'007U})
    for (const double spread : {0.0, 1.0, 20.0}) {
      std::vector<double> terms;
      Long exact = 0, size = 0;
      for (std::size_t i = 0; i < n; ++i) {
        terms.push_back(spread == 0 ? 0.1 : std::exp(spread * random.normal()) * (random.uniform() < 0.5 ? -1 : 1));
        exact += terms.back();
        size += std::abs(terms.back());
      }
      const double sum = pairwise_sum(0, n, [&](std::size_t i) { return terms[i]; });
      const Long unit = std::numeric_limits<double>::epsilon() / 2;
      EXPECT_LE(std::abs(sum - exact), static_cast<Long>(pairwise_depth(n)) * unit * size) << n << ", " << spread;
    }
  EXPECT_EQ(pairwise_sum(3, 3, [](std::size_t) { return 1.0; }), 0);
  EXPECT_LT(pairwise_depth(1'000'000'000), 70U);
}

}  // namespace verdict_test
}  // namespace pdbfw
