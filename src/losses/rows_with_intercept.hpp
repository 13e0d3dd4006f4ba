// A loss of rows with an intercept for each output, learnt with the weights and not penalised.                [M46]
//
//   F(W) = min_t sum_i f_i(W_i + t),        dF/dW_i = grad f_i(W_i + t*),  whose sum over i is zero
//   F*(Y) = sum_i f_i*(Y_i) where sum_i Y_i = 0, else infinite
#pragma once

#include <memory>

#include "pdbfw/row_loss.hpp"

namespace pdbfw {

class RowsWithIntercept final : public RowLoss {
 public:
  // `are_classes`: every dual row sums to zero and has one negative entry, that of its class.
  RowsWithIntercept(std::shared_ptr<const RowLoss> each, bool are_classes);

  using Row = std::span<const double>;
  [[nodiscard]] std::string_view name() const override { return each_->name(); }
  [[nodiscard]] RowTargetKind target_kind() const override { return each_->target_kind(); }
  [[nodiscard]] Index target_columns(Index outputs) const override { return each_->target_columns(outputs); }
  [[nodiscard]] double value(Row b, Row w) const override { return each_->value(b, w); }
  void gradient(Row b, Row w, std::span<double> y) const override { each_->gradient(b, w, y); }
  [[nodiscard]] double conjugate(Row b, Row y) const override { return each_->conjugate(b, y); }
  void dual_prox(Row b, Row w, Row y, double step, std::span<double> out) const override {
    each_->dual_prox(b, w, y, step, out);
  }
  void hessian_product(Row b, Row w, Row v, std::span<double> out) const override {
    each_->hessian_product(b, w, v, out);
  }
  void add_hessian(Row b, Row w, Matrix& S) const override { each_->add_hessian(b, w, S); }

  [[nodiscard]] double total_value(const Matrix& B, const Matrix& W, int threads) const override;
  [[nodiscard]] double total_conjugate(const Matrix& B, const Matrix& Y, int threads) const override;
  void gradients(const Matrix& B, const Matrix& W, Matrix& Y, int threads) const override;
  void dual_proxes(const Matrix& B, const Matrix& W, const Matrix& Y, double step, Matrix& out,
                   int threads) const override;
  // With H = diag(H_1, ..., H_n) and S = sum_i H_i:  out_i = H_i (v_i - s),  S s = sum_i H_i v_i.
  void hessian_products(const Matrix& B, const Matrix& W, const Matrix& V, Matrix& out, int threads) const override;

  [[nodiscard]] double smoothness() const override { return each_->smoothness(); }
  [[nodiscard]] double curvature() const override { return each_->curvature(); }
  [[nodiscard]] bool is_quadratic() const override { return each_->is_quadratic(); }

  [[nodiscard]] bool has_intercept() const override { return true; }
  [[nodiscard]] Vector intercepts(const Matrix& B, const Matrix& W, int threads) const override;
  [[nodiscard]] const RowLoss& of_samples() const override { return *each_; }
  void balance(Matrix& Y) const override;

 private:
  std::shared_ptr<const RowLoss> each_;  // f_i
  bool are_classes_;
};

}  // namespace pdbfw
