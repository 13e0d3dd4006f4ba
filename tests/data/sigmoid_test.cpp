// Platt's sigmoid.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "io/message.hpp"
#include "pdbfw/errors.hpp"
#include "pdbfw/metrics.hpp"

namespace pdbfw {
namespace sigmoid_test {

struct Sample {
  std::vector<double> scores, labels;
};

Sample drawn(const Sigmoid& truth, int rows, std::uint64_t seed) {
  Random random(seed);
  Sample sample;
  for (int i = 0; i < rows; ++i) {
    sample.scores.push_back(2 * random.normal());
    sample.labels.push_back(random.uniform() < truth(sample.scores.back()) ? 1 : -1);
  }
  return sample;
}

TEST(Sigmoid, IsRecoveredFromManySamples) {
  for (const Sigmoid truth : {Sigmoid{1.5, -0.7}, Sigmoid{0.4, 2}, Sigmoid{-1, 0.1}}) {
    const Sample sample = drawn(truth, 20'000, 3);
    const Sigmoid found = fit_sigmoid(sample.scores, sample.labels);
    EXPECT_NEAR(found.slope, truth.slope, 0.08);
    EXPECT_NEAR(found.offset, truth.offset, 0.08);
  }
}

TEST(Sigmoid, RisesWithTheScoreAndStaysBetweenZeroAndOne) {
  const Sample sample = drawn({2, 1}, 50, 5);
  const Sigmoid found = fit_sigmoid(sample.scores, sample.labels);
  double last = 0;
  for (double score = -1000; score <= 1000; score += 0.5) {
    const double p = found(score);
    EXPECT_GE(p, last);
    EXPECT_LE(p, 1);
    last = p;
  }
}

// At the maximum of the likelihood the probabilities meet the targets on average, alone and weighted by the scores. The
// targets are (N+ + 1) / (N+ + 2) and 1 / (N- + 2).
TEST(Sigmoid, MeetsThePriorTargetsOnAverage) {
  const Sample sample = drawn({1, 0.5}, 200, 7);
  const Sigmoid found = fit_sigmoid(sample.scores, sample.labels);
  double positives = 0;
  for (const double label : sample.labels) positives += label > 0;
  const double negatives = 200 - positives;
  double miss = 0, weighted = 0;
  for (std::size_t i = 0; i < 200; ++i) {
    const double target = sample.labels[i] > 0 ? (positives + 1) / (positives + 2) : 1 / (negatives + 2);
    miss += found(sample.scores[i]) - target;
    weighted += (found(sample.scores[i]) - target) * sample.scores[i];
  }
  EXPECT_NEAR(miss, 0, 1e-6);
  EXPECT_NEAR(weighted, 0, 1e-6);
}

TEST(Sigmoid, IsFiniteWhereTheScoresTellTheLabelsApart) {
  const Sigmoid found = fit_sigmoid(std::vector<double>{-2, -1, 1, 2}, std::vector<double>{-1, -1, 1, 1});
  EXPECT_TRUE(std::isfinite(found.slope));
  EXPECT_GT(found(1), 0.5);
  EXPECT_NEAR(found(1) + found(-1), 1, 1e-6);
  const Sigmoid flat = fit_sigmoid(std::vector<double>{3, 3, 3}, std::vector<double>{-1, 1, 1});
  EXPECT_TRUE(std::isfinite(flat(3)));
}

std::string refusal(const std::vector<double>& scores, const std::vector<double>& labels) {
  return test::message_of([&] { (void)fit_sigmoid(scores, labels); });
}

TEST(Sigmoid, RefusesOneClassOtherLabelsAndScoresThatAreNoNumbers) {
  EXPECT_EQ(refusal({1, 2}, {1, 1}), "labels: no -1 breaks the rule: some of each");
  EXPECT_EQ(refusal({1, 2}, {-1, -1}), "labels: no +1 breaks the rule: some of each");
  EXPECT_EQ(refusal({1, 2}, {-1, 2}), "labels: 2 of score 2 breaks the rule: -1 or +1");
  EXPECT_EQ(refusal({1}, {-1, 1}), "labels: 2 of them breaks the rule: 1, one a score");
  EXPECT_EQ(refusal({1, std::numeric_limits<double>::infinity()}, {-1, 1}),
            "scores: inf as number 2 breaks the rule: finite numbers");
}

}  // namespace sigmoid_test
}  // namespace pdbfw
