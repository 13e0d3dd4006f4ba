// W_i = sum over the rows l, r of group i of l'X r: rank-one measurements, and quadratic ones with left = right.
// On factors W = sum over groups of ((L U) diag(s)) o (R V); the adjoint is V -> L'(y o (R V)).               [M23c]
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "linalg/chosen_rows.hpp"
#include "linalg/dense_product.hpp"
#include "linalg/kernels.hpp"
#include "linalg/largest_eigenvalue.hpp"
#include "linalg/operators.hpp"
#include "linalg/products.hpp"
#include "maps/map_checks.hpp"
#include "pdbfw/linear_map.hpp"

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

// So many numbers are formed without a second thought.
constexpr double kFew = 1e6;

// y -> A(A*(y)), with A*(y) formed.
SymmetricProduct by_adjoint(const LinearMap& map) {
  return [&map, Z = Matrix(map.rows(), map.columns()), w = Matrix()](const Vector& v, Vector& out) mutable {
    Z.setZero();
    map.add_adjoint(v, 1, Z);
    map.apply(Z, w);
    out = w.col(0);
  };
}

// <A_i, A_j> = sum over the rows a of group i and b of group j of <l_a, l_b> <r_a, r_b>.
Matrix inner_products(const DataMatrix& left, const DataMatrix& right, Index group) {
  const Index count = left.rows(), n = count / group;
  // The rows are written out in groups, each within kFew numbers.
  const Index block = std::clamp<Index>(static_cast<Index>(kFew) / std::max(left.columns(), right.columns()), 1, 64);
  Matrix products = Matrix::Zero(n, n), ll, rr;
  for (Index first = 0; first < count; first += block) {
    const Index last = std::min(first + block, count);
    multiply(left, dense_rows(left, first, last).transpose(), ll);
    multiply(right, dense_rows(right, first, last).transpose(), rr);
    for (Index a = 0; a < count; ++a)
      for (Index b = first; b < last; ++b) products(a / group, b / group) += ll(a, b - first) * rr(a, b - first);
  }
  return products;
}

using Entries = std::vector<std::pair<Index, double>>;

// The entries of A_i by their place in X, each once.
Entries entries_of_sample(const DataMatrix& left, const DataMatrix& right, Index group, Index i) {
  Entries entries;
  std::visit(
      [&](const auto& lefts, const auto& rights) {
        for (Index a = i * group; a < (i + 1) * group; ++a)
          for (Index k = 0; k < lefts[a].size; ++k)
            for (Index m = 0; m < rights[a].size; ++m)
              entries.emplace_back(lefts[a].index(k) * right.columns() + rights[a].index(m),
                                   static_cast<double>(lefts[a].value[k]) * static_cast<double>(rights[a].value[m]));
      },
      left.by_row(), right.by_row());
  std::sort(entries.begin(), entries.end());
  Entries merged;
  for (const auto& [at, value] : entries)
    if (merged.empty() || merged.back().first != at)
      merged.emplace_back(at, value);
    else
      merged.back().second += value;
  return merged;
}

MapPtr written_out(const DataMatrix& left, const DataMatrix& right, Index group) {
  std::vector<Index> offsets{0}, at;
  std::vector<double> value;
  for (Index i = 0; i < left.rows() / group; ++i) {
    for (const auto& [place, entry] : entries_of_sample(left, right, group, i)) {
      at.push_back(place);
      value.push_back(entry);
    }
    offsets.push_back(static_cast<Index>(at.size()));
  }
  return products_map(own_csr(left.rows() / group, left.columns() * right.columns(), std::move(offsets), std::move(at),
                              std::move(value)),
                      left.columns(), right.columns());
}

// |A_i|_F^2 of every sample.
Vector squared_sample_norms(const DataMatrix& left, const DataMatrix& right, Index group) {
  if (group == 1) return squared_row_norms(left).cwiseProduct(squared_row_norms(right));
  Vector norms(left.rows() / group);
  for (Index i = 0; i < norms.size(); ++i) {
    const Matrix l = dense_rows(left, i * group, (i + 1) * group), r = dense_rows(right, i * group, (i + 1) * group);
    norms(i) = (l * l.transpose()).cwiseProduct(r * r.transpose()).sum();
  }
  return norms;
}

// |A|^2 from above, at most 2 % above. Forms A*(y), or where that has more numbers than left and right have, the n x n
// matrix of inner products of the A_i, or the A_i themselves with their few entries.                          [M23d]
double squared_norm_bound(const LinearMap& map, const DataMatrix& left, const DataMatrix& right, Index group) {
  const Vector norms = squared_sample_norms(left, right, group);
  const double held = std::max(kFew, static_cast<double>(left.nonzeros() + right.nonzeros()));
  Matrix K;
  SymmetricProduct product;
  if (cells(map.rows(), map.columns()) <= held) {
    product = by_adjoint(map);
  } else if (cells(map.samples(), map.samples()) <= held) {
    K = inner_products(left, right, group);
    product = [&K](const Vector& v, Vector& out) { out.noalias() = K * v; };
  } else {
    return written_out(left, right, group)->squared_norm();
  }
  // The inner products of quadratic measurements are sums of squares.
  if (&left == &right)
    if (const auto bound = nonnegative_eigenvalue_bound(norms.cwiseSqrt(), product)) return *bound;
  return largest_eigenvalue_bound(map.samples(), norms.sum(), product);
}

// `left` is (group n) x d, `right` (group n) x c; the same object for quadratic measurements.
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
    return norm_.value([this] { return squared_norm_bound(*this, *left_, *right_, group_); });
  }
  [[nodiscard]] double largest_squared_sample_norm() const override {
    return squared_sample_norms(*left_, *right_, group_).maxCoeff();
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

MapPtr rank_one_map(MatrixPtr left, MatrixPtr right) {
  check_matrix("left", left);
  check_matrix("right", right);
  if (left->rows() != right->rows())
    throw InputError("right", fmt::format("{} rows", right->rows()), fmt::format("{}, as left has", left->rows()));
  check_cells(left->columns(), right->columns());
  return std::make_shared<BilinearMap>("rank_one", std::move(left), std::move(right), 1);
}

MapPtr quadratic_map(const MatrixPtr& G, Index group) {
  check_matrix("G", G);
  if (group < 1) throw InputError("group", fmt::format("{}", group), "at least 1");
  if (G->rows() % group != 0)
    throw InputError("G", fmt::format("{} rows", G->rows()), fmt::format("a multiple of {}, the group", group));
  check_cells(G->columns(), G->columns());
  return std::make_shared<BilinearMap>("quadratic", G, G, group);
}

}  // namespace pdbfw
