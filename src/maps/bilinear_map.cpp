// On factors W = sum over groups of ((L U) diag(s)) o (R V); the adjoint is V -> L'(y o (R V)).               [M23c]
#include "maps/bilinear_map.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "linalg/block_products.hpp"
#include "linalg/chosen_rows.hpp"
#include "linalg/kernels.hpp"
#include "maps/map_checks.hpp"
#include "maps/map_norm.hpp"

namespace pdbfw {
namespace {

// So many rows of left and right are worked on at a time where a product with X would have n x c numbers.
constexpr Index kBlock = 256;

// y_i for every row of group i.
Vector spread(const Matrix& Y, Index group) {
  Vector y(Y.rows() * group);
  for (Index i = 0; i < y.size(); ++i) y(i) = Y.data()[i / group];
  return y;
}

class BilinearAdjoint final : public Operator {
 public:
  BilinearAdjoint(MatrixPtr left, MatrixPtr right, Vector y)
      : left_(std::move(left)), right_(std::move(right)), y_(std::move(y)) {}
  [[nodiscard]] Index rows() const override { return left_->columns(); }
  [[nodiscard]] Index columns() const override { return right_->columns(); }
  void times(const Matrix& V, Matrix& out, int threads) const override { pass(*right_, V, *left_, out, threads); }
  void transposed_times(const Matrix& U, Matrix& out, int threads) const override {
    pass(*left_, U, *right_, out, threads);
  }
  [[nodiscard]] double cost() const override { return static_cast<double>(left_->nonzeros() + right_->nonzeros()); }

 private:
  void pass(const DataMatrix& from, const Matrix& V, const DataMatrix& to, Matrix& out, int threads) const {
    Matrix between;
    multiply(from, V, between, threads);
    between.array().colwise() *= y_.array();
    multiply_transposed(to, between, out, threads);
  }

  MatrixPtr left_, right_;
  Vector y_;
};

class BilinearMap final : public LinearMap {
 public:
  BilinearMap(std::string_view name, MatrixPtr left, MatrixPtr right, Index group)
      : name_(name), left_(std::move(left)), right_(std::move(right)), group_(group) {}

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] Index samples() const override { return left_->rows() / group_; }
  [[nodiscard]] Index outputs() const override { return 1; }
  [[nodiscard]] Index rows() const override { return left_->columns(); }
  [[nodiscard]] Index columns() const override { return right_->columns(); }

  void apply(const Factors& X, Matrix& W, int threads) const override {
    Matrix LU, RV;
    multiply(*left_, X.U, LU, threads);
    const bool is_symmetric = left_ == right_ && X.U == X.V;
    if (!is_symmetric) multiply(*right_, X.V, RV, threads);
    const Matrix& other = is_symmetric ? LU : RV;
    W.setZero(samples(), 1);
    for (Index i = 0; i < LU.rows(); ++i)
      W(i / group_, 0) += (LU.row(i).array() * X.s.transpose().array() * other.row(i).array()).sum();
  }

  // W_i = <X'l_i, r_i>, some rows at a time.
  void apply(const Matrix& X, Matrix& W, int threads) const override {
    Vector each(left_->rows());
    for_blocks(threads, [&](Index first, Index last) {
      Matrix LX = Matrix::Zero(last - first, columns());
      add_product(left_->by_row(), first, last, X, 1, LX.data());
      std::visit(
          [&](const auto& lines) {
            for (Index i = first; i < last; ++i) each(i) = dot(lines[i], LX.row(i - first).data());
          },
          right_->by_row());
    });
    W.setZero(samples(), 1);
    for (Index i = 0; i < each.size(); ++i) W(i / group_, 0) += each(i);
  }

  // Z += scale L'(y o R), some rows of y o R at a time.
  void add_adjoint(const Matrix& Y, double scale, Matrix& Z, int /*threads*/) const override {
    const Vector y = spread(Y, group_);
    Matrix yR;
    for (Index first = 0; first < left_->rows(); first += kBlock) {
      const Index last = std::min(first + kBlock, left_->rows());
      yR.setZero(last - first, columns());
      std::visit(
          [&](const auto& lines) {
            for (Index i = first; i < last; ++i) add_scaled(lines[i], y(i), yR.row(i - first).data());
          },
          right_->by_row());
      add_transposed_product(left_->by_row(), first, last, yR.data(), scale, Z);
    }
  }

  [[nodiscard]] std::unique_ptr<const Operator> adjoint(const Matrix& Y) const override {
    return std::make_unique<BilinearAdjoint>(left_, right_, spread(Y, group_));
  }
  [[nodiscard]] std::shared_ptr<const LinearMap> subset(std::span<const Index> samples) const override {
    check_samples(samples, this->samples());
    std::vector<Index> at;
    for (const Index i : samples)
      for (Index g = 0; g < group_; ++g) at.push_back(i * group_ + g);
    const MatrixPtr left = chosen_rows(*left_, at);
    return std::make_shared<BilinearMap>(name_, left, left_ == right_ ? left : chosen_rows(*right_, at), group_);
  }

  [[nodiscard]] double squared_norm() const override {
    return norm_.value([this] { return largest_squared_singular_value(*this, squared_sample_norms().sum()); });
  }
  [[nodiscard]] double largest_squared_sample_norm() const override { return squared_sample_norms().maxCoeff(); }

  [[nodiscard]] double apply_cost(Index rank) const override {
    const Index entries = left_ == right_ ? left_->nonzeros() : left_->nonzeros() + right_->nonzeros();
    return cells(entries + left_->rows(), rank);
  }
  [[nodiscard]] double pass_cost() const override {
    return cells(left_->nonzeros(), columns()) + static_cast<double>(right_->nonzeros());
  }

 private:
  template <class Work>
  void for_blocks(int threads, const Work& work) const {
    const Index blocks = (left_->rows() + kBlock - 1) / kBlock;
    parallel_for(threads, blocks,
                 [&](Index block) { work(block * kBlock, std::min((block + 1) * kBlock, left_->rows())); });
  }

  // |sum_a l_a r_a'|^2 = sum_{a, b} <l_a, l_b> <r_a, r_b> over the rows of a group.
  [[nodiscard]] Vector squared_sample_norms() const {
    const auto dense = [this](const DataMatrix& A, Index sample) {
      Matrix rows = Matrix::Zero(group_, A.columns());
      std::visit(
          [&](const auto& lines) {
            for (Index g = 0; g < group_; ++g) add_scaled(lines[sample * group_ + g], 1, rows.row(g).data());
          },
          A.by_row());
      return rows;
    };
    if (group_ == 1) return squared_row_norms(*left_).cwiseProduct(squared_row_norms(*right_));
    Vector norms(samples());
    for (Index i = 0; i < samples(); ++i) {
      const Matrix l = dense(*left_, i), r = dense(*right_, i);
      norms(i) = (l * l.transpose()).cwiseProduct(r * r.transpose()).sum();
    }
    return norms;
  }

  std::string_view name_;  // of a literal
  MatrixPtr left_, right_;
  Index group_;
  CachedNorm norm_;
};

}  // namespace

MapPtr bilinear_map(std::string_view name, MatrixPtr left, MatrixPtr right, Index group) {
  return std::make_shared<BilinearMap>(name, std::move(left), std::move(right), group);
}

}  // namespace pdbfw
