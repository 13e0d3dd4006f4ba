// The Monitor without any algorithm: a made-up solver says what it believes, and every status is reached.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/team.hpp"
#include "core/judge.hpp"
#include "reference/tiny_problems.hpp"
#include "support/thread_team.hpp"

namespace pdbfw {
namespace monitor_test {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

// x = (2/3, 1/3), y = (-4/3, -2/3), P* = 5/6; A = I has two non-zeros, so a certificate costs 4 multiply-adds.
const reference::TinyProblem& tiny() {
  static const reference::TinyProblem problem = reference::slack_ball();
  return problem;
}

Point optimum() { return {tiny().x, tiny().y}; }
Point zero() { return {{0, 0}, {0, 0}}; }                              // P = 5/4, D = 0
const Estimate kFarOff{.primal = 2, .dual = 1, .nonzeros = 2};         // claims nothing
const Estimate kClaim{.primal = 1, .dual = 1 - 1e-12, .nonzeros = 2};  // claims the tolerance

// The time is what a test says it is, to each thread of it.
thread_local double time_now = 0;
Stopwatch set_by_hand() {
  time_now = 0;
  return Stopwatch([] { return time_now; });
}

// Runs until the monitor says stop; the estimate and the point of iteration t are given.
template <class EstimateOf, class PointOf>
Result run_fake(const Settings& settings, const EstimateOf& estimate, const PointOf& point,
                const Callback& callback = {}, double multiply_adds = 0, Stopwatch watch = {}) {
  Monitor monitor(tiny().problem, settings, callback, watch);
  Index t = 0;
  while (monitor.carry_on(estimate(t), [&] { return point(t); })) {
    monitor.run().charge(multiply_adds, 1);
    ++t;
    if (t > 1'000'000) {
      ADD_FAILURE() << "never stops";
      break;
    }
  }
  return std::move(monitor).finish();
}

template <class Value>
auto always(Value value) {
  return [value](Index) { return value; };
}

// The certificate of a result belongs to its x and its y.
void expect_honest(const Result& result) {
  const Certificate c = certify(tiny().problem, result.x, result.y);
  EXPECT_EQ(result.certificate.primal, c.primal);
  EXPECT_EQ(result.certificate.dual, c.dual);
  EXPECT_NEAR(result.certificate.gap, c.gap, 1e-15);
  EXPECT_NEAR(result.certificate.relative_gap, c.relative_gap, 1e-15);
  EXPECT_EQ(result.certificate.violation, c.violation);
  EXPECT_EQ(result.certificate.relative_gap <= result.settings.tol, result.status == Status::converged);
}

TEST(Monitor, ConvergesWhenTheCertificateBearsTheClaimOut) {
  const Result result = run_fake({}, always(kClaim), always(optimum()));
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.work.iterations, 0);
  EXPECT_EQ(result.x, tiny().x);
  EXPECT_EQ(result.y, tiny().y);
  EXPECT_NE(result.message.find("<= tol 0.0001 after 0 iterations"), std::string::npos) << result.message;
  expect_honest(result);
}

TEST(Monitor, StopsAtTheIterationLimit) {
  const Result result = run_fake({.max_iterations = 3}, always(kFarOff), always(zero()));
  EXPECT_EQ(result.status, Status::iteration_limit);
  EXPECT_EQ(result.work.iterations, 3);
  EXPECT_EQ(result.work.oracle_calls, 3 + 1);  // one for each iteration, one for the certificate
  EXPECT_EQ(result.message, "iteration limit 3 reached: relative gap 1.00e+00 > tol 0.0001");
  expect_honest(result);
}

TEST(Monitor, MayBeAllowedNoIterationAtAll) {
  const Result result = run_fake({.max_iterations = 0}, always(kFarOff), always(zero()));
  EXPECT_EQ(result.status, Status::iteration_limit);
  EXPECT_EQ(result.work.iterations, 0);
  expect_honest(result);
}

TEST(Monitor, StopsAtTheTimeLimit) {
  const Result result = run_fake({.max_seconds = 0}, always(kFarOff), always(zero()));
  EXPECT_EQ(result.status, Status::time_limit);
  EXPECT_EQ(result.message, "time limit 0 s reached: relative gap 1.00e+00 > tol 0.0001");
  expect_honest(result);
}

TEST(Monitor, StopsAtThePassLimit) {
  const Result result = run_fake({.max_passes = 5}, always(kFarOff), always(zero()), {}, 2);  // one pass per iteration
  EXPECT_EQ(result.status, Status::pass_limit);
  EXPECT_EQ(result.work.iterations, 5);
  EXPECT_EQ(result.work.data_passes, 5 + 2);  // and the last certificate
  EXPECT_EQ(result.work.multiply_adds, 14);
  EXPECT_EQ(result.message, "limit of 5 data passes reached: relative gap 1.00e+00 > tol 0.0001");
  expect_honest(result);
}

TEST(Monitor, StallsWhenTheGapNoLongerFalls) {
  const Result result = run_fake({}, always(kFarOff), always(zero()), {}, 2);  // one pass per iteration
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_LT(result.work.iterations, 5'000);
  EXPECT_TRUE(result.message.starts_with("the gap has not fallen for ")) << result.message;
  EXPECT_TRUE(result.message.ends_with(" iterations: relative gap 1.00e+00 > tol 0.0001")) << result.message;
  expect_honest(result);
}

TEST(Monitor, DoesNotStallWhileTheGapFallsSlowly) {
  // From 0 towards the optimum, a hundred-thousandth of the way and a pass per iteration.
  const auto slowly = [](Index t) {
    Point point = optimum();
    for (double& x_j : point.x) x_j *= 1e-5 * static_cast<double>(t);
    for (double& y_i : point.y) y_i *= 1e-5 * static_cast<double>(t);
    return point;
  };
  const Result result = run_fake({.max_iterations = 10'000}, always(kFarOff), slowly, {}, 2);
  EXPECT_EQ(result.status, Status::iteration_limit);
}

// Free of charge, and nothing comes of it.
TEST(Monitor, StallsWhenNothingIsDone) {
  const Result result = run_fake({}, always(kFarOff), always(zero()));
  EXPECT_EQ(result.status, Status::stalled);
  EXPECT_LT(result.work.iterations, 5'000);
  expect_honest(result);
}

TEST(Monitor, DivergesWhenTheEstimateIsNotANumber) {
  for (const Estimate& lost : {Estimate{kNaN, 0, 0}, Estimate{kInf, 0, 0}, Estimate{1, kNaN, 0}}) {
    const Point nonsense{{kNaN, kInf}, {kNaN, -kInf}};
    const Result result = run_fake({}, always(lost), always(nonsense));
    EXPECT_EQ(result.status, Status::diverged);
    EXPECT_TRUE(result.message.starts_with("the objective became ")) << result.message;
    EXPECT_TRUE(std::isfinite(result.certificate.gap));
    expect_honest(result);
  }
}

TEST(Monitor, KeepsTheBestPointWhenItDivergesLater) {
  // A certificate every 20 passes, so the good point at the start is seen; then all is lost.
  const auto estimate = [](Index t) { return t < 30 ? kFarOff : Estimate{kNaN, kNaN, 0}; };
  const auto point = [](Index t) { return t < 30 ? Point{{0.5, 0.5}, {-1, -1}} : Point{{kNaN, 0}, {kNaN, 0}}; };
  const Result result = run_fake({}, estimate, point, {}, 2);
  EXPECT_EQ(result.status, Status::diverged);
  EXPECT_EQ(result.x, (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(result.y, (std::vector<double>{-1, -1}));
  expect_honest(result);
}

TEST(Monitor, IsInterruptedByTheCallback) {
  Index calls = 0;
  const Callback stop_at_third = [&](const Progress&) { return ++calls < 3; };
  const Result result = run_fake({}, always(kFarOff), always(zero()), stop_at_third);
  EXPECT_EQ(result.status, Status::interrupted);
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(result.work.iterations, 2);
  EXPECT_EQ(result.message, "interrupted: relative gap 1.00e+00 > tol 0.0001");
  expect_honest(result);
}

TEST(Monitor, IsInterruptedInsideALongIteration) {
  Index calls = 0;
  const Callback callback = [&](const Progress&) { return ++calls < 2; };
  Monitor monitor(tiny().problem, {}, callback, set_by_hand());
  ASSERT_TRUE(monitor.carry_on(kFarOff, zero));
  time_now += 0.04;
  EXPECT_TRUE(monitor.run().may_go_on());  // too soon to ask again
  EXPECT_EQ(calls, 1);
  time_now += 0.02;
  EXPECT_FALSE(monitor.run().may_go_on());
  EXPECT_EQ(calls, 2);
  EXPECT_FALSE(monitor.carry_on(kFarOff, zero));
  const Result result = std::move(monitor).finish();
  EXPECT_EQ(result.status, Status::interrupted);
  expect_honest(result);
}

TEST(Monitor, EndsALongIterationAtTheTimeLimit) {
  const Callback none;
  Monitor monitor(tiny().problem, {.max_seconds = 60}, none, set_by_hand());
  ASSERT_TRUE(monitor.carry_on(kFarOff, zero));
  time_now += 59;
  EXPECT_TRUE(monitor.run().may_go_on());
  time_now += 2;
  EXPECT_FALSE(monitor.run().may_go_on());
  EXPECT_FALSE(monitor.carry_on(kFarOff, zero));
  EXPECT_EQ(std::move(monitor).finish().status, Status::time_limit);
}

TEST(Monitor, CountsWhatWasPreparedBeforeIt) {
  const Callback none;
  const Stopwatch watch = set_by_hand();
  time_now += 90;
  Monitor monitor(tiny().problem, {.max_seconds = 60}, none, watch);
  EXPECT_FALSE(monitor.carry_on(kFarOff, zero));
  const Result result = std::move(monitor).finish();
  EXPECT_EQ(result.status, Status::time_limit);
  EXPECT_EQ(result.trace.front().seconds, 90);
}

// A limit is reached on the very iteration that was good enough: the certificate decides.
TEST(Monitor, ConvergesEvenWhenALimitEndsTheRun) {
  const Result result = run_fake({.max_iterations = 0}, always(kFarOff), always(optimum()));
  EXPECT_EQ(result.status, Status::converged);
  expect_honest(result);
}

TEST(Monitor, JoinsTheBestPrimalAndTheBestDualPoint) {
  // Good x with useless y, then useless x with good y: together they are the optimum.
  const auto point = [](Index t) { return t < 25 ? Point{tiny().x, {0, 0}} : Point{{0, 0}, tiny().y}; };
  const Result result = run_fake({}, always(kFarOff), point, {}, 2);
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.x, tiny().x);
  EXPECT_EQ(result.y, tiny().y);
  expect_honest(result);
}

TEST(Monitor, KeepsTheDualPointZeroWhenNoBetterOneComes) {
  const Problem hinge = reference::one_by_one_hinge().problem;
  const Callback none;
  Monitor monitor(hinge, {.max_iterations = 0}, none);
  EXPECT_FALSE(monitor.carry_on(kFarOff, [] { return Point{{0.5}, {17}}; }));  // outside the domain: D = -inf
  const Result result = std::move(monitor).finish();
  EXPECT_EQ(result.y, std::vector<double>{0});
  EXPECT_EQ(result.certificate.dual, 0);
  EXPECT_EQ(result.certificate.primal, 0.125 + 0.0625);
}

// A solver whose running estimate is wrong for ever must not pay for a certificate at every iteration.
TEST(Monitor, BelievesRefutedClaimsLessAndLess) {
  const Result result = run_fake({.max_iterations = 100}, always(kClaim), always(zero()), {}, 2);
  EXPECT_EQ(result.status, Status::iteration_limit);
  const double certificates = (result.work.multiply_adds - 200) / 4;
  EXPECT_GE(certificates, 5);
  EXPECT_LE(certificates, 20);  // waits of 1, 2, 3 ... passes: about sqrt(2 * 100)
  expect_honest(result);
}

TEST(Monitor, CertifiesNowAndThenWithoutAnyClaim) {
  const Result result = run_fake({.max_iterations = 500}, always(kFarOff), always(zero()), {}, 2);
  const double certificates = (result.work.multiply_adds - 1000) / 4;
  EXPECT_GE(certificates, 500 / 25);
  EXPECT_LE(certificates, 500 / 20 + 1);
}

TEST(Monitor, MarksCertifiedRowsOfTheTrace) {
  const Result result = run_fake({.max_iterations = 100}, always(kFarOff), always(zero()), {}, 2);
  ASSERT_EQ(result.trace.size(), 101U);
  double certified = 0;
  for (std::size_t t = 0; t < result.trace.size(); ++t) {
    const TracePoint& row = result.trace[t];
    EXPECT_EQ(row.iteration, static_cast<Index>(t));
    EXPECT_EQ(row.nonzeros, 2);
    certified += row.is_certified ? 1 : 0;
    EXPECT_EQ(row.primal, row.is_certified ? 1.25 : 2.0);
    EXPECT_EQ(row.gap, row.primal - row.dual);
  }
  EXPECT_EQ(certified, (result.work.multiply_adds - 200) / 4);
  EXPECT_TRUE(result.trace.back().is_certified);
}

TEST(Monitor, ThinsALongTrace) {
  const auto falling = [](Index t) { return Estimate{1, 1 - std::exp(-5e-4 * static_cast<double>(t)), 1}; };
  const Result result = run_fake({.tol = 1e-12, .max_iterations = 20'000}, falling, always(zero()), {}, 1e-6);
  EXPECT_EQ(result.status, Status::iteration_limit);
  EXPECT_LT(result.trace.size(), 2'000U);
  EXPECT_GT(result.trace.size(), 1'000U);
  for (std::size_t t = 0; t < 1'000; ++t) ASSERT_EQ(result.trace[t].iteration, static_cast<Index>(t));
  for (std::size_t t = 1; t < result.trace.size(); ++t) {
    EXPECT_GT(result.trace[t].iteration, result.trace[t - 1].iteration);
    EXPECT_GE(result.trace[t].seconds, result.trace[t - 1].seconds);
  }
  EXPECT_EQ(result.trace.back().iteration, 20'000);
}

// Whatever its value, a point outside the set is not an answer: the point where solvers begin is, until one inside
// comes.
TEST(Monitor, NeverAnswersAPointOutsideTheSet) {
  Point outside = optimum();
  outside.x = {1e3, -1e3};
  const Result never = run_fake({.max_iterations = 3}, always(kClaim), always(outside));
  EXPECT_EQ(never.status, Status::iteration_limit);
  EXPECT_EQ(never.x, zero().x);
  EXPECT_EQ(never.y, optimum().y);
  EXPECT_EQ(never.certificate.violation, 0);
  const Certificate c = certify(tiny().problem, never.x, never.y);
  EXPECT_EQ(never.certificate.primal, c.primal);
  EXPECT_LE(never.certificate.dual, c.dual);  // as far as it was proven beside the point outside
  EXPECT_NEAR(never.certificate.dual, c.dual, 1e-9);
  const auto later = [&](Index t) { return t < 1 ? outside : optimum(); };
  const Result result = run_fake({}, always(kClaim), later, {}, 100);
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_EQ(result.x, optimum().x);
}

TEST(Monitor, ShowsTheCallbackWhatItKnows) {
  std::vector<Progress> seen;
  const Callback watch = [&](const Progress& progress) {
    seen.push_back(progress);
    return true;
  };
  const auto falling = [](Index t) {
    time_now += 3;
    return Estimate{1, 1 - std::exp(-0.1 * static_cast<double>(t)), 7};
  };
  const Result result = run_fake({.max_iterations = 20}, falling, always(zero()), watch, 2, set_by_hand());
  ASSERT_EQ(seen.size(), 20U);  // the last iteration is certified and the result is all there is to say
  EXPECT_TRUE(std::isnan(seen[0].seconds_left));
  for (std::size_t t = 0; t < seen.size(); ++t) {
    EXPECT_EQ(seen[t].now.iteration, static_cast<Index>(t));
    EXPECT_EQ(seen[t].now.data_passes, static_cast<double>(t));
    EXPECT_EQ(seen[t].now.nonzeros, 7);
    EXPECT_NEAR(seen[t].now.relative_gap, std::exp(-0.1 * static_cast<double>(t)), 1e-15);
    if (t == 0) continue;
    // The gap falls steadily: ten iterations of three seconds for a factor e.
    EXPECT_NEAR(seen[t].seconds_left, 30 * (std::log(1e4) - 0.1 * static_cast<double>(t)), 1e-9) << t;
  }
  EXPECT_EQ(result.seconds, 63);  // 21 iterations, the first one of them number 0
}

TEST(Monitor, ReportsTheSettingsInForce) {
  const Callback none;
  Monitor monitor(tiny().problem, {.tol = 0.5, .seed = 9}, none);
  monitor.run().settings().delta = 0.25;
  EXPECT_FALSE(monitor.carry_on(kClaim, optimum));
  const Result result = std::move(monitor).finish();
  EXPECT_EQ(result.settings.delta, 0.25);
  EXPECT_EQ(result.settings.seed, 9U);
  EXPECT_EQ(result.settings.tol, 0.5);
}

TEST(Monitor, EndsWhereTheOptimumIsZero) {
  const reference::TinyProblem zero_problem = reference::zero_optimum();
  const Callback none;
  Monitor monitor(zero_problem.problem, {}, none);
  EXPECT_FALSE(monitor.carry_on({0, 0, 0}, [&] { return Point{zero_problem.x, zero_problem.y}; }));
  EXPECT_EQ(std::move(monitor).finish().status, Status::converged);
}

// ---- checkpoints

struct Saved {
  Start point;
  TracePoint at;
};

// A checkpoint at every iteration.
Settings saving(std::vector<Saved>& saved, Settings settings = {}) {
  settings.checkpoints = {0, [&saved](const Start& point, const TracePoint& at) { saved.push_back({point, at}); }};
  return settings;
}

TEST(Monitor, HandsOverWhatIsBelievedToBeBest) {
  std::vector<Saved> saved;
  static_cast<void>(run_fake(saving(saved, {.max_iterations = 3}), always(kFarOff),
                             [](Index t) { return t < 2 ? zero() : optimum(); }));
  ASSERT_EQ(saved.size(), 3U);  // none after the end: there the result is
  EXPECT_EQ(saved[0].point.x, zero().x);
  EXPECT_EQ(saved[2].point.x, optimum().x);
  EXPECT_EQ(saved[2].point.y, optimum().y);
  EXPECT_EQ(saved[2].at.iteration, 2);
  EXPECT_FALSE(saved[2].at.is_certified);
}

TEST(Monitor, HandsOverTheBestThatWasCertified) {
  std::vector<Saved> saved;
  const auto estimate = [](Index t) { return t == 1 ? kClaim : kFarOff; };  // certified at iteration 1, too bad to stop
  const auto point = [](Index t) { return t == 1 ? Point{tiny().x, {-1.3, -0.6}} : zero(); };
  const Result result = run_fake(saving(saved, {.max_iterations = 4}), estimate, point);
  ASSERT_EQ(saved.size(), 4U);
  EXPECT_EQ(saved[3].point.x, tiny().x);
  EXPECT_EQ(saved[3].point.y, (std::vector<double>{-1.3, -0.6}));
  EXPECT_TRUE(saved[3].at.is_certified);
  EXPECT_EQ(saved[3].at.relative_gap, result.certificate.relative_gap);
  EXPECT_EQ(saved[3].point.multiplier, result.multiplier);
}

TEST(Monitor, IsTheSameWithCheckpointsAndWithout) {
  std::vector<Saved> saved;
  const auto run = [&](const Settings& settings) {
    return run_fake(settings, always(kFarOff), always(zero()), {}, 1.0);
  };
  const Result with = run(saving(saved, {.max_iterations = 100})), without = run({.max_iterations = 100});
  EXPECT_EQ(saved.size(), 100U);
  EXPECT_EQ(with.work.multiply_adds, without.work.multiply_adds);
  EXPECT_EQ(with.work.oracle_calls, without.work.oracle_calls);
  EXPECT_EQ(with.trace.size(), without.trace.size());
  EXPECT_EQ(with.message, without.message);
  EXPECT_FALSE(with.settings.checkpoints.save);  // the result outlives what it refers to
}

TEST(Monitor, WaitsBetweenCheckpoints) {
  std::vector<Saved> saved;
  Settings settings = saving(saved, {.max_iterations = 100});
  settings.checkpoints.every_seconds = 1e6;
  static_cast<void>(run_fake(settings, always(kFarOff), always(zero())));
  EXPECT_TRUE(saved.empty());
}

// The clock of rank 0 decides, and all are called between the same two iterations.
TEST(Monitor, ATeamKeepsItsPointsTogether) {
  std::vector<std::vector<Index>> at(3);
  test::run_team(3, [&](const TeamPtr& team) {
    Problem part = tiny().problem;
    part.team = team;
    part.samples_of_team = 3 * part.n();
    Settings settings{.max_iterations = 50};
    auto& own = at[static_cast<std::size_t>(team->rank())];
    settings.checkpoints = {10, [&](const Start& point, const TracePoint& now) {
                              own.push_back(now.iteration);
                              EXPECT_EQ(sum_over(team, static_cast<double>(point.y.size())), 6);
                            }};
    Monitor monitor(part, settings, {}, set_by_hand());
    while (monitor.carry_on(kFarOff, [] { return zero(); })) time_now += team->rank() == 0 ? 1 : 17;
    static_cast<void>(std::move(monitor).finish());
  });
  EXPECT_EQ(at[0], (std::vector<Index>{10, 20, 30, 40}));
  EXPECT_EQ(at[1], at[0]);
  EXPECT_EQ(at[2], at[0]);
}

}  // namespace monitor_test
}  // namespace pdbfw
