// The three sequences of the sliding methods, with their products:
//
//   Z = (1 - gamma) Y + gamma X,     X <- a sliding step with the gradient at Z,     Y <- (1 - gamma) Y + gamma X
//
// A(X) is made from the factors of X after every slide; A(Y) and A(Z) are combinations of what is known.
#pragma once

#include "baselines/low_rank/primal_point.hpp"
#include "baselines/low_rank/sliding.hpp"

namespace pdbfw::low_rank {

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
