// Lifts the formulas of one sample with several outputs to the RowLoss interface: the targets and the weights of the
// samples are held, and the loops over samples written once, here. Samples are taken in blocks that depend on the sizes
// only, so any number of threads gives the same bits.
//
// Formulas are functions of a row of targets and of a row of numbers. They must have: kName, kTargetKind, value,
// gradient, conjugate, dual_prox, hessian_product, add_hessian, smoothness, curvature; and may have kIsElementwise
// (several rows may be given as one) and kIsQuadratic.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "pdbfw/pairwise_sum.hpp"
#include "pdbfw/row_loss.hpp"

namespace pdbfw {

template <class Formulas>
class ByRow final : public RowLoss {
 public:
  // Without weights every sample counts 1. Throws InputError for weights that are negative or too few.
  explicit ByRow(Matrix targets, Formulas formulas = {}, std::vector<double> sample_weight = {})
      : B_(std::move(targets)),
        weights_(std::move(sample_weight), static_cast<std::size_t>(B_.rows())),
        f_(std::move(formulas)) {}

  [[nodiscard]] std::string_view name() const override { return Formulas::kName; }
  [[nodiscard]] RowTargetKind target_kind() const override { return Formulas::kTargetKind; }
  [[nodiscard]] const Matrix& targets() const override { return B_; }

  [[nodiscard]] double value(Index i, Row w) const override {
    return with_sample(i, [&](const auto& f, Row b) { return f.value(b, w); });
  }
  void gradient(Index i, Row w, OutRow y) const override {
    with_sample(i, [&](const auto& f, Row b) { f.gradient(b, w, y); });
  }
  [[nodiscard]] double conjugate(Index i, Row y) const override {
    return with_sample(i, [&](const auto& f, Row b) { return f.conjugate(b, y); });
  }
  void dual_prox(Index i, Row w, Row y, double step, OutRow out) const override {
    with_sample(i, [&](const auto& f, Row b) { f.dual_prox(b, w, y, step, out); });
  }
  void hessian_product(Index i, Row w, Row v, OutRow out) const override {
    with_sample(i, [&](const auto& f, Row b) { f.hessian_product(b, w, v, out); });
  }
  void add_hessian(Index i, Row w, Matrix& S) const override {
    with_sample(i, [&](const auto& f, Row b) { f.add_hessian(b, w, S); });
  }

  [[nodiscard]] double total_value(const Matrix& W, int threads) const override {
    return sum_over_rows(W, threads, [&](const auto& f, Row b, Rows at) { return f.value(b, at.of(W)); });
  }
  [[nodiscard]] double total_conjugate(const Matrix& Y, int threads) const override {
    return sum_over_rows(Y, threads, [&](const auto& f, Row b, Rows at) { return f.conjugate(b, at.of(Y)); });
  }
  void gradients(const Matrix& W, Matrix& Y, int threads) const override {
    Y.resize(W.rows(), W.cols());
    over_rows(W, threads, [&](const auto& f, Row b, Rows at) { f.gradient(b, at.of(W), at.of(Y)); });
  }
  void dual_proxes(const Matrix& W, const Matrix& Y, double step, Matrix& out, int threads) const override {
    out.resize(W.rows(), W.cols());
    over_rows(W, threads, [&](const auto& f, Row b, Rows at) { f.dual_prox(b, at.of(W), at.of(Y), step, at.of(out)); });
  }
  void hessian_products(const Matrix& W, const Matrix& V, Matrix& out, int threads) const override {
    out.resize(W.rows(), W.cols());
    over_rows(W, threads, [&](const auto& f, Row b, Rows at) { f.hessian_product(b, at.of(W), at.of(V), at.of(out)); });
  }
  [[nodiscard]] std::shared_ptr<const RowLoss> subset(std::span<const Index> samples) const override {
    return std::make_shared<ByRow>(B_(samples, Eigen::all), f_, weights_.of(samples));
  }

  [[nodiscard]] double smoothness() const override { return weights_.largest() * f_.smoothness(); }
  [[nodiscard]] double curvature() const override { return weights_.smallest() * f_.curvature(); }
  [[nodiscard]] bool is_quadratic() const override {
    if constexpr (requires { Formulas::kIsQuadratic; })
      return Formulas::kIsQuadratic && !weights_.are_given();
    else
      return false;
  }

 private:
  static constexpr bool kIsElementwise = requires { Formulas::kIsElementwise; };
  static constexpr Index kBlockEntries = 8192;

  // A sample that counts `weight` times:  weight f(w);  as of a scalar loss, for rows.
  struct WeightedRow {
    const Formulas& f;
    double weight;

    [[nodiscard]] double value(Row b, Row w) const { return weight == 0 ? 0 : weight * f.value(b, w); }
    void gradient(Row b, Row w, OutRow y) const {
      f.gradient(b, w, y);
      scale(y);
    }
    [[nodiscard]] double conjugate(Row b, Row y) const {
      constexpr double kRounding = 1e-14, kInfinity = std::numeric_limits<double>::infinity();
      if (weight == 0) return std::ranges::all_of(y, [](double entry) { return entry == 0; }) ? 0 : kInfinity;
      const std::vector<double> v = divided(y);
      if (const double value = f.conjugate(b, v); std::isfinite(value)) return weight * value;
      // The division may have taken y out of the domain by rounding: the nearest point inside stands for it.
      const std::vector<double> zero(y.size(), 0.0);
      std::vector<double> inside(y.size());
      f.dual_prox(b, zero, v, 0, inside);
      for (std::size_t j = 0; j < v.size(); ++j)
        if (!(std::abs(inside[j] - v[j]) <= kRounding * (1 + std::abs(v[j])))) return kInfinity;
      return weight * f.conjugate(b, inside);
    }
    // With u = weight v:   weight ( <w, v> - f*(v) - |v - y / weight|^2 / (2 step / weight) )
    void dual_prox(Row b, Row w, Row y, double step, OutRow out) const {
      if (weight == 0) {
        std::ranges::fill(out, 0.0);
        return;
      }
      f.dual_prox(b, w, divided(y), step / weight, out);
      scale(out);
    }
    void hessian_product(Row b, Row w, Row v, OutRow out) const {
      f.hessian_product(b, w, v, out);
      scale(out);
    }
    void add_hessian(Row b, Row w, Matrix& S) const {
      Matrix H = Matrix::Zero(S.rows(), S.cols());
      f.add_hessian(b, w, H);
      S += weight * H;
    }

   private:
    void scale(OutRow row) const {
      for (double& entry : row) entry *= weight;
    }
    [[nodiscard]] std::vector<double> divided(Row y) const {
      std::vector<double> out(y.begin(), y.end());
      for (double& entry : out) entry /= weight;
      return out;
    }
  };

  // Some rows, one after the other.
  struct Rows {
    Index first, count;
    [[nodiscard]] Row of(const Matrix& M) const {
      return {M.data() + first * M.cols(), static_cast<std::size_t>(count * M.cols())};
    }
    [[nodiscard]] OutRow of(Matrix& M) const {
      return {M.data() + first * M.cols(), static_cast<std::size_t>(count * M.cols())};
    }
  };
  [[nodiscard]] static Index rows_of_a_block(const Matrix& shape) {
    return std::max<Index>(1, kBlockEntries / std::max<Index>(1, shape.cols()));
  }
  [[nodiscard]] static Index blocks_of(const Matrix& shape) {
    return (shape.rows() + rows_of_a_block(shape) - 1) / rows_of_a_block(shape);
  }
  [[nodiscard]] static Rows block_of(const Matrix& shape, Index block) {
    const Index rows = rows_of_a_block(shape), first = block * rows;
    return {first, std::min(rows, shape.rows() - first)};
  }
  // May all rows of a block be given as one?
  [[nodiscard]] bool is_one_row() const { return kIsElementwise && !weights_.are_given(); }

  // work(formulas, targets) of one sample.
  template <class Work>
  auto with_sample(Index i, const Work& work) const {
    const Row b = Rows{i, 1}.of(B_);
    if (weights_.are_given()) return work(WeightedRow{f_, weights_[static_cast<std::size_t>(i)]}, b);
    return work(f_, b);
  }
  // work(formulas, targets, rows): a whole block at once where rows may be given as one, else row by row.
  template <class Work>
  void over_rows(const Matrix& shape, int threads, const Work& work) const {
    parallel_for(threads, blocks_of(shape), [&](Index block) {
      const Rows all = block_of(shape, block);
      if (is_one_row()) {
        work(f_, all.of(B_), all);
      } else {
        for (Index i = all.first; i < all.first + all.count; ++i)
          with_sample(i, [&](const auto& f, Row b) { work(f, b, Rows{i, 1}); });
      }
    });
  }
  template <class Term>
  [[nodiscard]] double sum_over_rows(const Matrix& shape, int threads, const Term& term) const {
    std::vector<double> sums(static_cast<std::size_t>(blocks_of(shape)), 0.0);
    parallel_for(threads, static_cast<Index>(sums.size()), [&](Index block) {
      const Rows all = block_of(shape, block);
      const auto of_row = [&](std::size_t row) {
        const auto i = static_cast<Index>(row);
        return with_sample(i, [&](const auto& f, Row b) { return term(f, b, Rows{i, 1}); });
      };
      sums[static_cast<std::size_t>(block)] =
          is_one_row() ? term(f_, all.of(B_), all)
                       : pairwise_sum(static_cast<std::size_t>(all.first),
                                      static_cast<std::size_t>(all.first + all.count), of_row);
    });
    return pairwise_sum(0, sums.size(), [&](std::size_t block) { return sums[block]; });
  }

  Matrix B_;
  SampleWeights weights_;
  Formulas f_;
};

}  // namespace pdbfw
