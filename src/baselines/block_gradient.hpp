// The gradient of P along the way of block Frank-Wolfe, kept up to date in one of two ways. Both offer:
//   aim                  e = x_tilde - x: the way that the next three are about
//   falls_all_the_way    whether P(x + e) is below P(x) by a share of what the slope at x promises
//   exact_step           the t in [0, 1] that minimises P(x + t e)
//   move                 x <- x + t e
//   owed                 entries of A that were touched without a run to charge them to, since it was last asked
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "baselines/frank_wolfe.hpp"
#include "core/dual_value.hpp"
#include "core/judge.hpp"
#include "linalg/products.hpp"

namespace pdbfw {

// The share of the fall promised by the slope that a step must bring.
inline constexpr double kSufficientFall = 1e-4;

// From the data: w = A x costs the columns of x_tilde, the gradient A'f'(w)/n + grad g(x) a pass.
class GradientFromData {
 public:
  GradientFromData(const Problem& p, const Settings& settings, const Start& start)
      : p_(p), threads_(settings.threads), at_(point_at(p, start.x.empty() ? start_point(p) : start.x)) {
    owed_ = evaluate(p_, threads_, at_) + differentiate(p_, threads_, at_);
    gradient_at(p_, at_, gradient_);
  }

  [[nodiscard]] const std::vector<double>& x() const { return at_.x; }
  [[nodiscard]] const std::vector<double>& gradient() const { return gradient_; }
  void aim(const SparseAtom& x_tilde, Run& run) { run.charge(aim_at(p_, x_tilde, at_, e_)); }
  [[nodiscard]] bool falls_all_the_way() const {
    std::vector<double> x = at_.x, w = at_.w;
    for (std::size_t j = 0; j < x.size(); ++j) x[j] += e_.x[j];
    for (std::size_t i = 0; i < w.size(); ++i) w[i] += e_.w[i];
    const double slope = dot(gradient_, e_.x);
    return slope < 0 && primal_value(p_, x, w) <= at_.value + kSufficientFall * slope;
  }
  [[nodiscard]] double exact_step() const { return pdbfw::exact_step(p_, at_, e_, 1); }
  void move(double t, Run& run) {
    pdbfw::move(p_, t, e_, at_);
    arrive(p_, threads_, at_, gradient_, run);
  }
  [[nodiscard]] Estimate estimate() { return pdbfw::estimate(p_, at_, at_, zone_); }
  [[nodiscard]] Point point() { return {at_.x, at_.y}; }
  [[nodiscard]] double owed() { return std::exchange(owed_, 0); }

 private:
  const Problem& p_;
  int threads_;
  double owed_ = 0;
  PrimalPoint at_;
  std::vector<double> gradient_;
  Direction e_;
  DeadZone zone_{};
};

// From Q = beta A'A/n, of a quadratic loss: the gradient costs s columns of Q, d entries each, and no look at A. A
// column is made when it is first needed, which costs a pass.
//
// With F(x) = (1/n) sum_i f_i(a_i'x) and f'' = beta:
//     h(x) = grad F(x) = h(0) + Q x,                 Q = beta A'A / n
//     h(x + t e) = h(x) + t Q e,                     Q e = h(0) + Q x_tilde - h(x):  the columns of x_tilde
//     F(x) = F(0) + <x, h(0) + h(x)> / 2
//     (1/n) sum_i f_i*(y_i) = <x, h(x)> - F(x)       for y = f'(A x), by Fenchel's equality
class GradientFromGram {
 public:
  GradientFromGram(const Problem& p, const Settings& settings, const Start& start)
      : p_(p), settings_(settings), columns_(static_cast<std::size_t>(p.d())) {
    std::vector<double> y(p.loss->size());
    const std::vector<double> zero(p.loss->size());
    const auto n = static_cast<double>(p.n());
    F_0_ = p.loss->total_value(zero) / n;
    p.loss->derivatives(zero, y);
    h_0_.resize(columns_.size());
    multiply_transposed(*p.A, y, h_0_, settings.threads);
    owed_ = static_cast<double>(p.A->nonzeros());
    for (double& h_j : h_0_) h_j /= n;
    x_ = start.x.empty() ? start_point(p) : start.x;
    h_.resize(x_.size());
    look_at_data();
  }

  [[nodiscard]] const std::vector<double>& x() const { return x_; }
  [[nodiscard]] const std::vector<double>& gradient() const { return gradient_; }

  void aim(const SparseAtom& x_tilde, Run& run) {
    e_.resize(x_.size());
    Qe_.resize(x_.size());
    for (std::size_t j = 0; j < x_.size(); ++j) {
      e_[j] = -x_[j];
      Qe_[j] = h_0_[j] - h_[j];
    }
    for (std::size_t k = 0; k < x_tilde.at.size(); ++k) {
      e_[static_cast<std::size_t>(x_tilde.at[k])] += x_tilde.value[k];
      const std::vector<double>& column = column_of_Q(x_tilde.at[k], run);
      for (std::size_t j = 0; j < Qe_.size(); ++j) Qe_[j] += x_tilde.value[k] * column[j];
    }
    run.charge(static_cast<double>(x_tilde.at.size() * x_.size()));
  }

  // On the line P is P(x) + t slope + t^2 bend / 2.
  [[nodiscard]] bool falls_all_the_way() const {
    const double slope = dot(gradient_, e_);
    return slope < 0 && slope + bend() / 2 <= kSufficientFall * slope;
  }
  [[nodiscard]] double exact_step() const {
    const double slope = dot(gradient_, e_), bent = bend();
    if (!(slope < 0)) return 0;
    return bent > 0 ? std::min(1.0, -slope / bent) : 1;
  }

  void move(double t, Run& run) {
    for (std::size_t j = 0; j < x_.size(); ++j) {
      x_[j] += t * e_[j];
      h_[j] += t * Qe_[j];
    }
    if (++moves_ % kMovesBeforeRefresh == 0)
      look_at_data();
    else
      finish_gradient();
    run.charge(owed());
  }

  [[nodiscard]] Estimate estimate() {
    std::vector<double> u(h_.size());
    double to_x = 0, to_x_0 = 0;  // <x, h(x)> and <x, h(0)>
    for (std::size_t j = 0; j < h_.size(); ++j) {
      u[j] = -h_[j];
      to_x += x_[j] * h_[j];
      to_x_0 += x_[j] * h_0_[j];
    }
    const double F = F_0_ + (to_x + to_x_0) / 2;
    const Curvatures q = p_.regulariser->curvatures();
    zone_ = p_.set->dead_zone(u, q, &zone_);
    return {F + p_.regulariser->value(x_), set_part(u, q, zone_, p_.set->radius()) - (to_x - F), count_nonzeros(x_)};
  }

  [[nodiscard]] Point point() { return {x_, dual_candidate()}; }
  [[nodiscard]] double owed() { return std::exchange(owed_, 0); }

 private:
  // Steps after which h is computed anew, so that rounding cannot pile up.
  static constexpr Index kMovesBeforeRefresh = 1'000;

  [[nodiscard]] double bend() const {
    const Curvatures q = p_.regulariser->curvatures();
    double sum = dot(Qe_, e_);
    for (std::size_t j = 0; j < e_.size(); ++j) sum += q[static_cast<Index>(j)] * e_[j] * e_[j];
    return sum;
  }

  [[nodiscard]] std::vector<double> dual_candidate() {
    std::vector<double> w(p_.loss->size()), y(p_.loss->size());
    multiply_support(*p_.A, x_, w, settings_.threads);
    p_.loss->derivatives(w, y);
    owed_ += static_cast<double>(p_.A->nonzeros());
    return y;
  }

  void look_at_data() {
    multiply_transposed(*p_.A, dual_candidate(), h_, settings_.threads);
    owed_ += static_cast<double>(p_.A->nonzeros());
    for (double& h_j : h_) h_j /= static_cast<double>(p_.n());
    finish_gradient();
  }

  void finish_gradient() {
    gradient_ = h_;
    p_.regulariser->add_gradient(x_, gradient_);
  }

  const std::vector<double>& column_of_Q(Index at, Run& run) {
    std::vector<double>& column = columns_[static_cast<std::size_t>(at)];
    if (!column.empty()) return column;
    std::vector<double> a(p_.loss->size());
    const double factor = p_.loss->smoothness() / static_cast<double>(p_.n());
    const double touched = add_lines(p_.A->by_column(), std::array{at}, std::array{factor}, a);
    column.resize(x_.size());
    multiply_transposed(*p_.A, a, column, settings_.threads);
    run.charge(touched + static_cast<double>(p_.A->nonzeros()));
    return column;
  }

  const Problem& p_;
  const Settings settings_;
  std::vector<std::vector<double>> columns_;  // of Q; empty: not made yet
  double owed_ = 0, F_0_ = 0;
  std::vector<double> h_0_, x_, h_, gradient_, e_, Qe_;
  DeadZone zone_{};
  Index moves_ = 0;
};

}  // namespace pdbfw
