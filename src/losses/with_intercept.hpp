// A loss with an intercept that is learnt with the weights and not penalised.                              [M38]
//
//   F(w) = min_t sum_i f_i(w_i + t),        dF/dw_i = f_i'(w_i + t*),  which sum to zero
//   F*(y) = sum_i f_i*(y_i) where sum_i y_i = 0, else infinite
//
// The intercept is gone from the problem: solvers that see the loss through its sums need not know of it, and every
// certificate covers it.
#pragma once

#include <memory>

#include "pdbfw/loss.hpp"

namespace pdbfw {

class WithIntercept final : public Loss {
 public:
  explicit WithIntercept(std::shared_ptr<const Loss> each);

  [[nodiscard]] std::string_view name() const override { return each_->name(); }
  [[nodiscard]] TargetKind target_kind() const override { return each_->target_kind(); }
  [[nodiscard]] double value(double b, double w) const override { return each_->value(b, w); }
  [[nodiscard]] double derivative(double b, double w) const override { return each_->derivative(b, w); }
  [[nodiscard]] double second_derivative(double b, double w) const override { return each_->second_derivative(b, w); }
  [[nodiscard]] double conjugate(double b, double y) const override { return each_->conjugate(b, y); }
  [[nodiscard]] double conjugate_derivative(double b, double y) const override {
    return each_->conjugate_derivative(b, y);
  }
  [[nodiscard]] double dual_prox(double b, double w, double y, double step) const override {
    return each_->dual_prox(b, w, y, step);
  }

  [[nodiscard]] double total_value(std::span<const double> b, std::span<const double> w) const override;
  [[nodiscard]] double total_conjugate(std::span<const double> b, std::span<const double> y) const override;
  void derivatives(std::span<const double> b, std::span<const double> w, std::span<double> y) const override;
  void dual_proxes(std::span<const double> b, std::span<const double> w, std::span<const double> y, double step,
                   std::span<double> y_tilde) const override;

  [[nodiscard]] double smoothness() const override { return each_->smoothness(); }
  [[nodiscard]] double curvature() const override { return each_->curvature(); }
  [[nodiscard]] bool is_quadratic() const override { return each_->is_quadratic(); }

  [[nodiscard]] bool has_intercept() const override { return true; }
  [[nodiscard]] double intercept(std::span<const double> b, std::span<const double> w) const override;
  void balance(std::span<double> y) const override;

 private:
  std::shared_ptr<const Loss> each_;  // f_i
};

}  // namespace pdbfw
