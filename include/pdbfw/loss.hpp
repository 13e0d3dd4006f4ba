// What a loss must answer. A loss of your own is a struct of scalar formulas lifted by Separable (separable.hpp) and
// can be used in a Problem at once; examples/cpp/own_loss.cpp shows it.
#pragma once

#include <cstddef>
#include <memory>
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

// What every sample counts: weight 2 is the sample twice, weight 0 is without it.
class SampleWeights {
 public:
  // One finite number >= 0 for each sample, or none at all: then every sample counts 1. Throws InputError.
  SampleWeights(std::vector<double> each, std::size_t samples);
  static void check(std::span<const double> each, std::size_t samples);

  [[nodiscard]] bool are_given() const { return !each_.empty(); }
  [[nodiscard]] double operator[](std::size_t i) const { return each_.empty() ? 1 : each_[i]; }
  // Those of some samples; none where none are given.
  [[nodiscard]] std::vector<double> of(std::span<const Index> rows) const;
  // Of the weights > 0; 0 if there is none.
  [[nodiscard]] double smallest() const { return smallest_; }
  [[nodiscard]] double largest() const { return largest_; }

 private:
  std::vector<double> each_;
  double smallest_ = 1, largest_ = 1;
};

// f_i(w), one smooth convex function per sample, given by its target b_i; f_i* is its convex conjugate. A loss holds
// the targets of its samples, and what each sample counts.  [M5]
class Loss {
 public:
  Loss() = default;
  Loss(const Loss&) = delete;
  Loss& operator=(const Loss&) = delete;
  virtual ~Loss() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual TargetKind target_kind() const = 0;
  [[nodiscard]] virtual std::span<const double> targets() const = 0;
  [[nodiscard]] std::size_t size() const { return targets().size(); }  // the number of samples

  // Sample i.
  [[nodiscard]] virtual double value(std::size_t i, double w) const = 0;
  [[nodiscard]] virtual double derivative(std::size_t i, double w) const = 0;
  [[nodiscard]] virtual double second_derivative(std::size_t i, double w) const = 0;     // either side's at a kink
  [[nodiscard]] virtual double conjugate(std::size_t i, double y) const = 0;             // +inf outside its domain
  [[nodiscard]] virtual double conjugate_derivative(std::size_t i, double y) const = 0;  // inside the domain
  // argmax_u  w u - f*(u) - (u - y)^2 / (2 step);  step = +inf means no proximal term, 0 only takes y into the domain.
  [[nodiscard]] virtual double dual_prox(std::size_t i, double w, double y, double step) const = 0;

  // All samples: one virtual call for the whole vector.
  [[nodiscard]] virtual double total_value(std::span<const double> w) const = 0;
  [[nodiscard]] virtual double total_conjugate(std::span<const double> y) const = 0;
  virtual void derivatives(std::span<const double> w, std::span<double> y) const = 0;
  virtual void dual_proxes(std::span<const double> w, std::span<const double> y, double step,
                           std::span<double> y_tilde) const = 0;
  // Newton's model at w: f_i' into `slope`, f_i'' into `bend`, and the sum of all f_i. Of f_i alone, free columns or
  // not.
  [[nodiscard]] virtual double local_model(std::span<const double> w, std::span<double> slope,
                                           std::span<double> bend) const = 0;
  // These samples alone, without free columns.
  [[nodiscard]] virtual std::shared_ptr<const Loss> subset(std::span<const Index> samples) const = 0;

  // The paper's beta and alpha: f is beta-smooth, and alpha-strongly convex where it is not linear (0: nowhere).
  [[nodiscard]] virtual double smoothness() const = 0;
  [[nodiscard]] virtual double curvature() const = 0;
  // f'' is the same number, the smoothness, everywhere: the whole loss is determined by A'A and A'f'(0).
  [[nodiscard]] virtual bool is_quadratic() const { return false; }

  // f_i* where it is quadratic on an interval: solvers then make its proximal steps themselves, which is quicker.
  [[nodiscard]] virtual std::optional<QuadraticConjugate> quadratic_conjugate(std::size_t /*i*/) const { return {}; }

  // Free columns: an intercept, or features whose weights t are learnt with x and not held back by anything. The
  // functions of all samples then speak of                                                                    [M38]
  //     F(w) = min_t sum_i f_i(w_i + (Z t)_i)
  // and those of one sample of f_i alone.
  [[nodiscard]] virtual FreeColumns free_columns() const { return {}; }
  [[nodiscard]] bool has_free_columns() const { return free_columns().count > 0; }
  // The best t, one for each column of Z. `near` is empty, or a guess that may save time.
  [[nodiscard]] virtual std::vector<double> free_weights(std::span<const double> /*w*/,
                                                         std::span<const double> /*near*/ = {}) const {
    return {};
  }
  // The same samples without free columns: its sums are of f_i alone.
  [[nodiscard]] virtual const Loss& of_samples() const { return *this; }
  // F* is finite only where Z'y = 0: takes y there.
  virtual void balance(std::span<double> /*y*/) const {}
};

}  // namespace pdbfw
