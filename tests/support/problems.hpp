// Random problems of a wanted shape, the same for the same seed.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "apps/registry.hpp"
#include "base/random.hpp"
#include "pdbfw/solve.hpp"
#include "reference/dense.hpp"

namespace pdbfw::test {

struct Shape {
  Index n = 20;
  Index d = 10;
  double density = 0.5;
  double scale = 1;         // of the entries
  double column_decay = 1;  // column j is scaled by column_decay^j
};

inline reference::DenseMatrix random_matrix(const Shape& shape, Random& random) {
  reference::DenseMatrix A(shape.n, shape.d);
  double scale = shape.scale;
  for (Index j = 0; j < shape.d; ++j, scale *= shape.column_decay)
    for (Index i = 0; i < shape.n; ++i)
      if (random.uniform() < shape.density) A(i, j) = scale * random.normal();
  return A;
}

inline std::vector<double> random_vector(std::size_t size, Random& random) {
  std::vector<double> v(size);
  for (double& v_j : v) v_j = random.normal();
  return v;
}

// Targets that a sparse model explains up to some noise; labels are their signs, both always present when n > 1.
inline std::vector<double> random_targets(const reference::DenseMatrix& A, bool are_labels, Random& random) {
  std::vector<double> model(static_cast<std::size_t>(A.columns));
  for (double& m : model) m = random.uniform() < 0.5 ? random.normal() : 0.0;
  std::vector<double> b = reference::times(A, model);
  for (double& b_i : b) b_i += 0.3 * random.normal();
  if (!are_labels) return b;
  for (double& b_i : b) b_i = b_i > 0 ? 1 : -1;
  if (b.size() > 1) b[0] = -b[1];
  return b;
}

inline bool takes_labels(const Formulation& formulation) {
  return make_loss(formulation)->target_kind() == TargetKind::labels;
}

inline Problem random_problem(const Shape& shape, const Formulation& formulation, std::uint64_t seed) {
  Random random(seed);
  const reference::DenseMatrix A = random_matrix(shape, random);
  std::vector<double> b = random_targets(A, takes_labels(formulation), random);
  return make_problem(reference::sparse(A), std::move(b), formulation);
}

inline std::vector<double> targets_of(const Problem& problem) {
  const std::span<const double> targets = problem.loss->targets();
  return {targets.begin(), targets.end()};
}

}  // namespace pdbfw::test
