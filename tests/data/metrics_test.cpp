#include "pdbfw/metrics.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/message.hpp"
#include "support/thread_team.hpp"

namespace pdbfw::test {
namespace metrics_test {

using Numbers = std::vector<double>;
using Places = std::vector<Index>;

LabelLists lists(const std::vector<Places>& rows) {
  LabelLists labels;
  for (const Places& row : rows) {
    labels.place.insert(labels.place.end(), row.begin(), row.end());
    labels.offsets.push_back(static_cast<Index>(labels.place.size()));
  }
  return labels;
}

TEST(Accuracy, CountsTheLargestScore) {
  const Numbers scores{3,  1,  2,   //
                       -5, -4, -6,  //
                       0,  7,  7,   // equal: the first counts
                       1,  2,  3};
  EXPECT_EQ(accuracy({scores, 3}, Places{0, 1, 2, 2}), 0.75);
  EXPECT_EQ(accuracy({scores, 3}, Places{0, 1, 1, 2}), 1);
  EXPECT_EQ(accuracy({scores, 3}, Places{3, 4, 5, 2}), 0.25) << "classes that the model does not know";
}

// One column is the score of the second of two classes, and 0 is of the first one.
TEST(Accuracy, AScoreOfZeroIsOfTheFirstClass) {
  const Numbers scores{-1, -0.0, 0.0, std::numeric_limits<double>::denorm_min()};
  EXPECT_EQ(predicted_places({scores, 1}), (Places{0, 0, 0, 1}));
  EXPECT_EQ(accuracy({scores, 1}, Places{0, 0, 0, 1}), 1);
  EXPECT_EQ(accuracy({scores, 1}, Places{1, 1, 1, 0}), 0);
  EXPECT_EQ(accuracy({scores, 1}, Places{0, 2, 1, 1}), 0.5) << "classes that the model does not know are missed";
}

// Whoever asks for a class gets the same answer: places, accuracy, the labels -1 and +1, and F1 of what is predicted.
RC_GTEST_PROP(Accuracy, EveryQuestionAboutTwoClassesHasOneAnswer, ()) {
  const auto rows = static_cast<std::size_t>(*rc::gen::inRange(1, 12));
  Numbers scores, labels, predicted_labels;
  Places places;
  for (std::size_t i = 0; i < rows; ++i) {
    scores.push_back(*rc::gen::inRange(-2, 3));
    places.push_back(*rc::gen::inRange(0, 2));
    labels.push_back(places[i] == 1 ? 1 : -1);
  }
  const Places predicted = predicted_places({scores, 1});
  double right = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    RC_ASSERT((predicted[i] == 1) == is_positive(scores[i]));
    if (predicted[i] == places[i]) ++right;
    predicted_labels.push_back(predicted[i] == 1 ? 1 : -1);
  }
  const double share = right / static_cast<double>(rows);
  RC_ASSERT(accuracy({scores, 1}, places) == share);
  RC_ASSERT(sign_accuracy(scores, labels) == share);
  RC_ASSERT(sign_accuracy(scores, predicted_labels) == 1);
  const bool has_positive = std::count(predicted.begin(), predicted.end(), 1) > 0;
  RC_ASSERT(positive_f1(scores, predicted_labels) == (has_positive ? 1 : 0));
}

TEST(BestPlaces, TheBestComeFirstAndOfEqualOnesTheFirst) {
  EXPECT_EQ(best_places(Numbers{1, 3, 3, 2}, 3), (Places{1, 2, 3}));
  EXPECT_EQ(best_places(Numbers{1, 3}, 5), (Places{1, 0}));
  EXPECT_EQ(best_places(Numbers{0, 0}, 1), predicted_places({Numbers{0, 0}, 2}));
}

// Rows that lie with several members give the number of all rows, at every member.
TEST(Metrics, OfATeamAreThoseOfAllRows) {
  const Numbers scores{1, -2, 0, 0.5, 3, 0}, actual{2, -1, 1, 0.5, -1, 0.25}, weight{1, 0, 2, 1, 0.5, 3};
  const Places places{1, 0, 0, 0, 2, 1};
  const Numbers first{1, 1, 1, 1, 1, 1};
  for (const Numbers& weights : {Numbers{}, weight}) {
    run_team(3, [&](const TeamPtr& team) {
      const auto own = [&](const auto& all) {
        const std::size_t begin = std::array<std::size_t, 3>{0, 1, 4}[static_cast<std::size_t>(team->rank())];
        const std::size_t end = std::array<std::size_t, 3>{1, 4, 6}[static_cast<std::size_t>(team->rank())];
        return std::span(all).subspan(all.empty() ? 0 : begin, all.empty() ? 0 : end - begin);
      };
      EXPECT_DOUBLE_EQ(accuracy({own(scores), 1}, own(places), own(weights), team),
                       accuracy({scores, 1}, places, weights));
      EXPECT_DOUBLE_EQ(root_mean_squared_error(own(scores), own(actual), own(weights), team),
                       root_mean_squared_error(scores, actual, weights));
      EXPECT_NEAR(r_squared(own(scores), own(actual), own(weights), team), r_squared(scores, actual, weights), 1e-14);
      EXPECT_EQ(r_squared(own(scores), own(first), own(weights), team), 0) << "equal numbers, not met";
      EXPECT_EQ(r_squared(own(first), own(first), own(weights), team), 1) << "equal numbers, met";
    });
  }
}

TEST(Metrics, OneMemberWithAMistakeIsAMistakeOfAll) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  int refused = 0;
  std::mutex mutex;
  run_team(3, [&](const TeamPtr& team) {
    const Numbers scores{team->rank() == 1 ? nan : 1.0};
    const std::string message = message_of([&] { static_cast<void>(r_squared(scores, Numbers{1}, {}, team)); });
    const std::lock_guard lock(mutex);
    if (message == "process 1: predicted: nan breaks the rule: numbers") ++refused;
  });
  EXPECT_EQ(refused, 3);
}

// As scikit-learn has it: 1 if they are met, else 0; also where the mean of the numbers is not exactly one of them.
TEST(Errors, EqualNumbersHaveAnRSquaredOfOneOrZero) {
  for (const double number : {0.0, 2.0, 0.1, 1e300}) {
    const Numbers actual(3, number), other{number, number, number + 1 + number / 2};
    EXPECT_EQ(r_squared(actual, actual), 1) << number;
    EXPECT_EQ(r_squared(other, actual), 0) << number;
    EXPECT_EQ(r_squared(other, Numbers{7, number, number}, Numbers{0, 1, 2}), 0) << "without the row of weight 0";
  }
}

// Three rows, four labels, predicted where the score is above 0:
//           scores           labels   predicted
//   row 0    1  2 -1 -1       0, 2     0, 1
//   row 1   -1  3  1 -1       1        1, 2
//   row 2   -1 -2 -3 -4       1        -
// label   tp fp fn   F1
//   0      1  0  0    1
//   1      1  1  1   1/2
//   2      0  1  1    0
//   3      0  0  0    0 (0 / 0)
// Micro: 2 * 2 / (2 * 2 + 2 + 2) = 1/2. Macro: (1 + 1/2) / 4 = 3/8. Wrong decisions: 4 of 12.
TEST(LabelMetrics, ByHand) {
  const Numbers scores{1, 2, -1, -1, -1, 3, 1, -1, -1, -2, -3, -4};
  const LabelMetrics metrics = label_metrics({scores, 4}, lists({{0, 2}, {1}, {1}}));
  EXPECT_DOUBLE_EQ(metrics.micro_f1, 0.5);
  EXPECT_DOUBLE_EQ(metrics.macro_f1, 0.375);
  EXPECT_DOUBLE_EQ(metrics.hamming_loss, 4.0 / 12);
}

// The same rows: above -2.5 row 2 has 0 and 1, all others have everything, which is 10 predictions. Of them (0,0),
// (0,2), (1,1), (2,1) are right: tp 4, fp 6, fn 0.
TEST(LabelMetrics, TheThresholdIsExclusive) {
  const Numbers scores{1, 2, -1, -1, -1, 3, 1, -1, -1, -2, -3, -4};
  EXPECT_DOUBLE_EQ(label_metrics({scores, 4}, lists({{0, 2}, {1}, {1}}), -2.5).micro_f1, 8.0 / 14);
  EXPECT_EQ(label_metrics({Numbers{0}, 1}, lists({{0}})).micro_f1, 0) << "0 is not above 0";
}

// Label 2 is not known to a model of two: it is missed once. F1 of the labels: 1, 0, 0.
TEST(LabelMetrics, LabelsThatTheModelDoesNotKnowAreMissed) {
  const LabelMetrics metrics = label_metrics({Numbers{1, -1}, 2}, lists({{0, 2}}));
  EXPECT_DOUBLE_EQ(metrics.micro_f1, 2.0 / 3);
  EXPECT_DOUBLE_EQ(metrics.macro_f1, 1.0 / 3);
  EXPECT_DOUBLE_EQ(metrics.hamming_loss, 1.0 / 3);
}

TEST(LabelMetrics, NothingThereAndNothingPredicted) {
  const LabelMetrics metrics = label_metrics({Numbers{-1, -1}, 2}, lists({{}}));
  EXPECT_EQ(metrics.micro_f1, 0);
  EXPECT_EQ(metrics.macro_f1, 0);
  EXPECT_EQ(metrics.hamming_loss, 0);
}

// Row 0: the order is 1, 0, 2, 3 (equal scores: the first); row 1: 3, 1, 0, 2; row 2 has no label.
TEST(PrecisionAt, ByHand) {
  const Numbers scores{5, 9, 5, 1, 2, 3, 1, 4, 1, 2, 3, 4};
  const LabelLists labels = lists({{0, 2}, {3}, {}});
  EXPECT_DOUBLE_EQ(precision_at(1, {scores, 4}, labels), (0 + 1 + 0) / 3.0);
  EXPECT_DOUBLE_EQ(precision_at(2, {scores, 4}, labels), (0.5 + 0.5 + 0) / 3.0);
  EXPECT_DOUBLE_EQ(precision_at(3, {scores, 4}, labels), (2.0 / 3 + 1.0 / 3 + 0) / 3.0);
  EXPECT_DOUBLE_EQ(precision_at(4, {scores, 4}, labels), (0.5 + 0.25 + 0) / 3.0);
}

TEST(Errors, ByHand) {
  EXPECT_DOUBLE_EQ(root_mean_squared_error(Numbers{1, 2, 3, 4}, Numbers{1, 4, 3, 0}), std::sqrt(5.0));
  EXPECT_DOUBLE_EQ(mean_absolute_error(Numbers{1, 2, 3, 4}, Numbers{1, 4, 3, 0}), 1.5);
}

// Scores of +1 for what is there and -1 for what is not are perfect, and the other way round all is wrong.
RC_GTEST_PROP(LabelMetrics, RightAndWrong, ()) {
  const auto columns = static_cast<std::size_t>(*rc::gen::inRange(1, 6));
  const auto rows = static_cast<std::size_t>(*rc::gen::inRange(1, 8));
  Numbers right(rows * columns, -1);
  std::vector<Places> labels(rows);
  std::set<Index> seen;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      if (*rc::gen::arbitrary<bool>()) {
        right[i * columns + j] = 1;
        labels[i].push_back(static_cast<Index>(j));
        seen.insert(static_cast<Index>(j));
      }
  const ScoreTable scores{right, static_cast<Index>(columns)};
  const LabelMetrics perfect = label_metrics(scores, lists(labels));
  RC_ASSERT(perfect.hamming_loss == 0);
  RC_ASSERT(perfect.micro_f1 == (seen.empty() ? 0 : 1));
  RC_ASSERT(std::abs(perfect.macro_f1 - static_cast<double>(seen.size()) / static_cast<double>(columns)) < 1e-12);
  Numbers wrong = right;
  for (double& score : wrong) score = -score;
  const LabelMetrics hopeless = label_metrics({wrong, scores.columns}, lists(labels));
  RC_ASSERT(hopeless.hamming_loss == 1 && hopeless.micro_f1 == 0 && hopeless.macro_f1 == 0);
}

using View = std::span<const double>;
using RowMetric = double (*)(View, View, View);
const std::vector<std::pair<std::string, RowMetric>> kRowMetrics = {
    {"root_mean_squared_error", [](View s, View b, View w) { return root_mean_squared_error(s, b, w); }},
    {"mean_absolute_error", mean_absolute_error},
    {"r_squared", [](View s, View b, View w) { return r_squared(s, b, w); }},
    {"sign_accuracy", sign_accuracy},
    {"area_under_curve", area_under_curve},
    {"positive_f1", positive_f1},
    {"log_loss", log_loss}};

// Weight 2 is the row twice, weight 0 is without it. Few different scores, so that some are equal.
RC_GTEST_PROP(RowMetrics, WeightsAreRepeatedRows, ()) {
  const auto rows = static_cast<std::size_t>(*rc::gen::inRange(2, 12));
  Numbers scores, labels, weight, repeated_scores, repeated_labels;
  for (std::size_t i = 0; i < rows; ++i) {
    scores.push_back(*rc::gen::inRange(-3, 4));
    labels.push_back(i < 2 ? (i == 0 ? -1 : 1) : (*rc::gen::arbitrary<bool>() ? 1 : -1));
    weight.push_back(i < 2 ? 2 : *rc::gen::inRange(0, 4));
    repeated_scores.insert(repeated_scores.end(), static_cast<std::size_t>(weight[i]), scores[i]);
    repeated_labels.insert(repeated_labels.end(), static_cast<std::size_t>(weight[i]), labels[i]);
  }
  for (const auto& [name, metric] : kRowMetrics) {
    const double weighted = metric(scores, labels, weight), repeated = metric(repeated_scores, repeated_labels, {});
    RC_LOG() << name << ": " << weighted << " and " << repeated;
    RC_ASSERT(std::abs(weighted - repeated) <= 1e-12 * (1 + std::abs(repeated)));
    RC_ASSERT(metric(scores, labels, {}) == metric(scores, labels, Numbers(rows, 1.0)));
  }
}

TEST(RowMetrics, MistakesInWeights) {
  const Numbers scores{1, -1}, labels{1, -1};
  for (const auto& [name, metric] : kRowMetrics) {
    const auto refusal = [&, metric = metric](const Numbers& weight) {
      return message_of([&] { static_cast<void>(metric(scores, labels, weight)); });
    };
    EXPECT_EQ(refusal({1}), "weight: 1 of them breaks the rule: one for each of 2 rows") << name;
    EXPECT_EQ(refusal({1, -1}), "weight: not all are breaks the rule: finite numbers >= 0") << name;
    EXPECT_EQ(refusal({0, 0}), "weight: all zero breaks the rule: some weights > 0") << name;
  }
}

TEST(Metrics, Mistakes) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refusal = [](const auto& call) { return message_of([&] { static_cast<void>(call()); }); };
  EXPECT_EQ(refusal([] {
              return accuracy({Numbers{1, 2, 3}, 2}, Places{0, 1});
            }),
            "scores: 3 of them breaks the rule: 2 for each of 2 rows");
  EXPECT_EQ(refusal([] { return accuracy({Numbers{}, 2}, Places{}); }), "rows: 0 breaks the rule: at least one");
  EXPECT_EQ(refusal([] {
              return label_metrics({Numbers{1}, 0}, lists({{0}}));
            }),
            "columns: 0 breaks the rule: at least one");
  EXPECT_EQ(refusal([&] {
              return label_metrics({Numbers{nan}, 1}, lists({{0}}));
            }),
            "scores: nan breaks the rule: numbers");
  EXPECT_EQ(refusal([&] {
              return label_metrics({Numbers{1}, 1}, lists({{0}}), nan);
            }),
            "threshold: nan breaks the rule: numbers");
  for (const Index place : {Index{-1}, Index{2}, Index{1} << 62U})
    EXPECT_EQ(
        refusal([&] {
          return label_metrics({Numbers{1}, 1}, lists({{place}}));
        }),
        "labels: " + std::to_string(place) + " breaks the rule: places from 0 up, without holes behind the last score");
  for (const Index k : {0, 3})
    EXPECT_EQ(refusal([&] {
                return precision_at(k, {Numbers{1, 2}, 2}, lists({{0}}));
              }),
              "k: " + std::to_string(k) + " breaks the rule: a number in 1 .. 2, the labels");
  EXPECT_EQ(refusal([] {
              return root_mean_squared_error(Numbers{1}, Numbers{1, 2});
            }),
            "predicted: 1 numbers breaks the rule: 2 numbers");
  EXPECT_EQ(refusal([] { return mean_absolute_error(Numbers{}, Numbers{}); }),
            "actual: none breaks the rule: at least one number");
  EXPECT_EQ(refusal([&] { return mean_absolute_error(Numbers{nan}, Numbers{1}); }),
            "predicted: nan breaks the rule: numbers");
}

}  // namespace metrics_test
}  // namespace pdbfw::test
