// X of the Frank-Wolfe methods, which grows by one atom per iteration.
//
//   X <- (1 - t) X + t V
//
// Kept in factors: those of V are put beside those of X, and compressed when they have doubled. When factors would hold
// more numbers than X has entries, X is formed (if it may be), and stays so.
#pragma once

#include <memory>

#include "core/spectral_set.hpp"
#include "linalg/operators.hpp"
#include "pdbfw/low_rank_problem.hpp"

namespace pdbfw::low_rank {

class Iterate {
 public:
  // Begins at zero where there is no start.
  Iterate(const Problem& problem, const Factors& start);

  void blend(double t, const Factors& V);

  [[nodiscard]] double squared_norm() const { return squared_norm_; }  // |X|_F^2
  [[nodiscard]] double inner(const Factors& V) const;                  // <X, V>
  [[nodiscard]] Index rank() const;                                    // at most
  [[nodiscard]] const Matrix* formed() const { return X_.size() > 0 ? &X_ : nullptr; }

  // Borrows this iterate as it is now.
  [[nodiscard]] std::unique_ptr<const Operator> as_operator() const;
  [[nodiscard]] Factors factors() const;
  [[nodiscard]] Matrix dense() const { return formed() ? X_ : factors_.dense(); }

  // W = A(X). Returns the multiply-adds.
  double apply(const LinearMap& map, Matrix& W, int threads) const;

 private:
  void compress();

  Spectrum spectrum_;
  bool may_be_formed_;
  Factors factors_;  // not orthonormal; empty once formed
  Matrix X_;         // empty until formed
  Index compressed_rank_ = 0;
  double squared_norm_ = 0;
};

// P(X) from W = A(X) and |X|_F^2.
[[nodiscard]] double objective(const Problem& problem, const Matrix& W, double squared_norm, int threads);

// Where d x c numbers may be formed: several such matrices fit into the memory of a small machine.
inline constexpr double kMostFormed = 1e8;
[[nodiscard]] bool may_be_formed(const Problem& problem);

// Throws InputError for a solver that has to form d x c matrices.
void require_formed(const Problem& problem, std::string_view solver);

}  // namespace pdbfw::low_rank
