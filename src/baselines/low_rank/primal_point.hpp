// What the gradient methods know about a point X, with all its entries.
#pragma once

#include <numbers>
#include <utility>

#include "core/low_rank_judge.hpp"
#include "core/spectral_set.hpp"
#include "pdbfw/low_rank_problem.hpp"
#include "steps/low_rank/dual_estimate.hpp"

namespace pdbfw::low_rank {

// The gradient of P at X is ridge X - u; Y = grad f(A(X)) is the dual point that belongs to X.
struct PrimalPoint {
  Matrix X;         // d x c
  Factors factors;  // of X, where they are known
  bool has_factors = false;
  Matrix W;          // n x k: A(X)
  Matrix Y;          // n x k: grad f(W)
  Matrix u;          // d x c: -A*(Y) / n
  double value = 0;  // P(X)

  void set(Factors X_in_factors, int threads);
};

// At the start's X, or at zero where there is none; only X is set.
[[nodiscard]] PrimalPoint point_at(const Problem& problem, const Factors& start, int threads);

// The factors of X, computed where they are not known.
[[nodiscard]] Factors factors_of(const Problem& problem, const PrimalPoint& point);

// W = A(X) and P(X), by the factors where that is cheaper. Returns the multiply-adds.
double evaluate(const Problem& problem, int threads, PrimalPoint& point);
// Y = grad f(W), u = -A*(Y) / n. Returns the multiply-adds.
double differentiate(const Problem& problem, int threads, PrimalPoint& point);

// P(X) for a W that is known already.
[[nodiscard]] double primal_value(const Problem& problem, int threads, const Matrix& X, const Matrix& W);

[[nodiscard]] inline double dot(const Matrix& a, const Matrix& b) { return a.cwiseProduct(b).sum(); }

// What the methods that answer such a point have in common, and the settings that all of them read.
class PrimalPointEngine : public Engine {
 public:
  [[nodiscard]] Point point() override { return {factors_of(p_, answer_), dual_.Y()}; }

 protected:
  PrimalPointEngine(const Problem& problem, const Settings& settings, const Start& start);
  // Charges what was done before there was a run.
  void pay(Run& run) { run.charge(std::exchange(owed_, 0)); }
  [[nodiscard]] double gap() const { return answer_.value - dual_.value(); }

  const Problem& p_;
  const bool is_theory_;
  const double scale_;
  const int threads_;
  PrimalPoint answer_;
  DualEstimate dual_;

 private:
  double owed_;  // multiply-adds before there was a run
};

// The constants that the step rules of the papers are made of.

// L of the whole objective:  beta |A|^2 / n + ridge
[[nodiscard]] inline double primal_smoothness(const Problem& p) {
  return p.loss->smoothness() * p.map->squared_norm() / static_cast<double>(p.samples()) + p.ridge;
}

// L of the roughest of the terms f_i(A(X)_i) + (ridge/2) |X|^2
[[nodiscard]] inline double sample_smoothness(const Problem& p) {
  return p.loss->smoothness() * p.map->largest_squared_sample_norm() + p.ridge;
}

// The largest distance of two points of C: V and -V of rank one, or two orthogonal ones where there is no -V.
[[nodiscard]] inline double diameter(const Problem& p) {
  return p.set->radius() * (p.set->spectrum() == Spectrum::eigenvalues ? std::numbers::sqrt2 : 2);
}

}  // namespace pdbfw::low_rank
