#include "losses/weighted.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "pdbfw/pairwise_sum.hpp"

namespace pdbfw {
namespace {

std::size_t sample(double b) { return static_cast<std::size_t>(b); }

// weight v, rounded towards 0 where it has to be: divided by the weight again, it is in the domain of f* if v is. (All
// domains are intervals with 0 in them.)
double product(double weight, double v) {
  const double u = weight * v;
  return std::abs(u / weight) > std::abs(v) ? std::nextafter(u, 0.0) : u;
}

}  // namespace

Weighted::Weighted(std::shared_ptr<const Loss> each, std::vector<double> target, std::vector<double> weight)
    : each_(std::move(each)), target_(std::move(target)), weight_(std::move(weight)) {
  for (const double w : weight_) {
    if (w == 0) continue;
    smallest_ = smallest_ == 0 ? w : std::min(smallest_, w);
    largest_ = std::max(largest_, w);
  }
}

double Weighted::value(double b, double w) const {
  const std::size_t i = sample(b);
  return weight_[i] == 0 ? 0 : weight_[i] * each_->value(target_[i], w);
}

double Weighted::derivative(double b, double w) const {
  const std::size_t i = sample(b);
  return weight_[i] == 0 ? 0 : product(weight_[i], each_->derivative(target_[i], w));
}

double Weighted::second_derivative(double b, double w) const {
  const std::size_t i = sample(b);
  return weight_[i] == 0 ? 0 : weight_[i] * each_->second_derivative(target_[i], w);
}

double Weighted::conjugate(double b, double y) const {
  const std::size_t i = sample(b);
  if (weight_[i] == 0) return y == 0 ? 0 : std::numeric_limits<double>::infinity();
  return weight_[i] * each_->conjugate(target_[i], y / weight_[i]);
}

double Weighted::conjugate_derivative(double b, double y) const {
  const std::size_t i = sample(b);
  return weight_[i] == 0 ? 0 : each_->conjugate_derivative(target_[i], y / weight_[i]);
}

// With u = weight v:   weight ( w v - f*(v) - (v - y / weight)^2 / (2 step / weight) )
double Weighted::dual_prox(double b, double w, double y, double step) const {
  const std::size_t i = sample(b);
  const double weight = weight_[i];
  return weight == 0 ? 0 : product(weight, each_->dual_prox(target_[i], w, y / weight, step / weight));
}

double Weighted::total_value(std::span<const double> b, std::span<const double> w) const {
  return pairwise_sum(0, b.size(), [&](std::size_t i) { return value(b[i], w[i]); });
}

double Weighted::total_conjugate(std::span<const double> b, std::span<const double> y) const {
  return pairwise_sum(0, b.size(), [&](std::size_t i) { return conjugate(b[i], y[i]); });
}

void Weighted::derivatives(std::span<const double> b, std::span<const double> w, std::span<double> y) const {
  for (std::size_t i = 0; i < b.size(); ++i) y[i] = derivative(b[i], w[i]);
}

void Weighted::dual_proxes(std::span<const double> b, std::span<const double> w, std::span<const double> y, double step,
                           std::span<double> y_tilde) const {
  for (std::size_t i = 0; i < b.size(); ++i) y_tilde[i] = dual_prox(b[i], w[i], y[i], step);
}

}  // namespace pdbfw
