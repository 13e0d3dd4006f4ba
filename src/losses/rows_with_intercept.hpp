// A loss of rows with an intercept for each output, learnt with the weights and not penalised.                [M46]
//
//   F(W) = min_t sum_i f_i(W_i + t),        dF/dW_i = grad f_i(W_i + t*),  whose sum over i is zero
//   F*(Y) = sum_i f_i*(Y_i) where sum_i Y_i = 0, else infinite
#pragma once

#include <memory>
#include <utility>

#include "core/row_loss_decorator.hpp"

namespace pdbfw {

class RowsWithIntercept final : public RowLossDecorator {
 public:
  explicit RowsWithIntercept(std::shared_ptr<const RowLoss> each) : RowLossDecorator(std::move(each)) {}

  [[nodiscard]] double total_value(const Matrix& W, int threads) const override;
  [[nodiscard]] double total_conjugate(const Matrix& Y, int threads) const override;
  void gradients(const Matrix& W, Matrix& Y, int threads) const override;
  // With H = diag(H_1, ..., H_n) and S = sum_i H_i:  out_i = H_i (v_i - s),  S s = sum_i H_i v_i.
  void hessian_products(const Matrix& W, const Matrix& V, Matrix& out, int threads) const override;

  [[nodiscard]] bool has_intercept() const override { return true; }
  [[nodiscard]] Vector intercepts(const Matrix& W, int threads) const override;
  [[nodiscard]] const RowLoss& of_samples() const override { return *each_; }
  void balance(Matrix& Y) const override;

 private:
  // Then every dual row sums to zero and has one negative entry, that of its class.
  [[nodiscard]] bool are_classes() const { return target_kind() == RowTargetKind::classes; }
};

// Dual rows of classes whose columns are to sum to zero. Every row of Y sums to zero and has at most one negative
// entry, at its own class. All rows of a class are multiplied by a number in [0, 1], so that the columns sum to zero up
// to rounding; where they do, all numbers are 1.
void balance_flow(Matrix& Y);

}  // namespace pdbfw
