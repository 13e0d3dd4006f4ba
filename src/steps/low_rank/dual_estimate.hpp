// D(Y) along a run. A spectrum costs about as much as a step, so it is looked at now and then: Estimate::dual.
#pragma once

#include <algorithm>

#include "core/spectral_set.hpp"
#include "linalg/operators.hpp"
#include "pdbfw/low_rank_problem.hpp"
#include "pdbfw/settings.hpp"
#include "steps/low_rank/projection.hpp"

namespace pdbfw::low_rank {

class DualEstimate {
 public:
  DualEstimate(const Problem& p, const Settings& settings)
      : p_(p),
        accuracy_(std::min(1e-3, 0.1 * settings.tol)),
        projection_(p, settings, Projection::kForEstimates),
        top_(p.set->spectrum(), settings.threads, settings.seed),
        Y_(Matrix::Zero(p.n(), p.k())) {
    value_ = -p.loss->total_conjugate(Y_, settings.threads) / static_cast<double>(p.samples());
  }

  // Whether there is leisure for a look, given the multiply-adds of everything else so far.
  [[nodiscard]] bool is_due(double other_work) const { return cost() <= kShare * other_work; }

  // D(Y) for u = -A*(Y)/n, up to the accuracy of the spectrum, from above. The best one is kept.
  //   D(Y) = min_{X in C} { (ridge/2) |X|^2 - <u, X> } - (1/n) sum_i f_i*(Y_i),    at X = Proj_C(u / ridge)
  double look(const Matrix& Y, const Operator& u) {
    return keep(Y, u, p_.ridge > 0 ? projection_(SumOperator({{1 / p_.ridge, &u}})) : vertex(u));
  }

  double look(const Matrix& Y, const Matrix& u) {
    const DenseOperator product(u);
    return keep(Y, product, p_.ridge > 0 ? projection_(Matrix(u / p_.ridge)) : vertex(product));
  }

  [[nodiscard]] double value() const { return value_; }  // the best so far
  [[nodiscard]] const Matrix& Y() const { return Y_; }   // where it was found
  [[nodiscard]] double cost() const { return projection_.cost() + top_.work(); }

 private:
  static constexpr double kShare = 0.25;  // of all work

  [[nodiscard]] Factors vertex(const Operator& u) {
    return p_.set->linear_oracle(SumOperator({{-1, &u}}), top_, accuracy_);
  }

  double keep(const Matrix& Y, const Operator& u, const Factors& X) {
    const double part = 0.5 * p_.ridge * X.s.squaredNorm() - inner_product(u, X, top_.threads());
    const double value = part - p_.loss->total_conjugate(Y, top_.threads()) / static_cast<double>(p_.samples());
    if (value > value_) {
      value_ = value;
      Y_ = Y;
    }
    return value;
  }

  const Problem& p_;
  double accuracy_;  // of a value
  Projection projection_;
  TopSpectrum top_;
  double value_;
  Matrix Y_;
};

}  // namespace pdbfw::low_rank
