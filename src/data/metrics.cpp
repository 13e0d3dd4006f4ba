#include "pdbfw/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <vector>

#include "base/team.hpp"

namespace pdbfw {
namespace {

void check_numbers(std::string_view field, std::span<const double> numbers) {
  if (std::any_of(numbers.begin(), numbers.end(), [](double x) { return std::isnan(x); }))
    throw InputError(field, "nan", "numbers");
}

void check_columns(const ScoreTable& scores) {
  if (scores.columns < 1) throw InputError("columns", fmt::format("{}", scores.columns), "at least one");
}

void check_scores(const ScoreTable& scores, Index rows) {
  if (rows < 1) throw InputError("rows", fmt::format("{}", rows), "at least one");
  check_columns(scores);
  const auto size = static_cast<Index>(scores.score.size());
  if (size % scores.columns != 0 || size / scores.columns != rows)
    throw InputError("scores", fmt::format("{} of them", size),
                     fmt::format("{} for each of {} rows", scores.columns, rows));
  check_numbers("scores", scores.score);
}

std::span<const double> row_of(const ScoreTable& scores, Index i) {
  return scores.score.subspan(static_cast<std::size_t>(i * scores.columns), static_cast<std::size_t>(scores.columns));
}

// How many labels there are: those with scores, and those beyond them, of which there cannot be more than entries.
Index count_labels(const ScoreTable& scores, const LabelLists& labels) {
  if (labels.place.empty()) return scores.columns;
  const auto [smallest, largest] = std::minmax_element(labels.place.begin(), labels.place.end());
  const Index most = scores.columns + static_cast<Index>(labels.place.size());
  if (*smallest < 0 || *largest >= most)
    throw InputError("labels", fmt::format("{}", *smallest < 0 ? *smallest : *largest),
                     "places from 0 up, without holes behind the last score");
  return std::max(scores.columns, *largest + 1);
}

struct Counts {
  double true_positives = 0, false_positives = 0, false_negatives = 0;

  [[nodiscard]] double f1() const {
    const double wrong = false_positives + false_negatives;
    return true_positives == 0 ? 0 : 2 * true_positives / (2 * true_positives + wrong);
  }
};

// A label that was predicted or not, and that the row has or not.
void count(bool is_predicted, bool is_there, Counts& counts) {
  if (is_predicted && is_there) ++counts.true_positives;
  if (is_predicted && !is_there) ++counts.false_positives;
  if (!is_predicted && is_there) ++counts.false_negatives;
}

void sum_over(const TeamPtr& team, std::vector<Counts>& counts) {
  if (!team) return;
  std::vector<double> numbers;
  for (const Counts& c : counts)
    numbers.insert(numbers.end(), {c.true_positives, c.false_positives, c.false_negatives});
  team->sum(numbers);
  for (std::size_t k = 0; k < counts.size(); ++k) counts[k] = {numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]};
}

// What the rows count.
class RowWeights {
 public:
  RowWeights(std::span<const double> weight, std::size_t rows, const TeamPtr& team) : weight_(weight) {
    const double own = weight.empty() ? static_cast<double>(rows) : std::accumulate(weight.begin(), weight.end(), 0.0);
    total_ = sum_over(team, own);
    if (!(total_ > 0)) throw InputError("weight", "all zero", "some weights > 0");
  }

  double operator[](std::size_t k) const { return weight_.empty() ? 1.0 : weight_[k]; }
  [[nodiscard]] double total() const { return total_; }

 private:
  std::span<const double> weight_;
  double total_ = 0;
};

void check_weights(std::span<const double> weight, std::size_t rows) {
  if (!weight.empty() && weight.size() != rows)
    throw InputError("weight", fmt::format("{} of them", weight.size()), fmt::format("one for each of {} rows", rows));
  if (!std::all_of(weight.begin(), weight.end(), [](double w) { return w >= 0 && std::isfinite(w); }))
    throw InputError("weight", "not all are", "finite numbers >= 0");
}

RowWeights check_pairs(std::span<const double> predicted, std::span<const double> actual,
                       std::span<const double> weight, const TeamPtr& team = {}) {
  together(team, [&] {
    if (actual.empty()) throw InputError("actual", "none", "at least one number");
    if (predicted.size() != actual.size())
      throw InputError("predicted", fmt::format("{} numbers", predicted.size()),
                       fmt::format("{} numbers", actual.size()));
    check_numbers("predicted", predicted);
    check_numbers("actual", actual);
    check_weights(weight, actual.size());
  });
  return {weight, actual.size(), team};
}

double squared_errors(std::span<const double> predicted, std::span<const double> actual, const RowWeights& c,
                      const TeamPtr& team) {
  double sum = 0;
  for (std::size_t k = 0; k < actual.size(); ++k) sum += c[k] * (predicted[k] - actual[k]) * (predicted[k] - actual[k]);
  return sum_over(team, sum);
}

// Counted from one of the numbers, so that the mean of equal ones is exactly that number.
double mean_of(std::span<const double> numbers, const RowWeights& c, const TeamPtr& team) {
  std::vector<double> first;
  for (std::size_t k = 0; k < numbers.size() && first.empty(); ++k)
    if (c[k] > 0) first.push_back(numbers[k]);
  const double origin = gathered_at_all(team, first).front();
  double sum = 0;
  for (std::size_t k = 0; k < numbers.size(); ++k) sum += c[k] * (numbers[k] - origin);
  return origin + sum_over(team, sum) / c.total();
}

}  // namespace

std::vector<Index> predicted_places(const ScoreTable& scores) {
  check_columns(scores);
  const auto rows = static_cast<Index>(scores.score.size()) / scores.columns;
  std::vector<Index> places;
  places.reserve(static_cast<std::size_t>(rows));
  for (Index i = 0; i < rows; ++i) {
    const std::span<const double> row = row_of(scores, i);
    const bool has_one_score = scores.columns == 1;
    places.push_back(has_one_score ? (is_positive(row[0]) ? 1 : 0)
                                   : std::max_element(row.begin(), row.end()) - row.begin());
  }
  return places;
}

std::vector<Index> best_places(std::span<const double> scores, Index count) {
  std::vector<Index> order(scores.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto end = order.begin() + std::min(static_cast<Index>(order.size()), count);
  std::partial_sort(order.begin(), end, order.end(), [&](Index a, Index b) {
    const double score_a = scores[static_cast<std::size_t>(a)], score_b = scores[static_cast<std::size_t>(b)];
    return score_a > score_b || (score_a == score_b && a < b);
  });
  order.erase(end, order.end());
  return order;
}

double accuracy(const ScoreTable& scores, std::span<const Index> classes, std::span<const double> weight,
                const TeamPtr& team) {
  together(team, [&] {
    check_scores(scores, static_cast<Index>(classes.size()));
    check_weights(weight, classes.size());
  });
  const RowWeights c(weight, classes.size(), team);
  const std::vector<Index> predicted = predicted_places(scores);
  double right = 0;
  for (std::size_t k = 0; k < classes.size(); ++k)
    if (predicted[k] == classes[k]) right += c[k];
  return sum_over(team, right) / c.total();
}

LabelMetrics label_metrics(const ScoreTable& scores, const LabelLists& labels, double threshold, const TeamPtr& team) {
  Index own_labels = 0;
  together(team, [&] {
    check_scores(scores, labels.rows());
    check_numbers("threshold", {&threshold, 1});
    own_labels = count_labels(scores, labels);
  });
  const std::vector<double> of_members = gathered_at_all(team, {static_cast<double>(own_labels)});
  std::vector<Counts> counts(static_cast<std::size_t>(*std::max_element(of_members.begin(), of_members.end())));
  std::vector<bool> is_there(counts.size(), false);
  for (Index i = 0; i < labels.rows(); ++i) {
    const std::span<const double> row = row_of(scores, i);
    for (const Index label : labels[i]) is_there[static_cast<std::size_t>(label)] = true;
    for (std::size_t j = 0; j < row.size(); ++j) count(row[j] > threshold, is_there[j], counts[j]);
    for (const Index label : labels[i]) {
      if (label >= scores.columns) count(false, true, counts[static_cast<std::size_t>(label)]);
      is_there[static_cast<std::size_t>(label)] = false;
    }
  }
  sum_over(team, counts);
  Counts all;
  LabelMetrics metrics;
  for (const Counts& label : counts) {
    all.true_positives += label.true_positives;
    all.false_positives += label.false_positives;
    all.false_negatives += label.false_negatives;
    metrics.macro_f1 += label.f1() / static_cast<double>(counts.size());
  }
  metrics.micro_f1 = all.f1();
  const double rows = sum_over(team, static_cast<double>(labels.rows()));
  const double decisions = rows * static_cast<double>(counts.size());
  metrics.hamming_loss = (all.false_positives + all.false_negatives) / decisions;
  return metrics;
}

double precision_at(Index k, const ScoreTable& scores, const LabelLists& labels, const TeamPtr& team) {
  together(team, [&] {
    check_scores(scores, labels.rows());
    if (k < 1 || k > scores.columns)
      throw InputError("k", fmt::format("{}", k), fmt::format("a number in 1 .. {}, the labels", scores.columns));
  });
  double hits = 0;
  for (Index i = 0; i < labels.rows(); ++i) {
    const std::vector<Index> best = best_places(row_of(scores, i), k);
    for (const Index label : labels[i])
      if (std::find(best.begin(), best.end(), label) != best.end()) ++hits;
  }
  const double rows = sum_over(team, static_cast<double>(labels.rows()));
  return sum_over(team, hits) / static_cast<double>(k) / rows;
}

double root_mean_squared_error(std::span<const double> predicted, std::span<const double> actual,
                               std::span<const double> weight, const TeamPtr& team) {
  const RowWeights c = check_pairs(predicted, actual, weight, team);
  return std::sqrt(squared_errors(predicted, actual, c, team) / c.total());
}

double mean_absolute_error(std::span<const double> predicted, std::span<const double> actual,
                           std::span<const double> weight) {
  const RowWeights c = check_pairs(predicted, actual, weight);
  double sum = 0;
  for (std::size_t k = 0; k < actual.size(); ++k) sum += c[k] * std::abs(predicted[k] - actual[k]);
  return sum / c.total();
}

double r_squared(std::span<const double> predicted, std::span<const double> actual, std::span<const double> weight,
                 const TeamPtr& team) {
  const RowWeights c = check_pairs(predicted, actual, weight, team);
  const std::vector<double> means(actual.size(), mean_of(actual, c, team));
  const double of_errors = squared_errors(predicted, actual, c, team);
  const double of_mean = squared_errors(means, actual, c, team);
  if (of_mean == 0) return of_errors == 0 ? 1 : 0;
  return 1 - of_errors / of_mean;
}

double sign_accuracy(std::span<const double> scores, std::span<const double> labels, std::span<const double> weight) {
  static_cast<void>(check_pairs(scores, labels, weight));
  std::vector<Index> places;
  places.reserve(labels.size());
  for (const double label : labels) places.push_back(label > 0 ? 1 : 0);
  return accuracy({scores, 1}, places, weight);
}

// From the smallest score up: a row of label +1 beats those of -1 below it, and half of those beside it (Mann and
// Whitney).
double area_under_curve(std::span<const double> scores, std::span<const double> labels,
                        std::span<const double> weight) {
  const RowWeights c = check_pairs(scores, labels, weight);
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
  double positives = 0, negatives = 0, beaten = 0;
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    double up = 0, down = 0;
    for (; last < order.size() && scores[order[last]] == scores[order[first]]; ++last)
      (labels[order[last]] > 0 ? up : down) += c[order[last]];
    beaten += up * (negatives + down / 2);
    positives += up;
    negatives += down;
    first = last;
  }
  if (positives == 0 || negatives == 0)
    throw InputError("labels", positives == 0 ? "all -1" : "all +1", "some of each, for the area under the curve");
  return beaten / (positives * negatives);
}

double positive_f1(std::span<const double> scores, std::span<const double> labels, std::span<const double> weight) {
  const RowWeights c = check_pairs(scores, labels, weight);
  double right = 0, predicted = 0, there = 0;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    if (is_positive(scores[k])) predicted += c[k];
    if (labels[k] > 0) there += c[k];
    if (is_positive(scores[k]) && labels[k] > 0) right += c[k];
  }
  return predicted + there > 0 ? 2 * right / (predicted + there) : 0;
}

double log_loss(std::span<const double> scores, std::span<const double> labels, std::span<const double> weight) {
  const RowWeights c = check_pairs(scores, labels, weight);
  double sum = 0;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const double m = labels[k] > 0 ? scores[k] : -scores[k];
    sum += c[k] * (std::max(0.0, -m) + std::log1p(std::exp(-std::abs(m))));
  }
  return sum / c.total();
}

}  // namespace pdbfw
