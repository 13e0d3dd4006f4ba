// Rows of outputs that do not know each other: the formulas of a scalar loss, once for every output.       [M22a]
//   f(w) = sum_j f_j(w_j)      f*(y) = sum_j f_j*(y_j)      beta and alpha are those of the scalar loss
#pragma once

#include "losses/huber.hpp"
#include "losses/logistic.hpp"
#include "losses/smooth_hinge.hpp"
#include "losses/squared.hpp"
#include "pdbfw/pairwise_sum.hpp"
#include "pdbfw/row_loss.hpp"

namespace pdbfw {

template <class Scalar>
struct Elementwise {
  static constexpr std::string_view kName = Scalar::kName;
  static constexpr RowTargetKind kTargetKind =
      Scalar::kTargetKind == TargetKind::labels ? RowTargetKind::signs : RowTargetKind::numbers;
  static constexpr bool kIsElementwise = true;
  Scalar f{};

  using Row = RowLoss::Row;
  using OutRow = RowLoss::OutRow;

  [[nodiscard]] double value(Row b, Row w) const {
    return pairwise_sum(0, w.size(), [&](std::size_t j) { return f.value(b[j], w[j]); });
  }
  void gradient(Row b, Row w, OutRow y) const {
    for (std::size_t j = 0; j < w.size(); ++j) y[j] = f.derivative(b[j], w[j]);
  }
  [[nodiscard]] double conjugate(Row b, Row y) const {
    return pairwise_sum(0, y.size(), [&](std::size_t j) { return f.conjugate(b[j], y[j]); });
  }
  void dual_prox(Row b, Row w, Row y, double step, OutRow out) const {
    for (std::size_t j = 0; j < w.size(); ++j) out[j] = f.dual_prox(b[j], w[j], y[j], step);
  }
  void hessian_product(Row b, Row w, Row v, OutRow out) const {
    for (std::size_t j = 0; j < w.size(); ++j) out[j] = f.second_derivative(b[j], w[j]) * v[j];
  }
  void add_hessian(Row b, Row w, Matrix& S) const {
    for (std::size_t j = 0; j < w.size(); ++j)
      S(static_cast<Index>(j), static_cast<Index>(j)) += f.second_derivative(b[j], w[j]);
  }
  [[nodiscard]] double smoothness() const { return f.smoothness(); }
  [[nodiscard]] double curvature() const { return f.curvature(); }
};

struct SquaredRows : Elementwise<Squared> {
  static constexpr bool kIsQuadratic = true;
};
struct HuberRows : Elementwise<Huber> {};
struct MultilabelSmoothHinge : Elementwise<SmoothHinge> {
  static constexpr std::string_view kName = "multilabel_smooth_hinge";
};
struct MultilabelLogistic : Elementwise<Logistic> {
  static constexpr std::string_view kName = "multilabel_logistic";
};

}  // namespace pdbfw
