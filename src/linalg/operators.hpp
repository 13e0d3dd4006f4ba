// The operators that the solvers are made of: dense matrices, factors, and sums of operators.
#pragma once

#include <utility>
#include <vector>

#include "pdbfw/factors.hpp"

namespace pdbfw {

// Borrows the matrix.
class DenseOperator final : public Operator {
 public:
  explicit DenseOperator(const Matrix& M) : M_(M) {}
  [[nodiscard]] Index rows() const override { return M_.rows(); }
  [[nodiscard]] Index columns() const override { return M_.cols(); }
  void times(const Matrix& V, Matrix& out, int threads = 1) const override;
  void transposed_times(const Matrix& U, Matrix& out, int threads = 1) const override;
  [[nodiscard]] double cost() const override { return static_cast<double>(M_.size()); }
  [[nodiscard]] const Matrix* entries() const override { return &M_; }

 private:
  const Matrix& M_;
};

// U diag(s) V', borrowed.
class FactorsOperator final : public Operator {
 public:
  explicit FactorsOperator(const Factors& X) : X_(X) {}
  [[nodiscard]] Index rows() const override { return X_.rows(); }
  [[nodiscard]] Index columns() const override { return X_.columns(); }
  void times(const Matrix& V, Matrix& out, int threads = 1) const override;
  void transposed_times(const Matrix& U, Matrix& out, int threads = 1) const override;
  [[nodiscard]] double cost() const override { return static_cast<double>(X_.U.size() + X_.V.size()); }

 private:
  const Factors& X_;
};

// sum_k scale_k M_k, of borrowed operators of one shape.
class SumOperator final : public Operator {
 public:
  using Terms = std::vector<std::pair<double, const Operator*>>;
  explicit SumOperator(Terms terms) : terms_(std::move(terms)) {}
  [[nodiscard]] Index rows() const override { return terms_.front().second->rows(); }
  [[nodiscard]] Index columns() const override { return terms_.front().second->columns(); }
  void times(const Matrix& V, Matrix& out, int threads = 1) const override;
  void transposed_times(const Matrix& U, Matrix& out, int threads = 1) const override;
  [[nodiscard]] double cost() const override;

 private:
  Terms terms_;
};

}  // namespace pdbfw
