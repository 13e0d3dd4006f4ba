// W_i = <A_i, X>.                                                                                            [M23b]
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "linalg/chosen_rows.hpp"
#include "linalg/dense_product.hpp"
#include "linalg/kernels.hpp"
#include "linalg/operators.hpp"
#include "linalg/products.hpp"
#include "maps/map_checks.hpp"
#include "pdbfw/linear_map.hpp"

namespace pdbfw {
namespace {

std::span<const double> numbers(const Matrix& M) { return {M.data(), static_cast<std::size_t>(M.size())}; }
std::span<double> numbers(Matrix& M) { return {M.data(), static_cast<std::size_t>(M.size())}; }

// A sparse matrix with fewer entries than X has, by the cells of X that it touches: W = B (entries of X), where B has
// the columns of A for these cells.
struct Cells {
  MatrixPtr B;
  MapPtr entries;
};

std::vector<Index> touched_cells(const DataMatrix& A) {
  std::vector<Index> touched;
  for_each_entry(A.by_row(), [&](Index, Index cell, double) { touched.push_back(cell); });
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  if (touched.empty()) touched.push_back(0);  // a map has at least one entry
  return touched;
}

Cells cells_of(const DataMatrix& A, Index rows, Index columns) {
  const std::vector<Index> touched = touched_cells(A);
  std::vector<Index> row, column, offsets(static_cast<std::size_t>(A.rows()) + 1), at;
  std::vector<double> value;
  for (const Index cell : touched) {
    row.push_back(cell / columns);
    column.push_back(cell % columns);
  }
  for_each_entry(A.by_row(), [&](Index i, Index cell, double entry) {
    at.push_back(std::lower_bound(touched.begin(), touched.end(), cell) - touched.begin());
    value.push_back(entry);
    ++offsets[static_cast<std::size_t>(i) + 1];
  });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return {own_csr(A.rows(), static_cast<Index>(touched.size()), std::move(offsets), std::move(at), std::move(value)),
          entries_map(rows, columns, row, column)};
}

class ProductsMap : public LinearMap {
 public:
  ProductsMap(MatrixPtr A, Index rows, Index columns) : A_(std::move(A)), rows_(rows), columns_(columns) {}

  [[nodiscard]] std::string_view name() const override { return "products"; }
  [[nodiscard]] Index samples() const override { return A_->rows(); }
  [[nodiscard]] Index outputs() const override { return 1; }
  [[nodiscard]] Index rows() const override { return rows_; }
  [[nodiscard]] Index columns() const override { return columns_; }
  [[nodiscard]] std::shared_ptr<const LinearMap> subset(std::span<const Index> samples) const override {
    check_samples(samples, A_->rows());
    return products_map(chosen_rows(*A_, samples), rows_, columns_);
  }
  [[nodiscard]] double largest_squared_sample_norm() const override { return squared_row_norms(*A_).maxCoeff(); }
  [[nodiscard]] double pass_cost() const override { return static_cast<double>(A_->nonzeros()); }

 protected:
  [[nodiscard]] const DataMatrix& A() const { return *A_; }
  [[nodiscard]] double norm_by(const DataMatrix& A) const {
    return norm_.value([&] { return largest_squared_singular_value(A); });
  }

 private:
  MatrixPtr A_;
  Index rows_, columns_;
  CachedNorm norm_;
};

// A has more numbers than X: X and A*(y) are formed, as vectors.
class FormedProductsMap final : public ProductsMap {
 public:
  using ProductsMap::ProductsMap;

  void apply(const Factors& X, Matrix& W, int threads) const override {
    apply(times_transposed(X.U * X.s.asDiagonal(), X.V, threads), W, threads);
  }
  void apply(const Matrix& X, Matrix& W, int threads) const override {
    W.resize(samples(), 1);
    multiply(A(), numbers(X), numbers(W), threads);
  }
  void add_adjoint(const Matrix& Y, double scale, Matrix& Z, int threads) const override {
    Matrix z;
    multiply_transposed(A(), Y, z, threads);
    Z += scale * z.reshaped<Eigen::RowMajor>(rows(), columns());
  }
  [[nodiscard]] std::unique_ptr<const Operator> adjoint(const Matrix& Y) const override {
    Matrix Z = Matrix::Zero(rows(), columns());
    add_adjoint(Y, 1, Z, 1);
    return std::make_unique<DenseOperator>(std::move(Z));
  }
  [[nodiscard]] double squared_norm() const override { return norm_by(A()); }
  [[nodiscard]] double apply_cost(Index rank) const override {
    return cells(rows(), columns()) * static_cast<double>(rank) + pass_cost();
  }
};

// Otherwise only the cells that some A_i touches are looked at.
class CellProductsMap final : public ProductsMap {
 public:
  CellProductsMap(const MatrixPtr& A, Index rows, Index columns)
      : ProductsMap(A, rows, columns), cells_(cells_of(*A, rows, columns)) {}

  void apply(const Factors& X, Matrix& W, int threads) const override { combine(X, W, threads); }
  void apply(const Matrix& X, Matrix& W, int threads) const override { combine(X, W, threads); }
  void add_adjoint(const Matrix& Y, double scale, Matrix& Z, int threads) const override {
    Matrix z;
    multiply_transposed(*cells_.B, Y, z, threads);
    cells_.entries->add_adjoint(z, scale, Z, threads);
  }
  // The adjoint of the entries copies the values it is given.
  [[nodiscard]] std::unique_ptr<const Operator> adjoint(const Matrix& Y) const override {
    Matrix z;
    multiply_transposed(*cells_.B, Y, z);
    return cells_.entries->adjoint(z);
  }
  [[nodiscard]] double squared_norm() const override { return norm_by(*cells_.B); }
  [[nodiscard]] double apply_cost(Index rank) const override { return cells_.entries->apply_cost(rank) + pass_cost(); }

 private:
  template <class X>
  void combine(const X& x, Matrix& W, int threads) const {
    Matrix entries;
    cells_.entries->apply(x, entries, threads);
    multiply(*cells_.B, entries, W, threads);
  }

  Cells cells_;
};

}  // namespace

MapPtr products_map(MatrixPtr A, Index rows, Index columns) {
  check_matrix("A", A);
  if (rows < 1) throw InputError("rows", fmt::format("{}", rows), "at least 1");
  if (columns < 1) throw InputError("columns", fmt::format("{}", columns), "at least 1");
  check_cells(rows, columns);
  if (A->columns() != rows * columns)
    throw InputError("A", fmt::format("{} columns", A->columns()),
                     fmt::format("{}, the entries of a {} x {} matrix", rows * columns, rows, columns));
  if (A->is_dense() || A->nonzeros() >= rows * columns)
    return std::make_shared<FormedProductsMap>(std::move(A), rows, columns);
  return std::make_shared<CellProductsMap>(A, rows, columns);
}

}  // namespace pdbfw
