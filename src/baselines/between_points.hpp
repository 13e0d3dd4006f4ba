// What the gradient methods of both families ask of two or three points: sums over all their numbers. Those of a point
// are vectors in one family, matrices in the other, and here only that there are as many of them.
#pragma once

#include "base/team.hpp"
#include "pdbfw/pairwise_sum.hpp"

namespace pdbfw {

template <class Term, class Numbers>
[[nodiscard]] double sum_over_all(const Numbers& numbers, const Term& term) {
  return pairwise_sum(0, static_cast<std::size_t>(numbers.size()), term);
}

// |b - a|^2
template <class PrimalPoint>
[[nodiscard]] double squared_distance(const PrimalPoint& a, const PrimalPoint& b) {
  const double *x_a = a.x.data(), *x_b = b.x.data();
  return sum_over_all(a.x, [&](std::size_t j) { return (x_b[j] - x_a[j]) * (x_b[j] - x_a[j]); });
}

// <b - a, c - b>: whether two steps go the same way.
template <class PrimalPoint>
[[nodiscard]] double product_of_steps(const PrimalPoint& a, const PrimalPoint& b, const PrimalPoint& c) {
  const double *x_a = a.x.data(), *x_b = b.x.data(), *x_c = c.x.data();
  return sum_over_all(a.x, [&](std::size_t j) { return (x_b[j] - x_a[j]) * (x_c[j] - x_b[j]); });
}

// <grad P(a), b - a>
template <class Problem, class PrimalPoint>
[[nodiscard]] double slope(const Problem& p, const PrimalPoint& a, const PrimalPoint& b) {
  const Curvatures q = curvatures(p);
  const double *x_a = a.x.data(), *x_b = b.x.data(), *u = a.u.data();
  return sum_over_all(a.x,
                      [&](std::size_t j) { return (q[static_cast<Index>(j)] * x_a[j] - u[j]) * (x_b[j] - x_a[j]); });
}

// <grad P(b) - grad P(a), b - a>, from the y of both:
//   (1/n) <f'(w_b) - f'(w_a), w_b - w_a> + sum_j q_j (b_j - a_j)^2
template <class Problem, class PrimalPoint>
[[nodiscard]] double change_of_slope(const Problem& p, const PrimalPoint& a, const PrimalPoint& b) {
  const Curvatures q = curvatures(p);
  const double *w_a = a.w.data(), *w_b = b.w.data(), *y_a = a.y.data(), *y_b = b.y.data();
  const double *x_a = a.x.data(), *x_b = b.x.data();
  const double of_losses = sum_over_all(a.w, [&](std::size_t i) { return (y_b[i] - y_a[i]) * (w_b[i] - w_a[i]); });
  const double of_ridge = sum_over_all(
      a.x, [&](std::size_t j) { return q[static_cast<Index>(j)] * (x_b[j] - x_a[j]) * (x_b[j] - x_a[j]); });
  return sum_over(p.team, of_losses) / static_cast<double>(p.samples()) + of_ridge;
}

}  // namespace pdbfw
