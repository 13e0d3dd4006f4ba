// The quadratic model of P on a few features, and its minimiser over C.
#pragma once

#include <span>
#include <vector>

#include "core/run.hpp"
#include "pdbfw/problem.hpp"
#include "solvers/face_hessian.hpp"
#include "solvers/kept_gram.hpp"

namespace pdbfw {

// Features J of a point of C that is 0 elsewhere.
struct LocalPoint {
  std::vector<std::size_t> position{};  // of J in what it was chosen from, for the caller
  std::vector<Index> feature;
  std::vector<double> x;         // on J
  std::vector<double> gradient;  // of P on J
  bool is_tight = false;         // the radius is met
  bool is_one_sided = false;     // C wants x >= 0
};

// An (almost) minimiser over C of                                                                             [M15]
//     <gradient, e> + 1/2 e'H e,   e = x_new - x on J,   H = (1/n) A_J' diag(max(f_i''(w_i), least)) A_J + diag(q_J),
// by an active-set method: Newton on a face, until an entry reaches zero (it leaves) or the ball (it becomes tight); at
// the minimum of a face, the entries that most want to enter do. What is returned lies in C and does not raise the
// model. It ends when all is done, when `most_effort` multiply-adds of any kind were, or when the run says so; the
// run is charged with those with entries of A. `rows` are those of A on J and maybe other features.
[[nodiscard]] std::vector<double> minimise_model(const Problem& problem, const LocalPoint& point,
                                                 const FeatureRows& rows, std::span<const double> w,
                                                 double least_curvature, double most_effort, Run& run);

// The same over all features where the curvature is kept. `everything` has all features, in order.
[[nodiscard]] std::vector<double> minimise_kept_model(const Problem& problem, const LocalPoint& everything,
                                                      std::span<const double> w, double least_curvature, KeptGram& kept,
                                                      double most_effort, Run& run);

}  // namespace pdbfw
