// certify() once more, with nothing of the library but the scalar formulas of the loss: full matrices, plain loops.
#pragma once

#include "pdbfw/result.hpp"
#include "reference/dense.hpp"
#include "reference/sets.hpp"

namespace pdbfw::reference {

inline Certificate certify(const Problem& p, std::span<const double> x, std::span<const double> y) {
  const DenseMatrix A = expand(*p.A);
  const auto n = static_cast<double>(p.n());
  const Curvatures q = p.regulariser->curvatures();
  const std::vector<double> w = times(A, x);
  Certificate out;
  double at_zero = 0, conjugates = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    out.primal += p.loss->value(i, w[i]) / n;
    at_zero += p.loss->value(i, 0.0) / n;
    conjugates += p.loss->conjugate(i, y[i]) / n;
  }
  double norm = 0, sum = 0, smallest = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    out.primal += 0.5 * q[static_cast<Index>(j)] * x[j] * x[j];
    norm += std::abs(x[j]);
    sum += x[j];
    smallest = std::min(smallest, x[j]);
  }
  const double over = (is_ball(*p.set) ? norm : sum) - p.set->radius();
  out.violation = std::max({holds_zero(*p.set) ? over : std::abs(over), is_ball(*p.set) ? 0.0 : -smallest, 0.0});
  std::vector<double> u = transposed_times(A, y);
  for (double& u_j : u) u_j *= -1 / n;
  out.dual = smallest_of_set(*p.set, u, q) - conjugates;
  out.gap = out.primal - out.dual;
  constexpr double kSmallest = std::numeric_limits<double>::min();  // where all of them are zero
  out.relative_gap = out.gap / std::max({std::abs(out.primal), kTinyFraction * at_zero, kSmallest});
  return out;
}

}  // namespace pdbfw::reference
