// Samples of different weight:  f_i(w) = weight_i f(b_i, w); as weighted.hpp, for losses of rows. The "target" that is
// handed around is the number of the sample.
#pragma once

#include <memory>
#include <vector>

#include "pdbfw/row_loss.hpp"

namespace pdbfw {

class WeightedRows final : public RowLoss {
 public:
  // One weight >= 0 for each row of targets.
  WeightedRows(std::shared_ptr<const RowLoss> each, Matrix targets, std::vector<double> weight);

  using Row = std::span<const double>;
  [[nodiscard]] std::string_view name() const override { return each_->name(); }
  [[nodiscard]] RowTargetKind target_kind() const override { return RowTargetKind::numbers; }
  [[nodiscard]] Index target_columns(Index /*outputs*/) const override { return 1; }
  [[nodiscard]] double value(Row b, Row w) const override;
  void gradient(Row b, Row w, std::span<double> y) const override;
  [[nodiscard]] double conjugate(Row b, Row y) const override;
  void dual_prox(Row b, Row w, Row y, double step, std::span<double> out) const override;
  void hessian_product(Row b, Row w, Row v, std::span<double> out) const override;
  void add_hessian(Row b, Row w, Matrix& S) const override;

  [[nodiscard]] double total_value(const Matrix& B, const Matrix& W, int threads) const override;
  [[nodiscard]] double total_conjugate(const Matrix& B, const Matrix& Y, int threads) const override;
  void gradients(const Matrix& B, const Matrix& W, Matrix& Y, int threads) const override;
  void dual_proxes(const Matrix& B, const Matrix& W, const Matrix& Y, double step, Matrix& out,
                   int threads) const override;
  void hessian_products(const Matrix& B, const Matrix& W, const Matrix& V, Matrix& out, int threads) const override;

  [[nodiscard]] double smoothness() const override { return largest_ * each_->smoothness(); }
  [[nodiscard]] double curvature() const override { return smallest_ * each_->curvature(); }

 private:
  [[nodiscard]] Row target(Row b) const;
  [[nodiscard]] double weight(Row b) const { return weight_[static_cast<std::size_t>(b[0])]; }

  std::shared_ptr<const RowLoss> each_;  // f
  Matrix targets_;
  std::vector<double> weight_;
  double smallest_ = 0, largest_ = 0;  // of the weights > 0
};

}  // namespace pdbfw
