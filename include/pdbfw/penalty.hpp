// The other way of saying how sparse: a penalty on the l1 norm instead of a radius.
//
//   min over x of  P(x) + alpha |x|_1
//
// has the solution of the l1 ball whose multiplier is alpha. The radius is searched for, every solve beginning where
// the last one ended, until the penalised problem itself is proven to be solved. [M39]
//
//   const pdbfw::Penalised lasso = pdbfw::solve_penalised(problem, 0.1);     // problem's own radius has no say
//   lasso.result.x, lasso.certificate.relative_gap, lasso.radius
#pragma once

#include <span>

#include "pdbfw/solve.hpp"

namespace pdbfw {

struct Penalised {
  double radius = 0;        // of the ball with the same solution
  Result result;            // of that ball, with the certificate of that problem
  Certificate certificate;  // of the penalised problem; the violation is always 0
};

// Throws InputError: alpha is a finite number > 0 and the set is l1. The limits of the settings are those of one solve.
[[nodiscard]] Penalised solve_penalised(const Problem& problem, double alpha, const Settings& settings = {},
                                        const Callback& callback = {});

// P(x) + alpha |x|_1 against its dual at y, recomputed from the data. Where features have no ridge, y is shrunk until
// it proves something.
[[nodiscard]] Certificate certify_penalised(const Problem& problem, double alpha, std::span<const double> x,
                                            std::span<const double> y, int threads = 1);

}  // namespace pdbfw
