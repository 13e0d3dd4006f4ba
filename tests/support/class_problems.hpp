// Random data of several classes, the same for the same seed.
#pragma once

#include <utility>

#include "base/random.hpp"
#include "pdbfw/joint.hpp"
#include "reference/dense.hpp"
#include "support/problems.hpp"

namespace pdbfw::test {

struct ClassData {
  MatrixPtr A;
  Classes classes;
};

// The class with the largest of k random scores, with some noise; the first k rows have one class each.
inline ClassData random_classes(const Shape& shape, Index k, std::uint64_t seed) {
  Random random(seed);
  const reference::DenseMatrix A = random_matrix(shape, random);
  std::vector<std::vector<double>> scores;
  for (Index j = 0; j < k; ++j)
    scores.push_back(reference::times(A, random_vector(static_cast<std::size_t>(shape.d), random)));
  ClassData data{reference::sparse(A), {}};
  for (Index j = 0; j < k; ++j) data.classes.original.push_back(static_cast<double>(10 * j));
  for (Index i = 0; i < shape.n; ++i) {
    std::pair<double, Index> best{-1e300, 0};
    for (Index j = 0; j < k; ++j)
      best =
          std::max(best, {scores[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] + 0.3 * random.normal(), j});
    data.classes.index.push_back(i < k ? i : best.second);
  }
  return data;
}

}  // namespace pdbfw::test
