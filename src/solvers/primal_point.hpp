// What the primal methods know about a point x, and the constants that their step rules ask for.
#pragma once

#include <vector>

#include "core/monitor.hpp"
#include "pdbfw/problem.hpp"

namespace pdbfw {

// The gradient of P at x is q_j x_j - u_j; y = f'(A x) is the dual point that belongs to x.
struct PrimalPoint {
  std::vector<double> x;  // d
  std::vector<double> w;  // n: A x
  std::vector<double> y;  // n: f'(w)
  std::vector<double> u;  // d: -A'y / n
  double value = 0;       // P(x)
};

// With room for everything; only x is set.
[[nodiscard]] PrimalPoint point_at(const Problem& problem, std::vector<double> x);

// w = A x and P(x), by the columns of the non-zeros where that is cheaper. Returns the entries of A touched.
double evaluate(const Problem& problem, int threads, PrimalPoint& point);
// y = f'(w), u = -A'y / n. Returns the entries of A touched: all.
double differentiate(const Problem& problem, int threads, PrimalPoint& point);

// P(x) and g(x) for a w that is known already.
[[nodiscard]] double primal_value(const Problem& problem, std::span<const double> x, std::span<const double> w);
// D(y) for the u that belongs to y; `zone` is the last one, and then this one.
[[nodiscard]] double dual_value(const Problem& problem, std::span<const double> y, std::span<const double> u,
                                DeadZone& zone);
[[nodiscard]] Index count_nonzeros(std::span<const double> x);

// out_j = q_j x_j - u_j
void gradient_at(const Problem& problem, const PrimalPoint& point, std::vector<double>& out);
// to = Proj_C( x - step * gradient )
void gradient_step(const Problem& problem, const PrimalPoint& from, double step, std::vector<double>& to);

// x <- (1 - t) x + t vertex
void step_towards(const SparseAtom& vertex, double t, std::vector<double>& x);

// x <- argmin_{v in C} <grad P(x), v>, evaluated: where the bounds of Hazan and Luo begin. Returns the entries touched.
double move_to_best_vertex(const Problem& problem, int threads, PrimalPoint& point);

// How smooth the roughest of the terms f_i(a_i'x) + g(x) is; a pass over the data, which is charged.
[[nodiscard]] double largest_row_smoothness(const Problem& problem, Monitor& monitor);
// The largest distance of two points of C, given that C is spanned by the answers of its linear oracle.
[[nodiscard]] double diameter(const Problem& problem);

}  // namespace pdbfw
