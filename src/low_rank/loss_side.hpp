// The loss's side of the splitting: its part of the objective as a function of X, and its dual point.           [M31]
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/low_rank_judge.hpp"
#include "low_rank/row_coordinates.hpp"

namespace pdbfw::low_rank {

// The set's side: Z in C, and the multiplier N of X = Z, which lies in the normal cone of C at Z:
// <N, Z' - Z> <= 0 for all Z' in C. In the coordinates of RowCoordinates.
struct SetSide {
  Factors factors;  // Z by its factors
  Matrix Z, N;
  double penalty = 0;  // rho
};

// A dual point Y by what it leaves: with `excess` E = u - ridge Z - N, u = -A'Y/n,
//   P(Z) - D(Y) = loss_gap + max_{Z' in C} { <N + E, Z' - Z> - (ridge/2) |Z' - Z|^2 }
//              <= loss_gap + max_{Z' in C} { <E, Z' - Z> - (ridge/2) |Z' - Z|^2 }                              [M31d]
struct DualView {
  double loss_gap = 0;  // (1/n) sum_i f_i(W_i) + f_i*(Y_i) - <Y_i, W_i>,  W = A Z
  Matrix excess;
};

class LossSide {
 public:
  LossSide() = default;
  LossSide(const LossSide&) = delete;
  LossSide& operator=(const LossSide&) = delete;
  virtual ~LossSide() = default;

  // Whether the minimiser of P without the set can be computed.
  [[nodiscard]] virtual bool has_free_minimiser() const = 0;
  // argmin over X of  (1/n) sum_i f_i((A X)_i) + (weight/2) |X|^2 - <pull, X>, or a step towards it.
  [[nodiscard]] virtual Matrix minimise(double weight, Matrix pull, Run& run) = 0;
  // (1/n) sum_i f_i((A Z)_i).
  [[nodiscard]] virtual double value(const SetSide& set) = 0;
  // After value() of the same Z.
  [[nodiscard]] virtual DualView look(const SetSide& set, const Matrix& X) = 0;
  // The Y that was looked at.
  [[nodiscard]] virtual Matrix dual_point() const = 0;
};

// Penalties find themselves.                                                                                    [M31e]
// For two copies x, z of one thing: |x - z| large says that the penalty on x = z is too small, a large step of z
// that it is too large. The factor is bounded by 10 at first, and the product of all bounds is finite, so that the
// penalty settles and the theory of a fixed one applies.
[[nodiscard]] inline double balancing_factor(double apart, double step, Index iteration) {
  if (!(apart > 0) || !(step > 0)) return 1;
  constexpr double kLargest = 10, kSettled = 10;
  const double share = static_cast<double>(iteration) / kSettled;
  const double bound = std::pow(kLargest, 1 / (1 + share * share));
  return std::clamp(std::sqrt(apart / step), 1 / bound, bound);
}

// Steps go on beyond the minimiser by this much: over-relaxation, in (0, 2); this is the usual value.
inline constexpr double kRelaxation = 1.6;

// f = |w - b|^2 / 2, times the smoothness: minimise() is exact.                                                [M31b]
//
// (1/n) sum_i f_i = (beta/2) <S X, X> - <G, X> + constant,  S = A'A/n,  G = beta A'B/n: after G there is no product
// with A in the whole iteration.
class QuadraticSide final : public LossSide {
 public:
  QuadraticSide(const Problem& problem, const RowCoordinates& space, int threads)
      : p_(problem), space_(space), threads_(threads), beta_(problem.loss->smoothness()) {
    const auto n = static_cast<double>(p_.n());
    Matrix AtB = Matrix::Zero(p_.d(), p_.c());
    p_.map->add_adjoint(p_.loss->targets(), beta_ / n, AtB, threads_);
    G_ = space_.inside(std::move(AtB));
    constant_ = 0.5 * beta_ * p_.loss->targets().squaredNorm() / n;
    T_ = Matrix::Zero(G_.rows(), G_.cols());
  }

  [[nodiscard]] bool has_free_minimiser() const override { return true; }

  // (beta S + weight I) X = G + pull
  [[nodiscard]] Matrix minimise(double weight, Matrix pull, Run& run) override {
    run.charge(space_.solve_cost(p_.c()));
    pull += G_;
    return space_.solve(beta_, solvable(weight), std::move(pull));
  }

  [[nodiscard]] double value(const SetSide& set) override {
    return constant_ + 0.5 * beta_ * inner(space_.times(set.Z), set.Z) - inner(G_, set.Z);
  }

  // Y = beta (A T - B) for a T that need not lie in C: the minimiser of P(T) + <N, T> where the multiplier is N,
  //   (beta S + ridge I) T = G - N,
  // for which excess = ridge (T - Z); without a ridge the last X.
  [[nodiscard]] DualView look(const SetSide& set, const Matrix& X) override {
    T_ = p_.ridge > 0 ? space_.solve(beta_, solvable(p_.ridge), G_ - set.N) : X;
    const Matrix ST = beta_ * space_.times(T_);
    const Matrix away = set.Z - T_;
    return {0.5 * beta_ * inner(space_.times(away), away), G_ - ST - p_.ridge * set.Z - set.N};
  }

  [[nodiscard]] Matrix dual_point() const override {
    Matrix Y;
    p_.map->apply(space_.outside(T_), Y, threads_);
    return beta_ * (Y - p_.loss->targets());
  }

 private:
  // What a solve adds to S so that rounding cannot make it singular, as a share of the largest eigenvalue.
  static constexpr double kRounding = 1e-12;

  [[nodiscard]] static double inner(const Matrix& A, const Matrix& B) { return A.cwiseProduct(B).sum(); }
  // Any weight does where there is neither A nor a ridge.
  [[nodiscard]] double solvable(double weight) const {
    const double least = std::max(weight, kRounding * beta_ * space_.largest());
    return least > 0 ? least : 1;
  }

  const Problem& p_;
  const RowCoordinates& space_;
  int threads_;
  double beta_, constant_ = 0;
  Matrix G_, T_;
};

// Any loss.                                                                                                   [M31c]
//
// W = A X is a copy of its own, with the multiplier Y and the penalty (tau/2n) |A X - W|^2. The step of W is the loss's
// proximal step, and by Moreau's identity that of Y is the dual one; Y is a dual point all the time.
class SplitSide final : public LossSide {
 public:
  SplitSide(const Problem& problem, const RowCoordinates& space, const Start& start, int threads)
      : p_(problem),
        space_(space),
        threads_(threads),
        n_(static_cast<double>(problem.n())),
        tau_(problem.loss->smoothness()) {
    if (start.X.rank() > 0)
      p_.map->apply(start.X, W_, threads_);
    else
      W_ = Matrix::Zero(p_.n(), p_.k());
    if (start.Y.rows() > 0)
      Y_ = start.Y;
    else
      p_.loss->gradients(W_, Y_, threads_);
    adjoint_W_ = adjoint(W_);
    adjoint_Y_ = adjoint(Y_);
  }

  [[nodiscard]] bool has_free_minimiser() const override { return false; }

  // X = (tau S + weight I)^-1 ( tau A'W/n - A'Y/n + pull )
  // V = alpha A X + (1 - alpha) W + Y / tau,    Y = argmax_Y <V, Y> - f*(Y) - |Y|^2 / (2 tau),    W = V - Y / tau
  [[nodiscard]] Matrix minimise(double weight, Matrix pull, Run& run) override {
    pull += tau_ * adjoint_W_ - adjoint_Y_;
    const Matrix X = space_.solve(tau_, weight, std::move(pull));
    p_.map->apply(space_.outside(X), AX_, threads_);
    Matrix V = kRelaxation * AX_ + (1 - kRelaxation) * W_ + Y_ / tau_;
    p_.loss->dual_proxes(V, Matrix::Zero(p_.n(), p_.k()), tau_, Y_, threads_);
    V -= Y_ / tau_;

    // A'W/n follows by itself from A'A X = n S X.
    adjoint_W_ = kRelaxation * space_.times(X) + (1 - kRelaxation) * adjoint_W_ + adjoint_Y_ / tau_;
    adjoint_Y_ = adjoint(Y_);
    adjoint_W_ -= adjoint_Y_ / tau_;

    const double apart = (AX_ - V).norm(), step = (V - W_).norm();
    W_ = std::move(V);
    tau_ *= balancing_factor(apart, step, ++iteration_);
    run.charge(space_.solve_cost(p_.c()) + 2 * space_.move_cost(p_.c()) + 2 * p_.map->pass_cost());
    return X;
  }

  [[nodiscard]] double value(const SetSide& set) override {
    p_.map->apply(Factors{space_.outside(set.factors.U), set.factors.s, set.factors.V}, AZ_, threads_);
    value_ = p_.loss->total_value(AZ_, threads_) / n_;
    return value_;
  }

  [[nodiscard]] DualView look(const SetSide& set, const Matrix& /*X*/) override {
    const double conjugate = p_.loss->total_conjugate(Y_, threads_) / n_;
    return {value_ + conjugate - Y_.cwiseProduct(AZ_).sum() / n_, -adjoint_Y_ - p_.ridge * set.Z - set.N};
  }

  [[nodiscard]] Matrix dual_point() const override { return Y_; }

 private:
  // A'M / n
  [[nodiscard]] Matrix adjoint(const Matrix& M) const {
    Matrix out = Matrix::Zero(p_.d(), p_.c());
    p_.map->add_adjoint(M, 1 / n_, out, threads_);
    return space_.inside(std::move(out));
  }

  const Problem& p_;
  const RowCoordinates& space_;
  int threads_;
  double n_;
  double tau_;
  Index iteration_ = 0;
  Matrix W_, Y_, AX_, AZ_;
  Matrix adjoint_W_, adjoint_Y_;  // A'W/n and A'Y/n
  double value_ = 0;
};

}  // namespace pdbfw::low_rank
