// Accelerated projected gradient in a moving subspace: a step of the solver `factored`.                      [M36]
//
// With Z = X + momentum (X - X_last) and grad P(Z) = A*(Y)/n + ridge Z, Y = grad f(A(Z)):                     [M36]
//
//   M = Z - grad P(Z) / L           an operator: low rank + scaled adjoint, never formed
//   Q = orth(M V)                   one step of the power method from the last subspace V
//   X = Q Proj_C(Q'M)               the nearest point of C to M among those whose columns lie in Q
//                                   (psd_trace: Q Proj_C(Q'M Q) Q')
//   V = the singular vectors of Q'M, those of X first, and some beyond
//
// M hardly changes from step to step once X has settled, so that V follows its largest singular vectors. Where all of
// Q'M survives the projection, the subspace is too narrow, and is doubled.
// L falls a little every step and rises where P lies above its quadratic model.
// Cost: 2 width products with A*(Y) in one column, A(X), and O((d + c) width^2).
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/random.hpp"
#include "core/low_rank_judge.hpp"
#include "core/spectral_set.hpp"
#include "linalg/dense_product.hpp"
#include "linalg/operators.hpp"
#include "linalg/orthonormal.hpp"
#include "low_rank/factored_point.hpp"

namespace pdbfw::low_rank {

class SubspaceStep {
 public:
  SubspaceStep(const Problem& p, const Adjoints& adjoints, const Settings& settings, const FactoredPoint& start)
      : p_(p),
        adjoints_(adjoints),
        threads_(settings.threads),
        random_(settings.seed),
        V_(start.X.V),
        last_(start),
        most_L_(p.loss->smoothness() * p.map->squared_norm() / static_cast<double>(p.samples()) + p.ridge),
        is_full_(start.X.rank() == 0) {
    widen(start.X.rank());
  }

  // From `x` to the next point. P falls from step to step, but for those of the momentum.
  void move(FactoredPoint& x, Run& run) {
    const double next_t = (1 + std::sqrt(1 + 4 * t_ * t_)) / 2;
    const Extrapolated z = extrapolate(x, (t_ - 1) / next_t);
    const auto adjoint = adjoints_(z.Y);
    if (L_ == 0) L_ = first_curvature(z, *adjoint, run);
    const FactorsOperator Z(z.X);
    const auto n = static_cast<double>(p_.samples());

    FactoredPoint next;
    double next_z = 0;  // <next, Z>
    while (true) {
      const SumOperator M({{1 - p_.ridge / L_, &Z}, {-1 / (n * L_), adjoint.get()}});
      next = evaluated(p_, projected(M, run), threads_);
      run.charge(p_.map->apply_cost(next.X.rank()));
      next_z = inner_product(next.X, z.X);
      const double distance = std::max(0.0, next.X.s.squaredNorm() - 2 * next_z + z.squared_norm);
      const double met = curvature_met(z, next, distance);
      if (!(met > L_) || L_ >= most_L_ || !run.may_go_on()) break;
      L_ = std::min(most_L_, std::clamp(met, L_ / kFall, L_ * kRise));
    }

    widen(next.X.rank());

    // The momentum begins anew where it points uphill: <Z - X_next, X_next - X> > 0.
    const double uphill = next_z - inner_product(z.X, x.X) - next.X.s.squaredNorm() + inner_product(next.X, x.X);
    decrease_ = x.value - next.value;
    t_ = uphill > 0 || decrease_ < 0 ? 1 : next_t;
    L_ *= kFall;
    last_ = std::exchange(x, std::move(next));
  }

  // `x` was moved from outside: no momentum.
  void restart() { t_ = 1; }

  // Whether the subspace bound in the last step, and how much P fell.
  [[nodiscard]] bool is_full() const { return is_full_; }
  [[nodiscard]] double decrease() const { return decrease_; }

 private:
  static constexpr Index kFirstWidth = 8;
  static constexpr double kFall = 0.9, kRise = 2;
  static constexpr double kLeastCurvature = 1e-6;  // of the first step, as a share of the largest
  // Differences of P below this share of it are not trusted.
  static constexpr double kCancellation = 1e-10;

  struct Extrapolated {
    Factors X;
    Matrix W, Y;
    double value, squared_norm;
  };
  // X + momentum (X - X_last)
  [[nodiscard]] Extrapolated extrapolate(const FactoredPoint& x, double momentum) const {
    Extrapolated z;
    if (momentum > 0 && last_.X.rank() > 0) {
      z.X = combination(1 + momentum, x.X, -momentum, last_.X);
      z.W = x.W + momentum * (x.W - last_.W);
      z.squared_norm = inner_product(z.X, z.X);
      z.value = objective(p_, z.W, z.squared_norm, threads_);
    } else {
      z = {x.X, x.W, {}, x.value, x.X.s.squaredNorm()};
    }
    p_.loss->gradients(z.W, z.Y, threads_);
    return z;
  }

  // The curvature of P in the direction of the largest singular vectors of its gradient, as far as V sees them. Often
  // far below that in the worst direction: a step of that size would leave X small and all of the noise in it.
  [[nodiscard]] double first_curvature(const Extrapolated& z, const Operator& adjoint, Run& run) const {
    Matrix product;
    adjoint.times(V_, product, threads_);
    Factors D;
    D.U = orthonormal_columns(product, threads_);
    if (D.U.cols() == 0) return most_L_;
    D.s = Vector::Ones(D.U.cols());
    adjoint.transposed_times(D.U, D.V, threads_);
    const double squared_norm = D.V.squaredNorm();
    Matrix W, Y;
    p_.map->apply(D, W, threads_);
    p_.loss->hessian_products(z.W, W, Y, threads_);
    run.charge(static_cast<double>(2 * V_.cols()) * adjoint.cost() + p_.map->apply_cost(D.rank()));
    const double curvature = dot_over_samples(p_, Y, W) / (static_cast<double>(p_.samples()) * squared_norm) + p_.ridge;
    return curvature > kLeastCurvature * most_L_ ? std::min(curvature, most_L_) : most_L_;
  }

  // The nearest point of C to the centre in the subspace that one step of the power method leads to.
  [[nodiscard]] Factors projected(const Operator& centre, Run& run) {
    Matrix product;
    Matrix Q;
    double columns = 0;  // that were multiplied
    for (int round = 0; round < (warm_ups_ > 0 ? 2 : 1); ++round) {
      if (round > 0) {
        centre.transposed_times(Q, product, threads_);
        V_ = orthonormal_columns(product, threads_);
      }
      centre.times(V_, product, threads_);
      Q = orthonormal_columns(product, threads_);
      if (Q.cols() == 0) return Factors::zero(p_.d(), p_.c());  // the centre is zero
      columns += static_cast<double>((round > 0 ? 2 : 1) * V_.cols());
    }
    --warm_ups_;

    const bool is_symmetric = p_.set->spectrum() == Spectrum::eigenvalues;
    if (is_symmetric)
      centre.times(Q, product, threads_);
    else
      centre.transposed_times(Q, product, threads_);
    run.charge((columns + static_cast<double>(Q.cols())) * centre.cost(), 1);
    run.charge_other(static_cast<double>((4 * p_.d() + 4 * p_.c()) * Q.cols() * Q.cols()));

    Factors all;
    if (is_symmetric) {
      const Factors core = full_spectrum(transposed_times(Q, product, threads_), Spectrum::eigenvalues);
      all = {times(Q, core.U, threads_), core.s, {}};
      all.V = all.U;
    } else {
      const Matrix right = orthonormal_columns(product, threads_);
      const Factors core = full_spectrum(transposed_times(product, right, threads_), Spectrum::singular_values);
      all = {times(Q, core.U, threads_), core.s, times(right, core.V, threads_)};
    }
    const Vector s = p_.set->project_spectrum(all.s);
    is_full_ = s.size() == all.s.size() && s.size() < std::min(p_.d(), p_.c());
    V_ = all.V;
    Factors X = all.head(s.size());
    X.s = s;
    return X;
  }

  // The curvature of P between Z and the next point:
  //     2 ( P(next) - P(Z) - <grad P(Z), next - Z> ) / |next - Z|^2
  // or, where this is the rounding of P, from the change of the slope, which is the same for a quadratic.
  [[nodiscard]] double curvature_met(const Extrapolated& z, const FactoredPoint& next, double distance) const {
    if (!(distance > 0)) return 0;
    const auto n = static_cast<double>(p_.samples());
    const Matrix change = next.W - z.W;
    double excess = 0;  // of the losses over their tangent
    const double slope = dot_over_samples(p_, z.Y, change) / n;
    if (0.5 * L_ * distance > kCancellation * std::abs(z.value)) {
      const double rise =
          (next.value - 0.5 * p_.ridge * next.X.s.squaredNorm()) - (z.value - 0.5 * p_.ridge * z.squared_norm);
      excess = rise - slope;
    } else {
      Matrix Y;
      p_.loss->gradients(next.W, Y, threads_);
      excess = 0.5 * dot_over_samples(p_, Y - z.Y, change) / n;
    }
    return 2 * excess / distance + p_.ridge;
  }

  // The next subspace: the singular vectors of X and some beyond, with random ones where there are not enough.
  void widen(Index rank) {
    const Index wanted =
        std::min(std::min(p_.d(), p_.c()), is_full_ ? std::max(kFirstWidth, 2 * rank) : rank + width_beyond(rank));
    const Index kept = std::min(wanted, V_.cols());
    Matrix wider(p_.c(), wanted);
    wider.leftCols(kept) = V_.leftCols(kept);
    const double size = 1 / std::sqrt(static_cast<double>(p_.c()));
    for (Index j = kept; j < wanted; ++j)
      for (Index i = 0; i < p_.c(); ++i) wider(i, j) = size * random_.normal();
    V_ = std::move(wider);
  }

  const Problem& p_;
  const Adjoints& adjoints_;
  int threads_;
  Random random_;
  Matrix V_;  // the subspace, as the columns of X see it: c x width
  FactoredPoint last_;
  double t_ = 1;  // Nesterov's
  double L_ = 0;  // curvature; 0: not known yet
  double most_L_;
  int warm_ups_ = 3;  // first steps, whose subspace is refined twice
  bool is_full_;
  double decrease_ = 0;
};

}  // namespace pdbfw::low_rank
