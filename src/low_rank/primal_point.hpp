// What the gradient methods know about a point X, with all its entries.
#pragma once

#include "pdbfw/low_rank_problem.hpp"

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

}  // namespace pdbfw::low_rank
