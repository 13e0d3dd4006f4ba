// Lifts the scalar formulas of one loss to the Loss interface: the loops over samples are written once, here, with the
// formulas inlined into them.
//
// Formulas must have: kName, kTargetKind, value, derivative, second_derivative, conjugate,
// conjugate_derivative, dual_prox, smoothness, curvature; and may have kIsQuadratic, conjugate_of where f* is
// quadratic on an interval, and total_value, total_conjugate, derivatives and local_model where a loop of their own is
// quicker.
#pragma once

#include <optional>
#include <utility>

#include "pdbfw/loss.hpp"
#include "pdbfw/pairwise_sum.hpp"

namespace pdbfw {

template <class Formulas>
class Separable final : public Loss {
 public:
  explicit Separable(Formulas formulas = {}) : f_(std::move(formulas)) {}

  [[nodiscard]] std::string_view name() const override { return Formulas::kName; }
  [[nodiscard]] TargetKind target_kind() const override { return Formulas::kTargetKind; }
  [[nodiscard]] double value(double b, double w) const override { return f_.value(b, w); }
  [[nodiscard]] double derivative(double b, double w) const override { return f_.derivative(b, w); }
  [[nodiscard]] double second_derivative(double b, double w) const override { return f_.second_derivative(b, w); }
  [[nodiscard]] double conjugate(double b, double y) const override { return f_.conjugate(b, y); }
  [[nodiscard]] double conjugate_derivative(double b, double y) const override { return f_.conjugate_derivative(b, y); }
  [[nodiscard]] double dual_prox(double b, double w, double y, double step) const override {
    return f_.dual_prox(b, w, y, step);
  }

  [[nodiscard]] double total_value(std::span<const double> b, std::span<const double> w) const override {
    if constexpr (requires { f_.total_value(b, w); })
      return f_.total_value(b, w);
    else
      return pairwise_sum(0, b.size(), [&](std::size_t i) { return f_.value(b[i], w[i]); });
  }
  [[nodiscard]] double total_conjugate(std::span<const double> b, std::span<const double> y) const override {
    if constexpr (requires { f_.total_conjugate(b, y); })
      return f_.total_conjugate(b, y);
    else
      return pairwise_sum(0, b.size(), [&](std::size_t i) { return f_.conjugate(b[i], y[i]); });
  }
  void derivatives(std::span<const double> b, std::span<const double> w, std::span<double> y) const override {
    if constexpr (requires { f_.derivatives(b, w, y); })
      f_.derivatives(b, w, y);
    else
      for (std::size_t i = 0; i < b.size(); ++i) y[i] = f_.derivative(b[i], w[i]);
  }
  [[nodiscard]] double local_model(std::span<const double> b, std::span<const double> w, std::span<double> slope,
                                   std::span<double> bend) const override {
    if constexpr (requires { f_.local_model(b, w, slope, bend); }) {
      return f_.local_model(b, w, slope, bend);
    } else {
      for (std::size_t i = 0; i < b.size(); ++i) {
        slope[i] = f_.derivative(b[i], w[i]);
        bend[i] = f_.second_derivative(b[i], w[i]);
      }
      return total_value(b, w);
    }
  }
  void dual_proxes(std::span<const double> b, std::span<const double> w, std::span<const double> y, double step,
                   std::span<double> y_tilde) const override {
    for (std::size_t i = 0; i < b.size(); ++i) y_tilde[i] = f_.dual_prox(b[i], w[i], y[i], step);
  }

  [[nodiscard]] double smoothness() const override { return f_.smoothness(); }
  [[nodiscard]] double curvature() const override { return f_.curvature(); }
  [[nodiscard]] std::optional<QuadraticConjugate> quadratic_conjugate(double b) const override {
    if constexpr (requires { f_.conjugate_of(b); })
      return f_.conjugate_of(b);
    else
      return {};
  }
  [[nodiscard]] bool is_quadratic() const override {
    if constexpr (requires { Formulas::kIsQuadratic; })
      return Formulas::kIsQuadratic;
    else
      return false;
  }

 private:
  Formulas f_;
};

}  // namespace pdbfw
