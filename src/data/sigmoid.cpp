#include <fmt/format.h>

#include <cmath>

#include "pdbfw/errors.hpp"
#include "pdbfw/metrics.hpp"

namespace pdbfw {
namespace {

constexpr int kMostSteps = 100;
constexpr int kMostHalvings = 40;
constexpr double kSmallGradient = 1e-10;   // a row
constexpr double kSmallCurvature = 1e-12;  // keeps the Hessian regular
constexpr double kSufficientDecrease = 1e-4;

// log(1 + exp(z)) without overflow
double log_one_plus_exp(double z) { return z > 0 ? z + std::log1p(std::exp(-z)) : std::log1p(std::exp(z)); }

struct Targets {
  double of_positive, of_negative;
  [[nodiscard]] double operator()(double label) const { return label > 0 ? of_positive : of_negative; }
};

// The negative log-likelihood: with z = slope s + offset,  -t log p - (1 - t) log(1 - p) = log(1 + exp(z)) - t z.
double cross_entropy(std::span<const double> scores, std::span<const double> labels, const Targets& target,
                     const Sigmoid& sigmoid) {
  double sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double z = sigmoid.slope * scores[i] + sigmoid.offset;
    sum += log_one_plus_exp(z) - target(labels[i]) * z;
  }
  return sum;
}

// How many rows have the label +1.
double checked_positives(std::span<const double> scores, std::span<const double> labels) {
  if (scores.size() != labels.size())
    throw InputError("labels", fmt::format("{} of them", labels.size()), fmt::format("{}, one a score", scores.size()));
  double positives = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != 1 && labels[i] != -1)
      throw InputError("labels", fmt::format("{} of score {}", labels[i], i + 1), "-1 or +1");
    if (!std::isfinite(scores[i]))
      throw InputError("scores", fmt::format("{} as number {}", scores[i], i + 1), "finite numbers");
    if (labels[i] > 0) ++positives;
  }
  if (positives == 0 || positives == static_cast<double>(labels.size()))
    throw InputError("labels", positives == 0 ? "no +1" : "no -1", "some of each");
  return positives;
}

}  // namespace

double Sigmoid::operator()(double score) const {
  const double z = slope * score + offset;
  return z >= 0 ? 1 / (1 + std::exp(-z)) : std::exp(z) / (1 + std::exp(z));
}

Sigmoid fit_sigmoid(std::span<const double> scores, std::span<const double> labels) {
  const double positives = checked_positives(scores, labels),
               negatives = static_cast<double>(labels.size()) - positives;
  const Targets target{(positives + 1) / (positives + 2), 1 / (negatives + 2)};
  Sigmoid sigmoid{0, std::log((positives + 1) / (negatives + 1))};
  double value = cross_entropy(scores, labels, target, sigmoid);
  for (int step = 0; step < kMostSteps; ++step) {
    double g_slope = 0, g_offset = 0, h_ss = kSmallCurvature, h_so = 0, h_oo = kSmallCurvature;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double p = sigmoid(scores[i]), miss = p - target(labels[i]), bend = p * (1 - p);
      g_slope += miss * scores[i];
      g_offset += miss;
      h_ss += bend * scores[i] * scores[i];
      h_so += bend * scores[i];
      h_oo += bend;
    }
    const auto rows = static_cast<double>(scores.size());
    if (std::abs(g_slope) < kSmallGradient * rows && std::abs(g_offset) < kSmallGradient * rows) break;
    const double determinant = h_ss * h_oo - h_so * h_so;
    const double d_slope = -(h_oo * g_slope - h_so * g_offset) / determinant;
    const double d_offset = -(h_ss * g_offset - h_so * g_slope) / determinant;
    const double fall = g_slope * d_slope + g_offset * d_offset;
    bool has_fallen = false;
    double t = 1;
    for (int halving = 0; halving < kMostHalvings && !has_fallen; ++halving, t /= 2) {
      const Sigmoid next{sigmoid.slope + t * d_slope, sigmoid.offset + t * d_offset};
      const double next_value = cross_entropy(scores, labels, target, next);
      if (!(next_value < value + kSufficientDecrease * t * fall)) continue;
      sigmoid = next;
      value = next_value;
      has_fallen = true;
    }
    if (!has_fallen) break;  // rounding
  }
  return sigmoid;
}

}  // namespace pdbfw
