// Lifts the formulas of one sample with several outputs to the RowLoss interface: the loops over samples are written
// once, here. Samples are taken in blocks that depend on the sizes only, so any number of threads gives the same bits.
//
// Formulas must have: kName, kTargetKind, value, gradient, conjugate, dual_prox, hessian_product, add_hessian,
// smoothness, curvature (all of one row); and may have kIsElementwise (several rows may be given as one) and
// kIsQuadratic.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "pdbfw/pairwise_sum.hpp"
#include "pdbfw/row_loss.hpp"

namespace pdbfw {

template <class Formulas>
class ByRow final : public RowLoss {
 public:
  using Row = std::span<const double>;
  using OutRow = std::span<double>;

  explicit ByRow(Formulas formulas = {}) : f_(std::move(formulas)) {}

  [[nodiscard]] std::string_view name() const override { return Formulas::kName; }
  [[nodiscard]] RowTargetKind target_kind() const override { return Formulas::kTargetKind; }
  [[nodiscard]] double value(Row b, Row w) const override { return f_.value(b, w); }
  void gradient(Row b, Row w, OutRow y) const override { f_.gradient(b, w, y); }
  [[nodiscard]] double conjugate(Row b, Row y) const override { return f_.conjugate(b, y); }
  void dual_prox(Row b, Row w, Row y, double step, OutRow out) const override { f_.dual_prox(b, w, y, step, out); }
  void hessian_product(Row b, Row w, Row v, OutRow out) const override { f_.hessian_product(b, w, v, out); }
  void add_hessian(Row b, Row w, Matrix& S) const override { f_.add_hessian(b, w, S); }

  [[nodiscard]] double total_value(const Matrix& B, const Matrix& W, int threads) const override {
    return sum_over_rows(W, threads, [&](Index i, Index rows) { return f_.value(part(B, i, rows), part(W, i, rows)); });
  }
  [[nodiscard]] double total_conjugate(const Matrix& B, const Matrix& Y, int threads) const override {
    return sum_over_rows(Y, threads,
                         [&](Index i, Index rows) { return f_.conjugate(part(B, i, rows), part(Y, i, rows)); });
  }
  void gradients(const Matrix& B, const Matrix& W, Matrix& Y, int threads) const override {
    Y.resize(W.rows(), W.cols());
    over_rows(W, threads,
              [&](Index i, Index rows) { f_.gradient(part(B, i, rows), part(W, i, rows), part(Y, i, rows)); });
  }
  void dual_proxes(const Matrix& B, const Matrix& W, const Matrix& Y, double step, Matrix& out,
                   int threads) const override {
    out.resize(W.rows(), W.cols());
    over_rows(W, threads, [&](Index i, Index rows) {
      f_.dual_prox(part(B, i, rows), part(W, i, rows), part(Y, i, rows), step, part(out, i, rows));
    });
  }
  void hessian_products(const Matrix& B, const Matrix& W, const Matrix& V, Matrix& out, int threads) const override {
    out.resize(W.rows(), W.cols());
    over_rows(W, threads, [&](Index i, Index rows) {
      f_.hessian_product(part(B, i, rows), part(W, i, rows), part(V, i, rows), part(out, i, rows));
    });
  }

  [[nodiscard]] double smoothness() const override { return f_.smoothness(); }
  [[nodiscard]] double curvature() const override { return f_.curvature(); }
  [[nodiscard]] bool is_quadratic() const override {
    if constexpr (requires { Formulas::kIsQuadratic; })
      return Formulas::kIsQuadratic;
    else
      return false;
  }

 private:
  static constexpr bool kIsElementwise = requires { Formulas::kIsElementwise; };
  static constexpr Index kBlockEntries = 8192;

  [[nodiscard]] static Row part(const Matrix& matrix, Index first, Index rows) {
    return {matrix.data() + first * matrix.cols(), static_cast<std::size_t>(rows * matrix.cols())};
  }
  [[nodiscard]] static OutRow part(Matrix& matrix, Index first, Index rows) {
    return {matrix.data() + first * matrix.cols(), static_cast<std::size_t>(rows * matrix.cols())};
  }
  [[nodiscard]] static Index rows_of_a_block(const Matrix& shape) {
    return std::max<Index>(1, kBlockEntries / std::max<Index>(1, shape.cols()));
  }

  // work(first row, how many rows): a whole block at once where rows may be given as one, else row by row.
  template <class Work>
  static void over_rows(const Matrix& shape, int threads, const Work& work) {
    const Index rows = rows_of_a_block(shape);
    parallel_for(threads, (shape.rows() + rows - 1) / rows, [&](Index block) {
      const Index first = block * rows, last = std::min(shape.rows(), first + rows);
      if constexpr (kIsElementwise) {
        work(first, last - first);
      } else {
        for (Index i = first; i < last; ++i) work(i, 1);
      }
    });
  }
  template <class Term>
  [[nodiscard]] static double sum_over_rows(const Matrix& shape, int threads, const Term& term) {
    const Index rows = rows_of_a_block(shape);
    std::vector<double> sums(static_cast<std::size_t>((shape.rows() + rows - 1) / rows), 0.0);
    parallel_for(threads, static_cast<Index>(sums.size()), [&](Index block) {
      const Index first = block * rows, last = std::min(shape.rows(), first + rows);
      double& sum = sums[static_cast<std::size_t>(block)];
      if constexpr (kIsElementwise)
        sum = term(first, last - first);
      else
        sum = pairwise_sum(static_cast<std::size_t>(first), static_cast<std::size_t>(last),
                           [&](std::size_t i) { return term(static_cast<Index>(i), 1); });
    });
    return pairwise_sum(0, sums.size(), [&](std::size_t block) { return sums[block]; });
  }

  Formulas f_;
};

}  // namespace pdbfw
