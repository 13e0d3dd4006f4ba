// Cross-entropy of the softmax, class t of k.                                                              [M22b]
//   f(w)  = log sum_j exp(w_j) - w_t                      1/2-smooth; strongly convex nowhere (alpha = 0)
//   f*(y) = sum_j p_j log p_j,   p = y + e_t in the simplex
#pragma once

#include <limits>

#include "losses/class_simplex.hpp"
#include "pdbfw/row_loss.hpp"

namespace pdbfw {

struct Softmax {
  static constexpr std::string_view kName = "softmax";
  static constexpr RowTargetKind kTargetKind = RowTargetKind::classes;

  using Row = RowLoss::Row;
  using OutRow = RowLoss::OutRow;

  [[nodiscard]] static double value(Row b, Row w) {
    const Probabilities p(w);
    return (w[p.top] - w[class_simplex::class_of(b)]) + std::log1p(p.others);
  }

  static void gradient(Row b, Row w, OutRow y) {
    const Probabilities p(w);
    for (std::size_t j = 0; j < w.size(); ++j) y[j] = p.of(w[j]);
    class_simplex::complete(class_simplex::class_of(b), y);
  }

  [[nodiscard]] static double conjugate(Row b, Row y) {
    const std::size_t t = class_simplex::class_of(b);
    if (!class_simplex::contains(t, y)) return std::numeric_limits<double>::infinity();
    double sum = 0;
    for (std::size_t j = 0; j < y.size(); ++j) {
      const double p = j == t ? 1 + y[j] : y[j];
      if (p > 0)
        sum += p * (j == t ? std::log1p(y[j]) : std::log(p));  // log(1 + y_t) would lose the digits of a small y_t
    }
    return sum;
  }

  // With p = u + e_t, p_0 = y + e_t and a multiplier lambda of sum_j p_j = 1 the optimality condition is         [M22d]
  //     log p_j + p_j / step = c_j - lambda,      c_j = w_j + p_0j / step,
  // whose left side rises in p_j: p_j falls in lambda, and so does S(lambda) = sum_j p_j, which is convex. The largest
  // c_j has the largest p_j, which lies between 1/k and 1: this brackets lambda.
  static void dual_prox(Row b, Row w, Row y, double step, OutRow out) {
    const std::size_t t = class_simplex::class_of(b), k = w.size();
    const double inverse = 1 / step;
    if (std::isinf(inverse)) {
      std::copy(y.begin(), y.end(), out.begin());
      class_simplex::project(t, out);
      return;
    }
    constexpr double kLargest = std::numeric_limits<double>::max();
    const double w_top = *std::max_element(w.begin(), w.end());
    double c_top = -kLargest;
    for (std::size_t j = 0; j < k; ++j) {
      out[j] = std::clamp((w[j] - w_top) + (j == t ? 1 + y[j] : y[j]) * inverse, -kLargest, kLargest);
      c_top = std::max(c_top, out[j]);
    }
    const Root root(inverse);
    const double lambda = multiplier(out, c_top, root);
    for (double& entry : out) entry = root(entry - lambda);
    class_simplex::complete(t, out);
  }

  // H = diag(p) - p p'. Differences to the likeliest class: where its p_j is nearly 1, v_j - <p, v> would lose all
  // digits.
  static void hessian_product(Row, Row w, Row v, OutRow out) {
    const Probabilities p(w);
    const double reference = v[p.top];
    double mean = 0;
    for (std::size_t j = 0; j < w.size(); ++j) mean += p.of(w[j]) * (v[j] - reference);
    for (std::size_t j = 0; j < w.size(); ++j) out[j] = p.of(w[j]) * ((v[j] - reference) - mean);
  }

  static void add_hessian(Row, Row w, Matrix& S) {
    const Probabilities p(w);
    Vector share(static_cast<Index>(w.size()));
    for (std::size_t j = 0; j < w.size(); ++j) share[static_cast<Index>(j)] = p.of(w[j]);
    S.diagonal() += share;
    S.noalias() -= share * share.transpose();
  }

  [[nodiscard]] static double smoothness() { return 0.5; }
  [[nodiscard]] static double curvature() { return 0; }

 private:
  // p_j = exp(w_j - largest) / (1 + others), where `others` sums the exponentials of all but one largest.
  struct Probabilities {
    std::size_t top;
    double largest, others = 0;
    explicit Probabilities(Row w)
        : top(static_cast<std::size_t>(std::max_element(w.begin(), w.end()) - w.begin())), largest(w[top]) {
      for (std::size_t j = 0; j < w.size(); ++j)
        if (j != top) others += std::exp(w[j] - largest);
    }
    [[nodiscard]] double of(double w) const { return std::exp(w - largest) / (1 + others); }
  };

  // The root p of  log p + r p = q: p = omega(q + log r) / r with Wright's omega, by the fourth-order iteration of
  // Fritsch, Shafer and Crowley (1973). It works on p itself, so that the digits of a small p are not lost in log r.
  struct Root {
    double r, log_r;  // log 0 = -inf
    explicit Root(double r_) : r(r_), log_r(std::log(r_)) {}

    [[nodiscard]] double operator()(double q) const {
      const double z = q + log_r;
      if (z < -40) return std::exp(q);  // r p is below rounding
      double p = start(z) / r;
      constexpr int kMostRounds = 5;
      constexpr double kLastRound = 1e-4;  // its fourth power is rounding
      for (int round = 0; round < kMostRounds; ++round) {
        const double x = r * p, off = (q - std::log(p) - x) / (1 + x);
        const double share = off / (2 * (1 + x) * (1 + 2 * off / 3));
        p *= 1 + off * (1 - share) / (1 - 2 * share);
        if (std::abs(off) < kLastRound) break;
      }
      return p;
    }
    [[nodiscard]] static double start(double z) {
      if (z > 3) return z - std::log(z) * (1 - 1 / z);
      if (z > -1) return 1 + (z - 1) / 2 + (z - 1) * (z - 1) / 16;
      const double small = std::exp(z);
      return small / (1 + small);
    }
  };

  // Newton's method on S from the left, where it rises and never overshoots; on log S from the right, which is all but
  // straight for a small r. The middle of the bracket whenever the step would leave it or does not at least halve the
  // last one.
  [[nodiscard]] static double multiplier(Row c, double c_top, const Root& root) {
    const double k = static_cast<double>(c.size()), r = root.r;
    double low = c_top - r, high = c_top - r / k + std::log(k);
    double exponentials = 0;
    for (const double entry : c) exponentials += std::exp(entry - c_top);
    double lambda = std::clamp(c_top - r / k + std::log(exponentials), low, high), last = high - low;
    constexpr int kSoftmaxSteps = 100;  // the bracket alone would need about 60 halvings
    for (int t = 0; t < kSoftmaxSteps; ++t) {
      double sum = 0, slope = 0;
      for (const double entry : c) {
        const double p = root(entry - lambda);
        sum += p;
        slope += p / (1 + r * p);
      }
      (sum > 1 ? low : high) = lambda;
      const double newton = lambda + (sum > 1 ? sum - 1 : sum * std::log(sum)) / slope;
      const bool is_good = newton >= low && newton <= high && std::abs(newton - lambda) <= 0.5 * last;
      const double next = is_good ? newton : 0.5 * low + 0.5 * high;
      last = std::abs(next - lambda);
      lambda = next;
      // As S'' <= k / (4 r) and k, a Newton step from an error e of the sum leaves at most about e^2 (1 + r) k.
      constexpr double kSoftmaxRounding = 1e-16;
      const bool was_last = is_good && (sum - 1) * (sum - 1) * (1 + r) * k < kSoftmaxRounding;
      if (was_last || last <= 10 * kSoftmaxRounding * (1 + std::abs(lambda - c_top) + std::abs(c_top))) break;
    }
    return lambda;
  }
};

}  // namespace pdbfw
