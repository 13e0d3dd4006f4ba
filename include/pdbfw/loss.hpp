// What a loss must answer. A loss of your own is a struct of scalar formulas lifted by Separable (separable.hpp) and
// can be used in a Problem at once; examples/cpp/own_loss.cpp shows it.
#pragma once

#include <span>
#include <string_view>

#include "pdbfw/errors.hpp"

namespace pdbfw {

enum class TargetKind {
  labels,  // every target is -1 or +1
  numbers  // any finite number
};

// f_i(w), one smooth convex function per sample, given by its target b_i; f_i* is its convex conjugate.  [M5]
class Loss {
 public:
  Loss() = default;
  Loss(const Loss&) = delete;
  Loss& operator=(const Loss&) = delete;
  virtual ~Loss() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual TargetKind target_kind() const = 0;

  // One sample.
  [[nodiscard]] virtual double value(double b, double w) const = 0;
  [[nodiscard]] virtual double derivative(double b, double w) const = 0;
  [[nodiscard]] virtual double second_derivative(double b, double w) const = 0;     // either side's at a kink
  [[nodiscard]] virtual double conjugate(double b, double y) const = 0;             // +inf outside its domain
  [[nodiscard]] virtual double conjugate_derivative(double b, double y) const = 0;  // inside the domain
  // argmax_u  w u - f*(u) - (u - y)^2 / (2 step);  step = +inf means no proximal term, 0 only takes y into the domain.
  [[nodiscard]] virtual double dual_prox(double b, double w, double y, double step) const = 0;

  // All samples: one virtual call for the whole vector.
  [[nodiscard]] virtual double total_value(std::span<const double> b, std::span<const double> w) const = 0;
  [[nodiscard]] virtual double total_conjugate(std::span<const double> b, std::span<const double> y) const = 0;
  virtual void derivatives(std::span<const double> b, std::span<const double> w, std::span<double> y) const = 0;
  virtual void dual_proxes(std::span<const double> b, std::span<const double> w, std::span<const double> y, double step,
                           std::span<double> y_tilde) const = 0;

  // The paper's beta and alpha: f is beta-smooth, and alpha-strongly convex where it is not linear (0: nowhere).
  [[nodiscard]] virtual double smoothness() const = 0;
  [[nodiscard]] virtual double curvature() const = 0;
  // f'' is the same number, the smoothness, everywhere: the whole loss is determined by A'A and A'f'(0).
  [[nodiscard]] virtual bool is_quadratic() const { return false; }

  // An intercept t, learnt with x and not penalised. The functions of all samples then speak of            [M38]
  //     F(w) = min_t sum_i f_i(w_i + t)
  // and those of one sample of f_i alone.
  [[nodiscard]] virtual bool has_intercept() const { return false; }
  // The best t.
  [[nodiscard]] virtual double intercept(std::span<const double> /*b*/, std::span<const double> /*w*/) const {
    return 0;
  }
  // F* is finite only where the y_i sum to zero: takes y there.
  virtual void balance(std::span<double> /*y*/) const {}
};

}  // namespace pdbfw
