#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "io/message.hpp"
#include "pdbfw/recovery.hpp"
#include "support/low_rank_data.hpp"

namespace pdbfw::test {
namespace completion_test {

constexpr Index kRows = 40, kColumns = 30;

GeneratedCompletion made(double noise = 0) {
  return generate_completion(
      {.rows = kRows, .columns = kColumns, .entries = 800, .rank = 1, .noise = noise, .seed = 3});
}

EntriesView view(const GeneratedCompletion& entries) {
  return {kRows,
          kColumns,
          entries.row,
          entries.column,
          {entries.value.data(), static_cast<std::size_t>(entries.value.size())}};
}

double error(const Completion& done, const Factors& truth) {
  return (done.result.X.dense() - truth.dense()).norm() / truth.dense().norm();
}

// The trace norm of the truth is the radius: the truth is the one matrix of the ball that has these entries.
TEST(Completion, RecoversTheTruthAtItsOwnRadius) {
  const GeneratedCompletion entries = made();
  const Completion done =
      complete(view(entries), {.means = Means::none, .radius = entries.truth.trace_norm(), .settings = {.tol = 1e-6}});
  EXPECT_EQ(done.result.status, Status::converged);
  EXPECT_LT(error(done, entries.truth), 1e-3);
  ASSERT_TRUE(done.held_out);
  EXPECT_EQ(done.held_out->entries, 80);
  EXPECT_TRUE(done.trials.empty());
}

TEST(Completion, FindsARadiusNearThatOfTheTruth) {
  const GeneratedCompletion entries = made(0.05);
  const Completion done = complete(view(entries), {.means = Means::none});
  EXPECT_NEAR(std::log2(done.radius / entries.truth.trace_norm()), 0, 0.5);
  EXPECT_LT(error(done, entries.truth), 0.15);
  const auto best =
      std::min_element(done.trials.begin(), done.trials.end(),
                       [](const Completion::Trial& a, const Completion::Trial& b) { return a.error < b.error; });
  EXPECT_NEAR(done.held_out->rmse, best->error, 1e-3 * best->error);
}

TEST(Completion, PredictionsAreMeansAndFactors) {
  const TwoWayMeans means{1, {10, 20}, {100, 200}};
  const Factors X{Matrix{{1.0}, {0.0}}, Vector{{3.0}}, Matrix{{0.6}, {0.8}}};
  const std::vector<Index> row = {0, 1, -1, 0, -1}, column = {0, 1, 1, -1, -1};
  const std::vector<double> expected = {111 + 1.8, 221, 201, 11, 1};
  const std::vector<double> found = predict(means, X, row, column);
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_DOUBLE_EQ(found[k], expected[k]);
}

TEST(Completion, AnInterruptGivesWhatThereIs) {
  const GeneratedCompletion entries = made();
  const Completion done = complete(view(entries), {}, [](const Progress&) { return false; });
  EXPECT_EQ(done.result.status, Status::interrupted);
  EXPECT_EQ(done.result.X.rows(), kRows);
}

// Nothing is left where the means explain all.
TEST(Completion, AConstantTableIsItsMean) {
  const std::vector<Index> row = {0, 0, 1, 1}, column = {0, 1, 0, 1};
  const std::vector<double> value(4, 7);
  const Completion done = complete({2, 2, row, column, value}, {.holdout = 0.25});
  EXPECT_EQ(done.result.status, Status::converged);
  EXPECT_NEAR(predict(done.means, done.result.X, row, column)[3], 7, 1e-12);
}

TEST(Completion, RefusesOptionsOutOfRange) {
  const GeneratedCompletion entries = made();
  const auto refusal = [&](const CompletionOptions& options) {
    return message_of([&] { static_cast<void>(complete(view(entries), options)); });
  };
  EXPECT_EQ(refusal({.loss = "softmax"}), "loss: softmax breaks the rule: squared or huber");
  EXPECT_EQ(refusal({.holdout = 1}), "holdout: 1 breaks the rule: a number in [0, 1)");
  EXPECT_EQ(refusal({.radius = -1}), "radius: -1 breaks the rule: a finite number > 0");
  EXPECT_EQ(refusal({.holdout = 1e-6}),
            "holdout: 0 of 800 entries breaks the rule: at least one, and at least one left");
  EXPECT_EQ(refusal({.holdout = 0}),
            "holdout: 0 breaks the rule: > 0 where the radius is to be found, for it is found by what is held out");
}

}  // namespace completion_test
}  // namespace pdbfw::test
