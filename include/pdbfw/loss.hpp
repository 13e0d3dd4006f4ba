// What a loss must answer. A loss of your own is a struct of scalar formulas lifted by Separable (separable.hpp) and
// can be used in a Problem at once; examples/cpp/own_loss.cpp shows it.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "pdbfw/errors.hpp"
#include "pdbfw/quadratic_conjugate.hpp"

namespace pdbfw {

// Z: n rows, and few columns, one after the other.
struct FreeColumns {
  Index count = 0;
  std::span<const double> value;  // n times count
  [[nodiscard]] std::span<const double> operator[](Index column) const {
    const std::size_t n = value.size() / static_cast<std::size_t>(count);
    return value.subspan(static_cast<std::size_t>(column) * n, n);
  }
};

// w + Z t.
[[nodiscard]] std::vector<double> shifted(std::span<const double> w, const FreeColumns& Z, std::span<const double> t);

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
  // Newton's model at w: f_i' into `slope`, f_i'' into `bend`, and the sum of all f_i. Of f_i alone, free columns or
  // not.
  [[nodiscard]] virtual double local_model(std::span<const double> b, std::span<const double> w,
                                           std::span<double> slope, std::span<double> bend) const;

  // The paper's beta and alpha: f is beta-smooth, and alpha-strongly convex where it is not linear (0: nowhere).
  [[nodiscard]] virtual double smoothness() const = 0;
  [[nodiscard]] virtual double curvature() const = 0;
  // f'' is the same number, the smoothness, everywhere: the whole loss is determined by A'A and A'f'(0).
  [[nodiscard]] virtual bool is_quadratic() const { return false; }

  // f_i* where it is quadratic on an interval: solvers then make its proximal steps themselves, which is quicker.
  [[nodiscard]] virtual std::optional<QuadraticConjugate> quadratic_conjugate(double /*b*/) const { return {}; }

  // Free columns: an intercept, or features whose weights t are learnt with x and not held back by anything. The
  // functions of all samples then speak of                                                                    [M38]
  //     F(w) = min_t sum_i f_i(w_i + (Z t)_i)
  // and those of one sample of f_i alone.
  [[nodiscard]] virtual FreeColumns free_columns() const { return {}; }
  [[nodiscard]] bool has_free_columns() const { return free_columns().count > 0; }
  // The best t, one for each column of Z. `near` is empty, or a guess that may save time.
  [[nodiscard]] virtual std::vector<double> free_weights(std::span<const double> /*b*/, std::span<const double> /*w*/,
                                                         std::span<const double> /*near*/ = {}) const {
    return {};
  }
  // The same samples without free columns: its sums are of f_i alone.
  [[nodiscard]] virtual const Loss& of_samples() const { return *this; }
  // F* is finite only where Z'y = 0: takes y there.
  virtual void balance(std::span<double> /*y*/) const {}
};

}  // namespace pdbfw
