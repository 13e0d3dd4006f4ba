#include "low_rank/row_coordinates.hpp"

#include <algorithm>
#include <cmath>

#include "core/spectral_set.hpp"
#include "linalg/dense_product.hpp"

namespace pdbfw::low_rank {
namespace {

// The median may be zero where the rows of A lie in a smaller space.
constexpr double kSmallestMedian = 1e-4;  // of the mean

}  // namespace

RowCoordinates::RowCoordinates(const Problem& problem, int threads)
    : space_(row_space(*problem.map->design(), threads)),
      n_(static_cast<double>(problem.n())),
      is_rotated_(problem.set->spectrum() == Spectrum::singular_values),
      threads_(threads) {
  const Vector lambda = space_.T.eigenvalues().cwiseMax(0) / n_;
  largest_ = lambda[lambda.size() - 1];
  const double median = lambda[lambda.size() / 2], mean = lambda.mean();
  typical_ = std::sqrt(std::max(median, kSmallestMedian * mean) * mean);
}

Matrix RowCoordinates::inside(Matrix X) const {
  return is_rotated_ ? transposed_times(space_.Q, X, threads_) : std::move(X);
}

Matrix RowCoordinates::outside(Matrix X) const {
  return is_rotated_ ? pdbfw::times(space_.Q, X, threads_) : std::move(X);
}

Matrix RowCoordinates::times(const Matrix& X) const {
  if (is_rotated_) return space_.T.times(X) / n_;
  return pdbfw::times(space_.Q, space_.T.times(transposed_times(space_.Q, X, threads_)) / n_, threads_);
}

// Outside of the space of A's rows S is zero:  X / b + Q ( (a T/n + b I)^-1 - I / b ) Q'X
Matrix RowCoordinates::solve(double a, double b, Matrix X) const {
  if (is_rotated_) {
    space_.T.solve(a / n_, b, X);
    return X;
  }
  const Matrix before = transposed_times(space_.Q, X, threads_);
  Matrix change = before;
  space_.T.solve(a / n_, b, change);
  change -= before / b;
  X /= b;
  add_times(1, space_.Q, change, X, threads_);
  return X;
}

double RowCoordinates::move_cost(Index columns) const {
  return is_rotated_ ? static_cast<double>(space_.Q.size()) * static_cast<double>(columns) : 0;
}

double RowCoordinates::solve_cost(Index columns) const {
  const double own = 4 * static_cast<double>(space_.T.size()) * static_cast<double>(columns);
  return is_rotated_ ? own : own + 2 * static_cast<double>(space_.Q.size()) * static_cast<double>(columns);
}

}  // namespace pdbfw::low_rank
