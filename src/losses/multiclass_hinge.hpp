// Smoothed max-margin loss, class t of k, smoothing s in (0, 1].                                            [M22c]
//   f(w)  = max over y + e_t in the simplex of   <g, y> - (s/2) |y|^2,   g = w + 1 - e_t              1/s-smooth
//   f*(y) = (s/2) |y|^2 + y_t   on   y + e_t in the simplex                                     1/alpha = s there
// For s -> 0 it is  max_j (w_j + [j != t]) - w_t  (Crammer and Singer 2001). The smoothing is Nesterov's (2005) with
// the true class as centre, so that f = 0 exactly where every other class is below by a margin of 1.
#pragma once

#include <limits>

#include "losses/class_simplex.hpp"
#include "pdbfw/row_loss.hpp"

namespace pdbfw {

struct MulticlassHinge {
  static constexpr std::string_view kName = "multiclass_hinge";
  static constexpr RowTargetKind kTargetKind = RowTargetKind::classes;
  double smoothing = 1;

  using Row = RowLoss::Row;
  using OutRow = RowLoss::OutRow;

  [[nodiscard]] double value(Row b, Row w) const {
    const Maximiser p(smoothing, b, w);
    double linear = 0, others = 0, squares = 0;
    for (std::size_t j = 0; j < w.size(); ++j) {
      const double y = j == p.t ? 0 : p[j];
      if (y == 0) continue;  // w_j may be infinitely far below w_t
      linear += y * (w[j] - w[p.t] + 1);
      others += y;
      squares += y * y;
    }
    return std::max(0.0, linear - 0.5 * smoothing * (squares + others * others));
  }

  void gradient(Row b, Row w, OutRow y) const {
    const Maximiser p(smoothing, b, w);
    for (std::size_t j = 0; j < w.size(); ++j) y[j] = p[j];
    class_simplex::complete(p.t, y);
  }

  [[nodiscard]] double conjugate(Row b, Row y) const {
    const std::size_t t = class_simplex::class_of(b);
    if (!class_simplex::contains(t, y)) return std::numeric_limits<double>::infinity();
    double squares = 0;
    for (const double entry : y) squares += entry * entry;
    return 0.5 * smoothing * squares + y[t];
  }

  // u + e_t = the nearest point of the simplex to  e_t + (y + step g) / (1 + step s).  Two forms of the same quotient:
  // neither meets inf / inf for a step of 0 or of infinity.
  void dual_prox(Row b, Row w, Row y, double step, OutRow out) const {
    const std::size_t t = class_simplex::class_of(b);
    const double top = largest_g(t, w);
    for (std::size_t j = 0; j < w.size(); ++j) {
      const double g = g_of(t, w, j) - top;
      out[j] = step <= 1 ? (y[j] + step * g) / (1 + step * smoothing) : (y[j] / step + g) / (1 / step + smoothing);
    }
    class_simplex::project(t, out);
  }

  // Near w the maximiser moves in the face of the simplex that it lies in: H = (1/s) (the projection on that face).
  void hessian_product(Row b, Row w, Row v, OutRow out) const {
    const Maximiser p(smoothing, b, w);
    double sum = 0, count = 0;
    for (std::size_t j = 0; j < w.size(); ++j)
      if (p[j] > 0) {
        sum += v[j];
        count += 1;
      }
    for (std::size_t j = 0; j < w.size(); ++j) out[j] = p[j] > 0 ? (v[j] - sum / count) / smoothing : 0;
  }

  void add_hessian(Row b, Row w, Matrix& S) const {
    const Maximiser p(smoothing, b, w);
    std::vector<Index> face;
    for (std::size_t j = 0; j < w.size(); ++j)
      if (p[j] > 0) face.push_back(static_cast<Index>(j));
    for (const Index j : face) {
      S(j, j) += 1 / smoothing;
      for (const Index k : face) S(j, k) -= 1 / (smoothing * static_cast<double>(face.size()));
    }
  }

  [[nodiscard]] double smoothness() const { return 1 / smoothing; }
  [[nodiscard]] double curvature() const { return 1 / smoothing; }

 private:
  [[nodiscard]] static double g_of(std::size_t t, Row w, std::size_t j) { return w[j] + (j == t ? 0 : 1); }
  [[nodiscard]] static double largest_g(std::size_t t, Row w) {
    double top = g_of(t, w, 0);
    for (std::size_t j = 1; j < w.size(); ++j) top = std::max(top, g_of(t, w, j));
    return top;
  }

  // p = y + e_t for y = grad f(w): the nearest point of the simplex to e_t + g/s. A shift of g changes nothing; with
  // its largest entry at 0 nothing overflows.
  struct Maximiser {
    std::size_t t;
    double s, top;
    Row w;
    class_simplex::Threshold lambda;

    Maximiser(double smoothing, Row b, Row w_row)
        : t(class_simplex::class_of(b)),
          s(smoothing),
          top(largest_g(t, w_row)),
          w(w_row),
          lambda(class_simplex::threshold(w.size(), [this](std::size_t j) { return wish(j); })) {}
    [[nodiscard]] double wish(std::size_t j) const { return (j == t ? 1 : 0) + (g_of(t, w, j) - top) / s; }
    [[nodiscard]] double operator[](std::size_t j) const { return lambda.rest(wish(j)); }
  };
};

}  // namespace pdbfw
