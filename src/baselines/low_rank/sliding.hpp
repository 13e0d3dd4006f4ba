// Conditional gradient sliding: the step of a gradient method, made by linear oracles instead of a projection.
//
//   X+ ~ argmin_{X in C} <g, X> + (beta/2) |X - X_0|^2,    begun at X_0, until its Frank-Wolfe gap is small enough
#pragma once

#include "baselines/low_rank/primal_point.hpp"
#include "core/low_rank_judge.hpp"
#include "steps/low_rank/iterate.hpp"

namespace pdbfw::low_rank {

enum class InnerSteps {
  classic,    // towards a vertex, with the exact step: what the papers have
  corrective  // to the best point X = U S V' of C, U and V the vectors of X_0 and of all vertices so far: a projection
              // of the small matrix S
};

class Sliding {
 public:
  Sliding(const Problem& problem, const Settings& settings, InnerSteps steps);

  struct Goal {
    const Matrix& g;   // d x c
    double beta;       // > 0
    double tolerance;  // of the inner gap
  };
  // X is X_0, and then X+. Ends early when the run says so. Oracle calls are charged.
  void slide(const Goal& goal, Iterate& X, Run& run);

  [[nodiscard]] double work() const { return top_.work(); }

 private:
  void classic(const Goal& goal, Iterate& X, Run& run);
  void corrective(const Goal& goal, Iterate& X, Run& run);
  // The vertex for the inner gradient base + beta X.
  [[nodiscard]] Factors vertex(const Goal& goal, const Iterate& X, double accuracy, Run& run);

  const Problem& p_;
  InnerSteps steps_;
  TopSpectrum top_;
  Matrix base_;  // g - beta X_0
};

// The three sequences of the sliding methods, with their products:
//
//   Z = (1 - gamma) Y + gamma X,     X <- a sliding step with the gradient at Z,     Y <- (1 - gamma) Y + gamma X
//
// A(X) is made from the factors of X after every slide; A(Y) and A(Z) are combinations of what is known.

class SlidingPoint {
 public:
  SlidingPoint(const Problem& problem, const Settings& settings, InnerSteps steps)
      : p_(problem), threads_(settings.threads), X_(problem, {}), sliding_(problem, settings, steps) {}

  // X = Y = Z = a point whose W is known.
  void begin(const PrimalPoint& at) {
    X_ = Iterate(p_, factors_of(p_, at));
    X_entries_ = Y_ = at.X;
    W_of_X_ = W_of_Y_ = at.W;
  }

  // Z and its W; the gradient there is the caller's business.
  void look_ahead(double gamma, PrimalPoint& Z) const {
    Z.X = (1 - gamma) * Y_ + gamma * X_entries_;
    Z.W = (1 - gamma) * W_of_Y_ + gamma * W_of_X_;
    Z.has_factors = false;
  }

  // With the gradient ridge Z - u at Z.
  void step(const PrimalPoint& Z, double gamma, double beta, double tolerance, Run& run) {
    const Matrix g = p_.ridge * Z.X - Z.u;
    sliding_.slide({g, beta, tolerance}, X_, run);
    X_entries_ = X_.dense();
    run.charge(X_.apply(*p_.map, W_of_X_, threads_));
    Y_ += gamma * (X_entries_ - Y_);
    W_of_Y_ += gamma * (W_of_X_ - W_of_Y_);
  }

  // Y, evaluated: W is computed anew.
  void look_at_Y(PrimalPoint& out, Run& run) const {
    out.X = Y_;
    out.has_factors = false;
    run.charge(evaluate(p_, threads_, out) + differentiate(p_, threads_, out));
  }

  [[nodiscard]] Index rank() const { return X_.rank(); }
  [[nodiscard]] double work() const { return sliding_.work(); }

 private:
  const Problem& p_;
  int threads_;
  Iterate X_;
  Matrix X_entries_, Y_;
  Matrix W_of_X_, W_of_Y_;
  Sliding sliding_;
};

}  // namespace pdbfw::low_rank
