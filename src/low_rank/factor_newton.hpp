// Newton's method on the factors of X at a fixed rank: a step of the solver `factored`.                      [M37]
//
// |X|_* = min (|U|^2 + |V|^2) / 2 over X = U V', so the trace ball is a ball of the one long vector q = (U, V), and
// with the part of the radius that is not used as one more entry it is a sphere: [M37]
//
//   minimise phi(q) = P(U V')  on  |U|^2 + |V|^2 + slack^2 = 2 radius
//
// With G = A*(Y)/n + ridge X, Y = grad f(A(X)), and a direction e = (E, F) that moves X by D = E V' + U F':
//
//   gradient             (G V, G'U) + lambda q,     lambda = -<G, X> / radius: the multiplier of the radius
//   Hessian in e         (K V, K'U) + (G F, G'E) + lambda e,     K = A*(f'' A(D))/n + ridge D
//
// both projected onto the tangent space. For positive semidefinite X = U U' all is the same with V = U, F = E and half
// of phi, on |U|^2 + slack^2 = radius.
// A step is Steihaug's: conjugate gradients inside a region of trust, preconditioned by a diagonal: the curvature of P
// in the rows (columns) of X times |v_k|^2 (|u_k|^2), plus lambda. U and V are balanced, U'U = V'V = diag(s), so that
// this is what the Hessian would be if A kept the inner products of matrices up to weights of rows and columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "base/random.hpp"
#include "core/low_rank_judge.hpp"
#include "core/spectral_set.hpp"
#include "linalg/kernels.hpp"
#include "linalg/operators.hpp"
#include "linalg/orthonormal.hpp"
#include "low_rank/factored_point.hpp"

namespace pdbfw::low_rank {

class FactorNewton {
 public:
  FactorNewton(const Problem& problem, const Adjoints& adjoints, int threads)
      : p_(problem), adjoints_(adjoints), threads_(threads) {}

  // Begins at a point of rank 1 or more.
  void begin(const FactoredPoint& x, Run& run) {
    is_symmetric_ = p_.set->spectrum() == Spectrum::eigenvalues;
    const Vector root = x.X.s.cwiseSqrt();
    at_.q.resize(is_symmetric_ ? p_.d() : p_.d() + p_.c(), x.X.rank());
    at_.q.topRows(p_.d()) = x.X.U * root.asDiagonal();
    if (!is_symmetric_) at_.q.bottomRows(p_.c()) = x.X.V * root.asDiagonal();
    radius_ = (is_symmetric_ ? 1 : 2) * p_.set->radius();
    const double unused = radius_ - at_.q.squaredNorm();
    at_.slack = unused > kSlackRounding * radius_ ? std::sqrt(unused) : 0;
    W_ = x.W;
    value_ = x.value;
    trust_ = std::max(trust_, 0.05);
    measure_curvature(run);
    differentiate(run);
  }

  enum class Outcome {
    moved,   // P has fallen
    stayed,  // it would not have; the region of trust has shrunk
    solved,  // what is left to gain is rounding
    hard     // the model took more conjugate gradients than it is worth
  };
  Outcome move(Run& run) {
    precondition();
    const Direction direction = conjugate_gradients(run);
    const double promise = (is_symmetric_ ? 2 : 1) * direction.model;
    if (!(promise < -kRounding * std::abs(value_))) return Outcome::solved;

    Vectors next = at_;
    add(next, 1, direction.e);
    const double onto = std::sqrt(radius_ / (next.q.squaredNorm() + next.slack * next.slack));
    next.q *= onto;
    next.slack *= onto;
    Matrix W;
    p_.map->apply(factors(next.q), W, threads_);
    run.charge(p_.map->apply_cost(next.q.cols()));
    const double value = objective(p_, W, squared_norm(next.q), threads_);
    const double kept = (value - value_) / promise;  // of the promise
    if (!(kept > 0.25)) trust_ = 0.25 * direction.length;
    if (kept > 0.75 && direction.at_border) trust_ = std::max(trust_, 2 * direction.length);
    if (!(kept > 0.05)) return Outcome::stayed;
    at_ = std::move(next);
    W_ = std::move(W);
    value_ = value;
    differentiate(run);
    return direction.is_cut_short ? Outcome::hard : Outcome::moved;
  }

  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] const Matrix& W() const { return W_; }
  [[nodiscard]] FactoredPoint point() const {
    FactoredPoint x{orthonormal(factors(at_.q), p_.set->spectrum()), W_, value_};
    const double norm = x.X.trace_norm();
    if (norm > p_.set->radius()) x.X.s *= p_.set->radius() / norm;  // by rounding
    return x;
  }

 private:
  static constexpr int kProbes = 4;
  static constexpr double kLeastCurvature = 0.02;  // of a row or a column, as a share of the mean
  static constexpr int kMostGradients = 40;        // conjugate ones, in one step
  static constexpr double kForcing = 0.1;          // how far these reduce the residual
  static constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();
  static constexpr double kSlackRounding = 1e-9;  // shares of the radius that are not worth a slack

  // A point of the sphere, or a direction at it: U over V (psd_trace: U alone), and the part of the radius not used.
  struct Vectors {
    Matrix q;
    double slack = 0;
  };
  [[nodiscard]] static double dot(const Vectors& a, const Vectors& b) {
    return a.q.cwiseProduct(b.q).sum() + a.slack * b.slack;
  }

  static void add(Vectors& a, double scale, const Vectors& b) {
    a.q += scale * b.q;
    a.slack += scale * b.slack;
  }

  [[nodiscard]] Matrix left(const Matrix& q) const { return q.topRows(p_.d()); }
  [[nodiscard]] Matrix right(const Matrix& q) const { return is_symmetric_ ? left(q) : Matrix(q.bottomRows(p_.c())); }
  [[nodiscard]] Factors factors(const Matrix& q) const { return {left(q), Vector::Ones(q.cols()), right(q)}; }
  // (M V, M'U); for symmetric M only M U.
  [[nodiscard]] Matrix products(const Operator& M, const Matrix& q, Run& run) const {
    Matrix out(q.rows(), q.cols()), part;
    M.times(right(q), part, threads_);
    out.topRows(p_.d()) = part;
    if (!is_symmetric_) {
      M.transposed_times(left(q), part, threads_);
      out.bottomRows(p_.c()) = part;
    }
    run.charge(static_cast<double>(q.cols() * (is_symmetric_ ? 1 : 2)) * M.cost());
    return out;
  }

  [[nodiscard]] double squared_norm(const Matrix& q) const {
    const Matrix U = left(q), V = right(q);
    return (U.transpose() * U).cwiseProduct(V.transpose() * V).sum();
  }

  void differentiate(Run& run) {
    p_.loss->gradients(W_, Y_, threads_);
    adjoint_ = adjoints_(Y_);
    X_ = factors(at_.q);
    const FactorsOperator X(X_);
    const SumOperator G({{1 / static_cast<double>(p_.samples()), adjoint_.get()}, {p_.ridge, &X}});
    gradient_ = {products(G, at_.q, run), 0};
    lambda_ = -gradient_.q.cwiseProduct(at_.q).sum() / radius_;
    add(gradient_, lambda_, at_);
  }

  // The diagonal of A*f''A in the entries of X, as means over rows and columns, by probes x y' of random signs:
  //     row i: x_i (A*(f'' A(x y')) y)_i / c
  // Exact for observed entries; for X -> A X the squares of the columns of A say it better.
  void measure_curvature(Run& run) {
    Random random(1);
    row_curvature_ = Vector::Zero(p_.d());
    column_curvature_ = Vector::Zero(p_.c());
    const double n = static_cast<double>(p_.samples()), d = static_cast<double>(p_.d()),
                 c = static_cast<double>(p_.c());
    Matrix W, Y, product;
    for (int probe = 0; probe < kProbes; ++probe) {
      Factors xy{Matrix(p_.d(), 1), Vector::Ones(1), Matrix(p_.c(), 1)};
      for (double& sign : xy.U.reshaped()) sign = random.uniform() < 0.5 ? -1 : 1;
      xy.V = is_symmetric_ ? xy.U : xy.V;
      if (!is_symmetric_)
        for (double& sign : xy.V.reshaped()) sign = random.uniform() < 0.5 ? -1 : 1;
      p_.map->apply(xy, W, threads_);
      p_.loss->hessian_products(W_, W, Y, threads_);
      const auto adjoint = adjoints_(Y);
      adjoint->times(xy.V, product, threads_);
      row_curvature_ += product.cwiseProduct(xy.U).col(0) / (kProbes * n * c);
      adjoint->transposed_times(xy.U, product, threads_);
      column_curvature_ += product.cwiseProduct(xy.V).col(0) / (kProbes * n * d);
      run.charge(p_.map->apply_cost(1) + 2 * adjoint->cost());
    }
    if (const DataMatrix* A = p_.map->design()) {
      Vector squares = Vector::Zero(p_.d());
      for_each_entry(A->by_row(), [&](Index, Index j, double value) { squares[j] += value * value; });
      if (p_.team) p_.team->sum({squares.data(), static_cast<std::size_t>(squares.size())});
      row_curvature_ = squares * (row_curvature_.cwiseMax(0.0).sum() / squares.sum());
    }
    for (Vector* curvature : {&row_curvature_, &column_curvature_}) {
      const double mean = curvature->cwiseMax(0.0).mean();
      *curvature = curvature->cwiseMax(kLeastCurvature * mean);
    }
  }

  void precondition() {
    const Index d = p_.d(), s = at_.q.cols();
    const Vector u = at_.q.topRows(d).colwise().squaredNorm();
    const Vector v = is_symmetric_ ? Vector(2 * u) : Vector(at_.q.bottomRows(p_.c()).colwise().squaredNorm());
    const double typical = row_curvature_.mean() * v.mean() + p_.ridge * v.mean();
    slack_diagonal_ = std::max({lambda_, 1e-3 * typical, std::numeric_limits<double>::min()});
    diagonal_.setConstant(at_.q.rows(), s, slack_diagonal_);
    diagonal_.topRows(d) += (row_curvature_.array() + p_.ridge).matrix() * v.transpose();
    if (!is_symmetric_) diagonal_.bottomRows(p_.c()) += (column_curvature_.array() + p_.ridge).matrix() * u.transpose();
  }

  // The tangent direction z with T(diagonal z - r) = 0, T the projection onto the tangent space.
  [[nodiscard]] Vectors solve_preconditioner(const Vectors& r) const {
    Vectors z{r.q.cwiseQuotient(diagonal_), r.slack / slack_diagonal_};
    const Vectors normal{at_.q.cwiseQuotient(diagonal_), at_.slack / slack_diagonal_};
    add(z, -dot(z, at_) / dot(normal, at_), normal);
    return z;
  }

  [[nodiscard]] Vectors hessian_times(const Vectors& e, Run& run) const {
    const auto n = static_cast<double>(p_.samples());
    Factors D = combination(1, {left(e.q), X_.s, X_.V}, 1, {X_.U, X_.s, right(e.q)});
    Matrix W, Y;
    p_.map->apply(D, W, threads_);
    run.charge(p_.map->apply_cost(D.rank()));
    p_.loss->hessian_products(W_, W, Y, threads_);
    const auto bent = adjoints_(Y);
    const FactorsOperator moved(D), X(X_);
    const SumOperator K({{1 / n, bent.get()}, {p_.ridge, &moved}});
    const SumOperator G({{1 / n, adjoint_.get()}, {p_.ridge, &X}});
    Vectors h{products(K, at_.q, run) + products(G, e.q, run), 0};
    add(h, lambda_, e);
    return tangent(std::move(h));
  }

  // e - <e, q>/<q, q> q
  [[nodiscard]] Vectors tangent(Vectors e) const {
    add(e, -dot(e, at_) / radius_, at_);
    return e;
  }

  struct Direction {
    Vectors e;
    double model = 0;   // its promise: <g, e> + <e, H e> / 2
    double length = 0;  // in the preconditioner's norm, as a share of that of the point
    bool at_border = false, is_cut_short = false;
  };
  // Steihaug 1983, in the norm of the preconditioner.
  [[nodiscard]] Direction conjugate_gradients(Run& run) const {
    const double size =
        std::sqrt(at_.q.cwiseProduct(diagonal_.cwiseProduct(at_.q)).sum() + slack_diagonal_ * at_.slack * at_.slack);
    const double border = trust_ * size;
    const Vectors zero{Matrix::Zero(at_.q.rows(), at_.q.cols()), 0};
    Direction out{zero, 0, 0, false, true};
    Vectors He = zero, r = gradient_, z = solve_preconditioner(r), p = zero;
    add(p, -1, z);
    double rz = dot(r, z), ee = 0, ep = 0, pp = rz;  // squares and products in the norm
    const double enough = kForcing * kForcing * rz;
    for (int k = 0; k < kMostGradients && rz > 0 && run.may_go_on(); ++k) {
      const Vectors Hp = hessian_times(p, run);
      const double curvature = dot(p, Hp);
      double step = rz / curvature;
      const bool leaves = !(curvature > kRounding * pp) || ee + 2 * step * ep + step * step * pp >= border * border;
      if (leaves) step = (-ep + std::sqrt(ep * ep + pp * (border * border - ee))) / pp;
      add(out.e, step, p);
      add(He, step, Hp);
      ee += 2 * step * ep + step * step * pp;
      if (leaves) {
        out.at_border = true;
        out.is_cut_short = false;
        break;
      }
      add(r, step, Hp);
      z = solve_preconditioner(r);
      const double next = dot(r, z), ratio = next / rz;
      if (next <= enough) {
        out.is_cut_short = false;
        break;
      }
      rz = next;
      Vectors turned{-z.q, -z.slack};
      add(turned, ratio, p);
      p = std::move(turned);
      ep = ratio * (ep + step * pp);
      pp = rz + ratio * ratio * pp;
    }
    out.model = dot(gradient_, out.e) + 0.5 * dot(out.e, He);
    out.length = std::sqrt(std::max(0.0, ee)) / size;
    return out;
  }

  const Problem& p_;
  const Adjoints& adjoints_;
  int threads_;
  bool is_symmetric_ = false;

  Vectors at_;         // the point
  double radius_ = 0;  // of the sphere, squared: |U|^2 + |V|^2 + slack^2
  Matrix W_, Y_;
  double value_ = 0;
  Factors X_;                                // of at_, for the gradient's operator
  std::unique_ptr<const Operator> adjoint_;  // A*(Y)
  double lambda_ = 0;
  Vectors gradient_;  // along the sphere

  Vector row_curvature_, column_curvature_;  // of P in the entries of X, as means over a row and a column
  Matrix diagonal_;                          // the preconditioner
  double slack_diagonal_ = 1;
  double trust_ = 0.3;
};

}  // namespace pdbfw::low_rank
