// A loss with an intercept, or with features whose weights nothing holds back: columns Z and their weights t.  [M38]
//
//   F(w) = min_t sum_i f_i(w_i + (Z t)_i),      dF/dw_i = f_i'(w_i + (Z t*)_i),  which Z' takes to zero
//   F*(y) = sum_i f_i*(y_i) where Z'y = 0, else infinite
//
// t is gone from the problem: solvers that see the loss through its sums need not know of it, and every certificate
// covers it.
#pragma once

#include <memory>
#include <vector>

#include "pdbfw/loss.hpp"
#include "pdbfw/team.hpp"

namespace pdbfw {

class WithFree final : public Loss {
 public:
  // Z of n rows and `count` columns, by column; they may depend on each other. An intercept is a column of ones. With a
  // team, which learns an intercept and nothing else: t is that of all members, the sums are those of the rows here.
  WithFree(std::shared_ptr<const Loss> each, Index count, std::vector<double> Z, TeamPtr team = {});

  [[nodiscard]] std::string_view name() const override { return each_->name(); }
  [[nodiscard]] TargetKind target_kind() const override { return each_->target_kind(); }
  [[nodiscard]] std::span<const double> targets() const override { return each_->targets(); }
  [[nodiscard]] double value(std::size_t i, double w) const override { return each_->value(i, w); }
  [[nodiscard]] double derivative(std::size_t i, double w) const override { return each_->derivative(i, w); }
  [[nodiscard]] double second_derivative(std::size_t i, double w) const override {
    return each_->second_derivative(i, w);
  }
  [[nodiscard]] double conjugate(std::size_t i, double y) const override { return each_->conjugate(i, y); }
  [[nodiscard]] double conjugate_derivative(std::size_t i, double y) const override {
    return each_->conjugate_derivative(i, y);
  }
  [[nodiscard]] double dual_prox(std::size_t i, double w, double y, double step) const override {
    return each_->dual_prox(i, w, y, step);
  }

  [[nodiscard]] double total_value(std::span<const double> w) const override;
  [[nodiscard]] double total_conjugate(std::span<const double> y) const override;
  void derivatives(std::span<const double> w, std::span<double> y) const override;
  void dual_proxes(std::span<const double> w, std::span<const double> y, double step,
                   std::span<double> y_tilde) const override;

  [[nodiscard]] double smoothness() const override { return each_->smoothness(); }
  [[nodiscard]] double curvature() const override { return each_->curvature(); }
  [[nodiscard]] bool is_quadratic() const override { return each_->is_quadratic(); }

  [[nodiscard]] FreeColumns free_columns() const override { return {count_, Z_}; }
  [[nodiscard]] std::vector<double> free_weights(std::span<const double> w,
                                                 std::span<const double> near = {}) const override;
  [[nodiscard]] double local_model(std::span<const double> w, std::span<double> slope,
                                   std::span<double> bend) const override {
    return each_->local_model(w, slope, bend);
  }
  [[nodiscard]] std::shared_ptr<const Loss> subset(std::span<const Index> samples) const override {
    return each_->subset(samples);
  }
  [[nodiscard]] const Loss& of_samples() const override { return *each_; }
  void balance(std::span<double> y) const override;

 private:
  [[nodiscard]] double intercept(std::span<const double> w, double near) const;

  std::shared_ptr<const Loss> each_;  // f_i
  Index count_;
  std::vector<double> Z_;
  TeamPtr team_;
  bool is_intercept_;  // a column of ones and no other
};

}  // namespace pdbfw
