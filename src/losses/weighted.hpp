// Samples of different weight:  f_i(w) = weight_i f(target_i, w).
//
//   f_i*(y) = weight_i f*(target_i, y / weight_i);   of weight 0: f_i = 0, and f_i* is finite at 0 only
//
// The "target" b_i that is handed around is the number of the sample, under which target and weight are found: so no
// solver needs to know of weights.
#pragma once

#include <memory>
#include <vector>

#include "pdbfw/loss.hpp"

namespace pdbfw {

class Weighted final : public Loss {
 public:
  // One weight >= 0 for each target.
  Weighted(std::shared_ptr<const Loss> each, std::vector<double> target, std::vector<double> weight);

  [[nodiscard]] std::string_view name() const override { return each_->name(); }
  [[nodiscard]] TargetKind target_kind() const override { return TargetKind::numbers; }
  [[nodiscard]] double value(double b, double w) const override;
  [[nodiscard]] double derivative(double b, double w) const override;
  [[nodiscard]] double second_derivative(double b, double w) const override;
  [[nodiscard]] double conjugate(double b, double y) const override;
  [[nodiscard]] double conjugate_derivative(double b, double y) const override;
  [[nodiscard]] double dual_prox(double b, double w, double y, double step) const override;

  [[nodiscard]] double total_value(std::span<const double> b, std::span<const double> w) const override;
  [[nodiscard]] double total_conjugate(std::span<const double> b, std::span<const double> y) const override;
  void derivatives(std::span<const double> b, std::span<const double> w, std::span<double> y) const override;
  void dual_proxes(std::span<const double> b, std::span<const double> w, std::span<const double> y, double step,
                   std::span<double> y_tilde) const override;

  [[nodiscard]] double smoothness() const override { return largest_ * each_->smoothness(); }
  [[nodiscard]] double curvature() const override { return smallest_ * each_->curvature(); }

 private:
  std::shared_ptr<const Loss> each_;  // f
  std::vector<double> target_, weight_;
  double smallest_ = 0, largest_ = 0;  // of the weights > 0
};

}  // namespace pdbfw
