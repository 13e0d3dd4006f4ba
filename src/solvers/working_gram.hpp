// The columns of A in a working set W, packed, and the curvature of the loss on them.                          [M15]
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/dense_product.hpp"
#include "pdbfw/problem.hpp"

namespace pdbfw {

//   H = (1/n) A_W' diag(k) A_W,   C = (1/n) A_W' diag(k) Z,   M = (1/n) Z' diag(k) Z
//
// with Z the free columns of the loss and k_i a curvature of row i. All three are kept from step to step: when W
// changes only its new columns cost anything, and when the loss has moved on only the rows whose curvature has changed.
//
// The model without its free weights, which are at their best for any change of the entries:
//
//   R = H + diag(q) - C M^-1 C',   g = the slope of x less what moving t takes away
struct ReducedModel {
  Matrix R;
  Vector g;
  Eigen::MatrixXd solved;  // M^-1 [C', the slope of t]; nothing without free columns

  // Where the free weights go when the entries change.
  [[nodiscard]] std::vector<double> free_weights(const Vector& change) const;
};

class WorkingGram {
 public:
  explicit WorkingGram(const Problem& problem);

  // W, ascending.
  void choose(std::vector<Index> features);
  [[nodiscard]] const std::vector<Index>& features() const { return features_; }
  [[nodiscard]] double entries() const { return entries_; }  // of A_W
  // Multiply-adds that H costs when nothing of it is known, as if of entries of A.
  [[nodiscard]] double cost() const;

  // k_i = max(bend_i, least), or what it was where that is nearly the same.
  void refresh(std::span<const double> bend, double least);
  [[nodiscard]] const Matrix& H() const { return H_; }
  [[nodiscard]] const Matrix& C() const { return C_; }
  [[nodiscard]] const Matrix& M() const { return M_; }
  // With the curvatures q of the regulariser on W, and the slopes of x and of t.
  [[nodiscard]] ReducedModel reduced(std::span<const double> q, std::span<const double> gradient,
                                     std::span<const double> free_gradient) const;

  // Multiply-adds with entries of A since the last call.
  [[nodiscard]] double take_work();

 private:
  void pack();
  void add_columns(const std::vector<std::size_t>& fresh);
  void add_rows(std::span<const double> change);
  void take_features(bool is_anew);
  void refresh_free();
  // Columns `at` of A_W in `rows`, one after the other, times `scale` of each row if that is not empty.
  [[nodiscard]] Matrix dense_part(std::span<const std::size_t> at, std::span<const Index> rows,
                                  std::span<const double> scale) const;

  const Problem& p_;
  bool is_dense_;
  std::vector<Index> features_;
  double entries_ = 0;
  // Sparse data: rows of A_W.
  std::vector<Index> start_;
  std::vector<std::uint32_t> place_;  // in W, ascending in every row
  std::vector<double> value_;
  bool is_packed_ = false;

  Matrix H_, C_, M_;
  std::vector<Index> gram_of_;     // the features that H is for; the same as W after refresh()
  std::vector<double> curvature_;  // k
  bool has_curvature_ = false;
  double work_ = 0;
};

}  // namespace pdbfw
