// What a problem, a formulation and settings are refused for, word by word.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <set>
#include <string_view>
#include <vector>

#include "apps/registry.hpp"
#include "core/judge.hpp"
#include "core/verdict.hpp"
#include "io/message.hpp"
#include "pdbfw/pdbfw.hpp"
#include "reference/tiny_problems.hpp"
#include "regularisers/ridge.hpp"
#include "sets/l1_sets.hpp"

namespace pdbfw {
namespace validation_test {

using test::message_of;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

std::string refusal(const std::function<void(Problem&)>& spoil) {
  Problem problem = reference::slack_ball().problem;
  spoil(problem);
  return message_of([&] { validate(problem); });
}

TEST(Problem, NeedsAllItsParts) {
  EXPECT_EQ(refusal([](Problem& p) { p.A = nullptr; }), "A: none breaks the rule: a data matrix");
  EXPECT_EQ(refusal([](Problem& p) { p.loss = nullptr; }), "loss: none breaks the rule: a loss");
  EXPECT_EQ(refusal([](Problem& p) { p.regulariser = nullptr; }), "regulariser: none breaks the rule: a regulariser");
  EXPECT_EQ(refusal([](Problem& p) { p.set = nullptr; }), "set: none breaks the rule: a set");
}

TEST(Problem, NeedsRowsAndColumns) {
  EXPECT_EQ(refusal([](Problem& p) { p.A = own_dense_rows(0, 2, std::vector<double>{}); }),
            "A: no rows breaks the rule: at least one sample");
  EXPECT_EQ(refusal([](Problem& p) { p.A = own_dense_rows(2, 0, std::vector<double>{}); }),
            "A: no columns breaks the rule: at least one feature");
}

TEST(Problem, NeedsAFiniteTargetForEverySample) {
  const auto with_targets = [](const std::vector<double>& targets) {
    return refusal([&](Problem& p) { p.loss = make_loss({.loss = "squared"}, targets); });
  };
  EXPECT_EQ(with_targets({1, 1, 1}), "targets: 3 of them breaks the rule: one for each of 2 samples");
  EXPECT_EQ(with_targets({1, kNaN}), "targets: nan in sample 2 breaks the rule: finite numbers");
  EXPECT_EQ(with_targets({-kInf, 1}), "targets: -inf in sample 1 breaks the rule: finite numbers");
}

// Weights hide no target.
TEST(Problem, NeedsLabelsForALossOfLabelsWeightedOrNot) {
  for (const std::vector<double>& weight : {std::vector<double>{}, std::vector<double>{2, 3}})
    EXPECT_EQ(refusal([&](Problem& p) {
                p.loss = make_loss({.loss = "logistic"}, {1, 0.5}, weight);
              }),
              "targets: 0.5 in sample 2 breaks the rule: -1 or +1 for the loss logistic");
}

TEST(Problem, NeedsAUsableRadiusAndRidge) {
  for (const auto& [radius, text] : {std::pair{0.0, "0"}, {-1.0, "-1"}, {kNaN, "nan"}, {kInf, "inf"}})
    EXPECT_EQ(refusal([r = radius](Problem& p) { p.set = l1_ball(r); }),
              std::string("radius: ") + text + " breaks the rule: a finite number > 0");
  EXPECT_EQ(refusal([](Problem& p) { p.regulariser = std::make_shared<RidgeRegulariser>(-1); }),
            "ridge: -1 .. -1 breaks the rule: finite numbers >= 0");
  EXPECT_EQ(refusal([](Problem& p) { p.regulariser = std::make_shared<RidgeRegulariser>(kNaN); }),
            "ridge: nan .. nan breaks the rule: finite numbers >= 0");
  EXPECT_EQ(refusal([](Problem& p) {
              p.regulariser = std::make_shared<DiagonalRidgeRegulariser>(std::vector<double>{1, kInf});
            }),
            "ridge: 1 .. inf breaks the rule: finite numbers >= 0");
  EXPECT_EQ(refusal([](Problem& p) {
              p.regulariser = std::make_shared<DiagonalRidgeRegulariser>(std::vector<double>{1, 2, 3});
            }),
            "ridge_scale: 3 factors breaks the rule: one for each of 2 features");
}

// The smallest and the largest of a list can miss a NaN that is not at its head.
TEST(Problem, NeedsADiagonalRidgeWithoutNaN) {
  EXPECT_EQ(refusal([](Problem& p) {
              p.regulariser = std::make_shared<DiagonalRidgeRegulariser>(std::vector<double>{1, kNaN});
            }),
            "ridge: nan for feature 2 breaks the rule: finite numbers >= 0");
  Problem problem = reference::slack_ball().problem;
  problem.regulariser = std::make_shared<DiagonalRidgeRegulariser>(std::vector<double>{kNaN, 1});
  EXPECT_THROW(validate(problem), InputError);
}

TEST(Problem, StartsInsideItsSet) {
  Problem problem = reference::vertex_of_the_simplex().problem;
  EXPECT_EQ(start_point(problem), (std::vector<double>{0.5, 0}));
  EXPECT_EQ(start_point(reference::slack_ball().problem), (std::vector<double>{0, 0}));
}

std::string refusal_of(const Formulation& formulation, std::vector<double> b = {1, -1}) {
  return message_of([&] { (void)make_problem(own_dense_rows(2, 2, std::vector<double>{1, 2, 3, 4}), b, formulation); });
}

TEST(MakeProblem, SuggestsTheNearestName) {
  EXPECT_EQ(refusal_of({.loss = "logistics"}),
            "loss: 'logistics' breaks the rule: one of smooth_hinge, squared_hinge, logistic, squared, huber "
            "(did you mean 'logistic'?)");
  EXPECT_EQ(refusal_of({.set = "simplx"}),
            "set: 'simplx' breaks the rule: one of l1, simplex, nonnegative (did you mean 'simplex'?)");
}

TEST(MakeProblem, RefusesNumbersOutOfRange) {
  EXPECT_EQ(refusal_of({.radius = 0}), "radius: 0 breaks the rule: a finite number > 0");
  EXPECT_EQ(refusal_of({.radius = kNaN}), "radius: nan breaks the rule: a finite number > 0");
  EXPECT_EQ(refusal_of({.radius = kInf}), "radius: inf breaks the rule: a finite number > 0");
  EXPECT_EQ(refusal_of({.ridge = {-1, false}}),
            "ridge: -1 breaks the rule: a finite number >= 0, or such a number followed by /n");
  EXPECT_EQ(refusal_of({.ridge = {kInf, true}}),
            "ridge: inf/n breaks the rule: a finite number >= 0, or such a number followed by /n");
  EXPECT_EQ(refusal_of({.smoothing = 0}), "smoothing: 0 breaks the rule: a number in (0, 1]");
  EXPECT_EQ(refusal_of({.smoothing = 1.5}), "smoothing: 1.5 breaks the rule: a number in (0, 1]");
  EXPECT_EQ(refusal_of({.loss = "huber", .huber_width = 0}), "huber_width: 0 breaks the rule: a finite number > 0");
  EXPECT_EQ(refusal_of({.ridge_scale = {1}}), "ridge_scale: 1 factors breaks the rule: one for each of 2 features");
  EXPECT_EQ(refusal_of({.ridge_scale = {1, -2}}), "ridge_scale: -2 breaks the rule: finite factors >= 0");
}

TEST(MakeProblem, RefusesTargetsThatDoNotFitTheLoss) {
  EXPECT_EQ(refusal_of({}, {1, 2}), "targets: 2 in sample 2 breaks the rule: -1 or +1 for the loss smooth_hinge");
  EXPECT_EQ(refusal_of({.loss = "logistic"}, {0, 1}),
            "targets: 0 in sample 1 breaks the rule: -1 or +1 for the loss logistic");
  EXPECT_EQ(refusal_of({.loss = "squared"}, {1}), "targets: 1 of them breaks the rule: one for each of 2 samples");
  EXPECT_EQ(refusal_of({.loss = "squared"}, {1, kNaN}), "targets: nan in sample 2 breaks the rule: finite numbers");
}

TEST(MakeProblem, RefusesNoMatrixAndEmptyOnes) {
  EXPECT_EQ(message_of([] { (void)make_problem(nullptr, {}, {}); }), "A: none breaks the rule: a data matrix");
  EXPECT_EQ(message_of([] { (void)make_problem(own_dense_rows(0, 2, std::vector<double>{}), {}, {}); }),
            "A: no rows breaks the rule: at least one sample");
  EXPECT_EQ(message_of([] { (void)make_problem(own_dense_rows(1, 0, std::vector<double>{}), {1}, {}); }),
            "A: no columns breaks the rule: at least one feature");
}

TEST(MakeProblem, DividesTheRidgeByTheSamplesWhenAsked) {
  const MatrixPtr A = own_dense_rows(4, 1, std::vector<double>{1, 2, 3, 4});
  const std::vector<double> b{1, -1, 1, -1};
  EXPECT_EQ(make_problem(A, b, {.ridge = {10, true}}).regulariser->strong_convexity(), 2.5);
  EXPECT_EQ(make_problem(A, b, {.ridge = {10, false}}).regulariser->strong_convexity(), 10);
  EXPECT_EQ(make_problem(A, b, {.ridge = {10, true}, .ridge_scale = {3}}).regulariser->strong_convexity(), 7.5);
}

TEST(Ridge, IsReadAndWritten) {
  EXPECT_EQ(Ridge::parse("10/n").text(), "10/n");
  EXPECT_EQ(Ridge::parse("0.25").text(), "0.25");
  EXPECT_EQ(Ridge::parse("3/n").weight(6), 0.5);
  for (const char* bad : {"", "/n", "x", "1/m", "-1", "nan", "inf", "1 /n", "1/n/n", "0x1"})
    EXPECT_EQ(
        message_of([&] { (void)Ridge::parse(bad); }),
        std::string("ridge: '") + bad + "' breaks the rule: a finite number >= 0, or one followed by /n such as 10/n");
}

std::string refusal_of(const std::function<void(Settings&)>& spoil) {
  Settings settings;
  spoil(settings);
  return message_of([&] { validate(settings); });
}

TEST(Settings, RefuseNumbersOutOfRange) {
  EXPECT_EQ(refusal_of([](Settings& s) { s.tol = 0; }), "tol: 0 breaks the rule: a finite number > 0");
  EXPECT_EQ(refusal_of([](Settings& s) { s.tol = kNaN; }), "tol: nan breaks the rule: a finite number > 0");
  EXPECT_EQ(refusal_of([](Settings& s) { s.block_primal = 0; }), "block_primal: 0 breaks the rule: an integer >= 1");
  EXPECT_EQ(refusal_of([](Settings& s) { s.block_dual = -3; }), "block_dual: -3 breaks the rule: an integer >= 1");
  EXPECT_EQ(refusal_of([](Settings& s) { s.eta = 0; }), "eta: 0 breaks the rule: a number in (0, 1]");
  EXPECT_EQ(refusal_of([](Settings& s) { s.eta = 1.5; }), "eta: 1.5 breaks the rule: a number in (0, 1]");
  EXPECT_EQ(refusal_of([](Settings& s) { s.delta = kInf; }), "delta: inf breaks the rule: a finite number > 0");
  EXPECT_EQ(refusal_of([](Settings& s) { s.delta = -1; }), "delta: -1 breaks the rule: a finite number > 0");
  for (const double scale : {0.0, -1.0, kInf, kNaN})
    EXPECT_EQ(refusal_of([&](Settings& s) { s.step_scale = scale; }),
              fmt::format("step_scale: {} breaks the rule: a finite number > 0", scale));
  EXPECT_EQ(refusal_of([](Settings& s) { s.max_iterations = -1; }),
            "max_iterations: -1 breaks the rule: an integer >= 0");
  EXPECT_EQ(refusal_of([](Settings& s) { s.max_seconds = -1; }),
            "max_seconds: -1 breaks the rule: a number >= 0, or inf");
  EXPECT_EQ(refusal_of([](Settings& s) { s.max_seconds = kNaN; }),
            "max_seconds: nan breaks the rule: a number >= 0, or inf");
  EXPECT_EQ(refusal_of([](Settings& s) { s.max_passes = -2; }),
            "max_passes: -2 breaks the rule: a number >= 0, or inf");
  EXPECT_EQ(refusal_of([](Settings& s) { s.threads = 0; }), "threads: 0 breaks the rule: an integer, 1 .. 1024");
  EXPECT_EQ(refusal_of([](Settings& s) { s.threads = 2000; }), "threads: 2000 breaks the rule: an integer, 1 .. 1024");
}

TEST(Settings, SuggestTheNearestName) {
  const std::string solver = refusal_of([](Settings& s) { s.solver = "sequental"; });
  EXPECT_TRUE(solver.starts_with("solver: 'sequental' breaks the rule: one of auto, ")) << solver;
  EXPECT_TRUE(solver.ends_with("(did you mean 'sequential'?)")) << solver;
  EXPECT_EQ(refusal_of([](Settings& s) { s.steps = "theorie"; }),
            "steps: 'theorie' breaks the rule: one of adaptive, theory (did you mean 'theory'?)");
}

TEST(Settings, DefaultsAreValid) { EXPECT_NO_THROW(validate(Settings{})); }

TEST(Solve, ChecksProblemAndSettingsBeforeItBegins) {
  EXPECT_THROW((void)solve(Problem{}), InputError);
  EXPECT_THROW((void)solve(reference::slack_ball().problem, {.tol = -1}), InputError);
}

TEST(Status, EveryOneIsFoundByItsName) {
  std::set<std::string_view> names;
  for (const Status status : statuses()) {
    EXPECT_EQ(to_status(to_string(status)), status);
    names.insert(to_string(status));
  }
  EXPECT_EQ(names.size(), statuses().size());
  EXPECT_EQ(to_status("converged"), Status::converged);
  EXPECT_EQ(to_status("team_lost"), Status::team_lost);
  for (const std::string_view name : {"", "unknown", "Converged", "converged "}) EXPECT_FALSE(to_status(name)) << name;
}

}  // namespace validation_test
}  // namespace pdbfw
