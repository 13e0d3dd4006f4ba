// Coordinates in which a solve with A'A costs next to nothing.                                                 [M31a]
#pragma once

#include <algorithm>
#include <cmath>

#include "core/spectral_set.hpp"
#include "linalg/dense_product.hpp"
#include "linalg/row_space.hpp"
#include "pdbfw/low_rank_problem.hpp"

namespace pdbfw::low_rank {

// With A'A = Q T Q':  X is kept as Q'X where the set asks for singular values only, which are those of X; S X = T X / n
// is tridiagonal then. The parts of X outside the space of A's rows only add to its trace norm and to |X|_F, so the
// solution has none. For eigenvalues X is kept as it is.
class RowCoordinates {
 public:
  RowCoordinates(const Problem& problem, int threads)
      : space_(row_space(*problem.map->design(), threads)),
        n_(static_cast<double>(problem.n())),
        is_rotated_(problem.set->spectrum() == Spectrum::singular_values),
        threads_(threads) {
    const Vector lambda = space_.T.eigenvalues().cwiseMax(0) / n_;
    largest_ = lambda[lambda.size() - 1];
    const double median = lambda[lambda.size() / 2], mean = lambda.mean();
    typical_ = std::sqrt(std::max(median, kSmallestMedian * mean) * mean);
  }

  [[nodiscard]] Index rows() const { return is_rotated_ ? space_.Q.cols() : space_.Q.rows(); }
  [[nodiscard]] Matrix inside(Matrix X) const {
    return is_rotated_ ? transposed_times(space_.Q, X, threads_) : std::move(X);
  }

  [[nodiscard]] Matrix outside(Matrix X) const {
    return is_rotated_ ? pdbfw::times(space_.Q, X, threads_) : std::move(X);
  }

  // S X, S = A'A / n.
  [[nodiscard]] Matrix times(const Matrix& X) const {
    if (is_rotated_) return space_.T.times(X) / n_;
    return pdbfw::times(space_.Q, space_.T.times(transposed_times(space_.Q, X, threads_)) / n_, threads_);
  }

  // (a S + b I)^-1 X, b > 0.
  // Outside of the space of A's rows S is zero:  X / b + Q ( (a T/n + b I)^-1 - I / b ) Q'X
  [[nodiscard]] Matrix solve(double a, double b, Matrix X) const {
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

  [[nodiscard]] double largest() const { return largest_; }  // eigenvalue of S
  [[nodiscard]] double typical() const { return typical_; }  // geometric mean of the mean eigenvalue and the median

  [[nodiscard]] double preparation() const { return space_.multiply_adds; }
  // Multiply-adds of inside(), of outside(), and those of one solve.
  [[nodiscard]] double move_cost(Index columns) const {
    return is_rotated_ ? static_cast<double>(space_.Q.size()) * static_cast<double>(columns) : 0;
  }

  [[nodiscard]] double solve_cost(Index columns) const {
    const double own = 4 * static_cast<double>(space_.T.size()) * static_cast<double>(columns);
    return is_rotated_ ? own : own + 2 * static_cast<double>(space_.Q.size()) * static_cast<double>(columns);
  }

 private:
  // The median may be zero where the rows of A lie in a smaller space.
  static constexpr double kSmallestMedian = 1e-4;  // of the mean

  RowSpace space_;
  double n_;
  bool is_rotated_;
  int threads_;
  double largest_ = 0, typical_ = 0;
};

}  // namespace pdbfw::low_rank
