// The ridge:  g(x) = (mu / 2) |x|^2,  mu >= 0 (0: no regulariser).                                          [M3]
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "linalg/lanes.hpp"
#include "pdbfw/set.hpp"

namespace pdbfw {

class RidgeRegulariser final : public Regulariser {
 public:
  explicit RidgeRegulariser(double mu) : mu_(mu) {}

  [[nodiscard]] std::string_view name() const override { return "ridge"; }
  [[nodiscard]] double value(std::span<const double> x) const override {
    const auto square = [x](Index j) { return x[static_cast<std::size_t>(j)] * x[static_cast<std::size_t>(j)]; };
    return 0.5 * mu_ * sum_in_lanes(static_cast<Index>(x.size()), square);
  }
  void add_gradient(std::span<const double> x, std::span<double> out) const override {
    for (std::size_t j = 0; j < x.size(); ++j) out[j] += mu_ * x[j];
  }
  [[nodiscard]] double strong_convexity() const override { return mu_; }
  [[nodiscard]] double smoothness() const override { return mu_; }
  [[nodiscard]] Curvatures curvatures() const override { return {mu_, {}}; }

 private:
  double mu_;
};

// The diagonal ridge:  g(x) = 1/2 sum_j q_j x_j^2,  q_j >= 0.                                               [M3]

class DiagonalRidgeRegulariser final : public Regulariser {
 public:
  explicit DiagonalRidgeRegulariser(std::vector<double> q) : q_(std::move(q)) {}

  [[nodiscard]] std::string_view name() const override { return "diagonal_ridge"; }
  [[nodiscard]] double value(std::span<const double> x) const override {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) sum += q_[j] * x[j] * x[j];
    return 0.5 * sum;
  }
  void add_gradient(std::span<const double> x, std::span<double> out) const override {
    for (std::size_t j = 0; j < x.size(); ++j) out[j] += q_[j] * x[j];
  }
  [[nodiscard]] double strong_convexity() const override {
    return q_.empty() ? 0 : *std::min_element(q_.begin(), q_.end());
  }
  [[nodiscard]] double smoothness() const override { return q_.empty() ? 0 : *std::max_element(q_.begin(), q_.end()); }
  [[nodiscard]] Curvatures curvatures() const override { return {0, q_}; }

 private:
  std::vector<double> q_;
};

}  // namespace pdbfw
