// Conditional gradient sliding: the step of a gradient method, made by linear oracles instead of a projection.
//
//   X+ ~ argmin_{X in C} <g, X> + (beta/2) |X - X_0|^2,    begun at X_0, until its Frank-Wolfe gap is small enough
#pragma once

#include <algorithm>
#include <cmath>

#include "baselines/low_rank/primal_point.hpp"
#include "baselines/step_rules.hpp"
#include "core/low_rank_judge.hpp"
#include "core/spectral_set.hpp"
#include "linalg/orthonormal.hpp"
#include "steps/low_rank/iterate.hpp"

namespace pdbfw::low_rank {

enum class InnerSteps {
  classic,    // towards a vertex, with the exact step: what the papers have
  corrective  // to the best point X = U S V' of C, U and V the vectors of X_0 and of all vertices so far: a projection
              // of the small matrix S
};

class Sliding {
 public:
  Sliding(const Problem& p, const Settings& settings, InnerSteps steps)
      : p_(p), steps_(steps), top_(p.set->spectrum(), settings.threads, settings.seed) {}

  struct Goal {
    const Matrix& g;   // d x c
    double beta;       // > 0
    double tolerance;  // of the inner gap
  };
  // X is X_0, and then X+. Ends early when the run says so. Oracle calls are charged.
  void slide(const Goal& goal, Iterate& X, Run& run) {
    base_ = goal.g - goal.beta * X.dense();
    if (steps_ == InnerSteps::classic)
      classic(goal, X, run);
    else
      corrective(goal, X, run);
  }

  [[nodiscard]] double work() const { return top_.work(); }

 private:
  // Where the tolerance is out of reach.
  static constexpr Index kMostClassicSteps = 100'000, kMostCorrectiveSteps = 200;
  // The inner gap is known up to its rounding, in this share of what it is the sum of.
  static constexpr double kRounding = 1e-14;
  // A new vector adds nothing to a basis if this is left of it.
  static constexpr double kNothingNew = 1e-8;
  // The share of the tolerance that the oracle may be off; and its range, relative to the oracle's value.
  static constexpr double kShareOfTolerance = 0.1, kFinest = 1e-10, kCoarsest = 0.1;

  // An orthonormal basis that grows by a vector at a time.
  class Basis {
   public:
    explicit Basis(Matrix Q) : Q_(std::move(Q)) {}
    [[nodiscard]] const Matrix& Q() const { return Q_; }
    // Whether there was something new in v.
    bool add(Vector v) {
      const double length = v.norm();
      for (int round = 0; round < 2; ++round) v -= Q_ * (Q_.transpose() * v);  // twice is enough
      if (!(v.norm() > kNothingNew * length)) return false;
      Q_.conservativeResize(Eigen::NoChange, Q_.cols() + 1);
      Q_.rightCols(1) = v.normalized();
      return true;
    }

   private:
    Matrix Q_;
  };

  // X <- X + t (V - X),   t = min(1, gap / (beta |V - X|^2))
  void classic(const Goal& goal, Iterate& X, Run& run) {
    double base_X =
        X.formed() ? base_.cwiseProduct(*X.formed()).sum() : inner_product(base_, X.factors());  // <base, X>
    double accuracy = kCoarsest;
    for (Index k = 0; k < kMostClassicSteps && run.may_go_on(); ++k) {
      const Factors V = vertex(goal, X, accuracy, run);
      const double XX = X.squared_norm(), XV = X.inner(V), VV = V.s.squaredNorm(), base_V = inner_product(base_, V);
      const double at_X = base_X + goal.beta * XX, at_V = base_V + goal.beta * XV, gap = at_X - at_V;
      const double least = std::max(goal.tolerance, kRounding * (std::abs(at_X) + std::abs(at_V)));
      const double needed =
          std::clamp(kShareOfTolerance * std::max(goal.tolerance, gap) / std::abs(at_V), kFinest, kCoarsest);
      if (!(gap > least)) {
        if (accuracy <= 2 * needed || !std::isfinite(gap)) return;
        accuracy = needed;  // the vertex may have been too rough to tell
        continue;
      }
      accuracy = needed;
      const double t = std::min(1.0, gap / (goal.beta * (VV - 2 * XV + XX)));
      X.blend(t, V);
      base_X = (1 - t) * base_X + t * base_V;
    }
  }

  // The best point of C among U S V' is given by S = Proj( U'(X_0 - g / beta) V ), X_0 - g / beta = -base / beta.
  void corrective(const Goal& goal, Iterate& X, Run& run) {
    const Factors start = orthonormal(X.factors(), p_.set->spectrum());
    Basis left(start.U), right(start.V);
    Matrix image = base_ * start.V;  // of the right basis
    double accuracy = kCoarsest;
    for (Index k = 0; k < kMostCorrectiveSteps; ++k) {
      if (image.cols() > 0) {
        const Factors S = p_.set->project(Matrix(left.Q().transpose() * image / -goal.beta));
        X.blend(1, {left.Q() * S.U, S.s, right.Q() * S.V});
      }
      if (!run.may_go_on()) return;
      const Factors V = vertex(goal, X, accuracy, run);
      const Factors now = X.factors();
      const double at_X = inner_product(base_, now) + goal.beta * X.squared_norm();
      const double at_V = inner_product(base_, V) + goal.beta * X.inner(V), gap = at_X - at_V;
      accuracy = std::clamp(kShareOfTolerance * std::max(goal.tolerance, gap) / std::abs(at_V), kFinest, kCoarsest);
      const double least = std::max(goal.tolerance, kRounding * (std::abs(at_X) + std::abs(at_V)));
      if (!(gap > least) || V.rank() == 0) return;
      const bool has_left = left.add(V.U.col(0)), has_right = right.add(V.V.col(0));
      if (!has_left && !has_right) return;
      if (!has_right) continue;
      image.conservativeResize(Eigen::NoChange, image.cols() + 1);
      image.rightCols(1) = base_ * right.Q().rightCols(1);
    }
  }

  // The vertex for the inner gradient base + beta X.
  [[nodiscard]] Factors vertex(const Goal& goal, const Iterate& X, double accuracy, Run& run) {
    run.charge(0, 1);
    const DenseOperator base(base_);
    const auto x = X.as_operator();
    return p_.set->linear_oracle(SumOperator({{1, &base}, {goal.beta, x.get()}}), top_, accuracy);
  }

  const Problem& p_;
  InnerSteps steps_;
  TopSpectrum top_;
  Matrix base_;  // g - beta X_0
};

// The three sequences of the sliding methods, with their products:
//
//   z = (1 - gamma) y + gamma x,     x <- a sliding step with the gradient at z,     y <- (1 - gamma) y + gamma x
//
// A(x) is made from the factors of x after every slide; A(y) and A(z) are combinations of what is known.
class SlidingPoint {
 public:
  SlidingPoint(const Problem& problem, const Settings& settings)
      : p_(problem),
        threads_(settings.threads),
        x_(problem, {}),
        sliding_(problem, settings, settings.steps == "theory" ? InnerSteps::classic : InnerSteps::corrective) {}

  // x = y = z = a point whose w is known.
  void begin(const PrimalPoint& at) {
    x_ = Iterate(p_, factors_of(p_, at));
    entries_of_x_ = y_ = at.x;
    w_of_x_ = w_of_y_ = at.w;
  }

  // z and its w; the gradient there is the caller's business.
  void look_ahead(double gamma, PrimalPoint& z) const {
    z.x = (1 - gamma) * y_ + gamma * entries_of_x_;
    z.w = (1 - gamma) * w_of_y_ + gamma * w_of_x_;
    z.has_factors = false;
    z.rank = x_.rank();
  }

  // With the gradient ridge z - u at z.
  void step(const PrimalPoint& z, const SlidingNumbers& numbers, Run& run) {
    const Matrix g = p_.ridge * z.x - z.u;
    sliding_.slide({g, numbers.beta, numbers.eta}, x_, run);
    entries_of_x_ = x_.dense();
    run.charge(x_.apply(*p_.map, w_of_x_, threads_));
    y_ += numbers.gamma * (entries_of_x_ - y_);
    w_of_y_ += numbers.gamma * (w_of_x_ - w_of_y_);
  }

  // y, evaluated: w is computed anew.
  void look_at_y(PrimalPoint& out, Run& run) const {
    out.x = y_;
    out.has_factors = false;
    out.rank = x_.rank();
    run.charge(evaluate(p_, threads_, out) + differentiate(p_, threads_, out));
  }

  [[nodiscard]] double work() const { return sliding_.work(); }

 private:
  const Problem& p_;
  int threads_;
  Iterate x_;
  Matrix entries_of_x_, y_;
  Matrix w_of_x_, w_of_y_;
  Sliding sliding_;
};

}  // namespace pdbfw::low_rank
