// W = A X. On factors W = ((A U) diag(s)) V'; the adjoint is V -> A'(Y V).                                    [M23a]
#include <fmt/format.h>

#include <utility>

#include "linalg/chosen_rows.hpp"
#include "linalg/dense_product.hpp"
#include "linalg/operators.hpp"
#include "linalg/products.hpp"
#include "maps/map_checks.hpp"
#include "pdbfw/linear_map.hpp"

namespace pdbfw {
namespace {

class RowsAdjoint final : public Operator {
 public:
  RowsAdjoint(MatrixPtr A, const Matrix& Y) : A_(std::move(A)), Y_(Y) {}
  [[nodiscard]] Index rows() const override { return A_->columns(); }
  [[nodiscard]] Index columns() const override { return Y_.cols(); }
  void times(const Matrix& V, Matrix& out, int threads) const override {
    multiply_transposed(*A_, pdbfw::times(Y_, V, threads), out, threads);
  }
  void transposed_times(const Matrix& U, Matrix& out, int threads) const override {
    Matrix AU;
    multiply(*A_, U, AU, threads);
    out = pdbfw::transposed_times(Y_, AU, threads);
  }
  [[nodiscard]] double cost() const override { return static_cast<double>(A_->nonzeros() + Y_.size()); }

 private:
  MatrixPtr A_;
  const Matrix& Y_;
};

class RowsMap final : public LinearMap {
 public:
  RowsMap(MatrixPtr A, Index columns) : A_(std::move(A)), columns_(columns) {}

  [[nodiscard]] std::string_view name() const override { return "rows"; }
  [[nodiscard]] Index samples() const override { return A_->rows(); }
  [[nodiscard]] Index outputs() const override { return columns_; }
  [[nodiscard]] Index rows() const override { return A_->columns(); }
  [[nodiscard]] Index columns() const override { return columns_; }

  void apply(const Factors& X, Matrix& W, int threads) const override {
    Matrix AUs;
    multiply(*A_, X.U, AUs, threads);
    AUs *= X.s.asDiagonal();
    W = times_transposed(AUs, X.V, threads);
  }
  void apply(const Matrix& X, Matrix& W, int threads) const override { multiply(*A_, X, W, threads); }
  void add_adjoint(const Matrix& Y, double scale, Matrix& Z, int threads) const override {
    add_transposed_product(*A_, Y, scale, Z, threads);
  }
  [[nodiscard]] std::unique_ptr<const Operator> adjoint(const Matrix& Y) const override {
    return std::make_unique<RowsAdjoint>(A_, Y);
  }
  [[nodiscard]] std::shared_ptr<const LinearMap> subset(std::span<const Index> samples) const override {
    check_samples(samples, A_->rows());
    return std::make_shared<RowsMap>(chosen_rows(*A_, samples), columns_);
  }

  // |A|^2, the square of the largest singular value of the matrix.
  [[nodiscard]] double squared_norm() const override {
    return norm_.value([this] { return largest_squared_singular_value(*A_); });
  }
  [[nodiscard]] double largest_squared_sample_norm() const override { return squared_row_norms(*A_).maxCoeff(); }

  [[nodiscard]] double apply_cost(Index rank) const override {
    return static_cast<double>(rank) * (static_cast<double>(A_->nonzeros()) + cells(samples(), columns_));
  }
  [[nodiscard]] double pass_cost() const override { return cells(A_->nonzeros(), columns_); }
  [[nodiscard]] const DataMatrix* design() const override { return A_.get(); }

 private:
  MatrixPtr A_;
  Index columns_;
  CachedNorm norm_;
};

}  // namespace

MapPtr rows_map(MatrixPtr A, Index columns) {
  check_matrix("A", A);
  if (columns < 1) throw InputError("columns", fmt::format("{}", columns), "at least 1");
  check_cells(A->columns(), columns);
  return std::make_shared<RowsMap>(std::move(A), columns);
}

}  // namespace pdbfw
