// On factors W = sum over groups of ((L U) diag(s)) o (R V); the adjoint is V -> L'(y o (R V)).               [M23c]
#include "maps/bilinear_map.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "linalg/block_products.hpp"
#include "linalg/chosen_rows.hpp"
#include "linalg/dense_product.hpp"
#include "linalg/kernels.hpp"
#include "linalg/operators.hpp"
#include "maps/bilinear_norm.hpp"
#include "maps/map_checks.hpp"
#include "maps/map_norm.hpp"

namespace pdbfw {
namespace {

// Where a product with all entries of X would have n c numbers, this number of rows is worked on at a time.
constexpr Index kBlock = 256;
constexpr Index kShards = 64;

// y_i for every row of group i.
Vector spread(const Matrix& Y, Index group) {
  Vector y(Y.rows() * group);
  for (Index i = 0; i < y.size(); ++i) y(i) = Y.data()[i / group];
  return y;
}

// The sum of every group.
void gather(const Vector& each, Index group, Matrix& W) {
  W.setZero(each.size() / group, 1);
  for (Index i = 0; i < each.size(); ++i) W.data()[i / group] += each(i);
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
    gather(LU.cwiseProduct(is_symmetric ? LU : RV) * X.s, group_, W);
  }

  // l_i'X r_i for every row: sparse rows choose what they need of X, dense ones are multiplied in blocks.
  void apply(const Matrix& X, Matrix& W, int threads) const override {
    Vector each(left_->rows());
    if (left_->is_dense()) {
      for_ranges(left_->rows(), (left_->rows() + kBlock - 1) / kBlock, threads, [&](Index first, Index last) {
        each.segment(first, last - first) =
            times(dense_rows(*left_, first, last), X).cwiseProduct(dense_rows(*right_, first, last)).rowwise().sum();
      });
    } else {
      std::visit(
          [&](const auto& left, const auto& right) {
            for_ranges(left.count, std::min(kShards, left.count), threads, [&](Index first, Index last) {
              for (Index i = first; i < last; ++i) {
                const auto l = left[i];
                each(i) = 0;
                for (Index k = 0; k < l.size; ++k)
                  each(i) += static_cast<double>(l.value[k]) * dot(right[i], X.row(l.index(k)).data());
              }
            });
          },
          left_->by_row(), right_->by_row());
    }
    gather(each, group_, W);
  }

  // Z += scale sum_i y_i l_i r_i': dense rows in blocks, sparse ones row after row of Z.
  void add_adjoint(const Matrix& Y, double scale, Matrix& Z, int threads) const override {
    const Vector y = scale * spread(Y, group_);
    if (left_->is_dense()) {
      for (Index first = 0; first < left_->rows(); first += kBlock) {
        const Index last = std::min(first + kBlock, left_->rows());
        const Matrix yR = y.segment(first, last - first).asDiagonal() * dense_rows(*right_, first, last);
        add_transposed_times(1, dense_rows(*left_, first, last), yR, Z, threads);
      }
      return;
    }
    std::visit(
        [&](const auto& left, const auto& right) {
          for_ranges(left.count, std::min(kShards, left.count), threads, [&](Index first, Index last) {
            for (Index j = first; j < last; ++j) {
              const auto l = left[j];
              for (Index k = 0; k < l.size; ++k)
                add_scaled(right[l.index(k)], y(l.index(k)) * static_cast<double>(l.value[k]), Z.row(j).data());
            }
          });
        },
        left_->by_column(), right_->by_row());
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
    return norm_.value([this] { return bilinear_squared_norm(*this, *left_, *right_, group_); });
  }
  [[nodiscard]] double largest_squared_sample_norm() const override {
    return bilinear_squared_sample_norms(*left_, *right_, group_).maxCoeff();
  }

  [[nodiscard]] double apply_cost(Index rank) const override {
    const Index entries = left_ == right_ ? left_->nonzeros() : left_->nonzeros() + right_->nonzeros();
    return cells(entries + left_->rows(), rank);
  }
  [[nodiscard]] double pass_cost() const override {
    return static_cast<double>(left_->nonzeros()) * static_cast<double>(right_->nonzeros()) /
           static_cast<double>(left_->rows());
  }

 private:
  template <class Work>
  static void for_ranges(Index count, Index shards, int threads, const Work& work) {
    parallel_for(threads, shards, [&](Index shard) { work(count * shard / shards, count * (shard + 1) / shards); });
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
