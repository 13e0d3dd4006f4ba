// A loss of rows made of another one: forwards everything, for those who change a part of it.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "pdbfw/row_loss.hpp"

namespace pdbfw {

class RowLossDecorator : public RowLoss {
 public:
  explicit RowLossDecorator(std::shared_ptr<const RowLoss> each) : each_(std::move(each)) {}

  [[nodiscard]] std::string_view name() const override { return each_->name(); }
  [[nodiscard]] RowTargetKind target_kind() const override { return each_->target_kind(); }
  [[nodiscard]] const Matrix& targets() const override { return each_->targets(); }

  [[nodiscard]] double value(Index i, Row w) const override { return each_->value(i, w); }
  void gradient(Index i, Row w, OutRow y) const override { each_->gradient(i, w, y); }
  [[nodiscard]] double conjugate(Index i, Row y) const override { return each_->conjugate(i, y); }
  void dual_prox(Index i, Row w, Row y, double step, OutRow out) const override {
    each_->dual_prox(i, w, y, step, out);
  }
  void hessian_product(Index i, Row w, Row v, OutRow out) const override { each_->hessian_product(i, w, v, out); }
  void add_hessian(Index i, Row w, Matrix& S) const override { each_->add_hessian(i, w, S); }

  [[nodiscard]] double total_value(const Matrix& W, int threads) const override {
    return each_->total_value(W, threads);
  }
  [[nodiscard]] double total_conjugate(const Matrix& Y, int threads) const override {
    return each_->total_conjugate(Y, threads);
  }
  void gradients(const Matrix& W, Matrix& Y, int threads) const override { each_->gradients(W, Y, threads); }
  void dual_proxes(const Matrix& W, const Matrix& Y, double step, Matrix& out, int threads) const override {
    each_->dual_proxes(W, Y, step, out, threads);
  }
  void hessian_products(const Matrix& W, const Matrix& V, Matrix& out, int threads) const override {
    each_->hessian_products(W, V, out, threads);
  }
  [[nodiscard]] std::shared_ptr<const RowLoss> subset(std::span<const Index> samples) const override {
    return each_->subset(samples);
  }

  [[nodiscard]] double smoothness() const override { return each_->smoothness(); }
  [[nodiscard]] double curvature() const override { return each_->curvature(); }
  [[nodiscard]] bool is_quadratic() const override { return each_->is_quadratic(); }

 protected:
  std::shared_ptr<const RowLoss> each_;
};

}  // namespace pdbfw
