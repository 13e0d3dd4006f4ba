// Linear maps from d x c matrices to n samples of k outputs: what stands between X and the losses.            [M23]
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "pdbfw/factors.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {

class Operator;  // a matrix known by its products (linalg/operators.hpp)

class LinearMap : public std::enable_shared_from_this<LinearMap> {
 public:
  LinearMap() = default;
  LinearMap(const LinearMap&) = delete;
  LinearMap& operator=(const LinearMap&) = delete;
  virtual ~LinearMap() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual Index samples() const = 0;  // n
  [[nodiscard]] virtual Index outputs() const = 0;  // k
  [[nodiscard]] virtual Index rows() const = 0;     // d
  [[nodiscard]] virtual Index columns() const = 0;  // c

  // W = A(X), n x k.
  virtual void apply(const Factors& X, Matrix& W, int threads = 1) const = 0;
  virtual void apply(const Matrix& X, Matrix& W, int threads = 1) const = 0;
  // Z += scale * A*(Y), formed: d x c numbers.
  virtual void add_adjoint(const Matrix& Y, double scale, Matrix& Z, int threads = 1) const = 0;
  // A*(Y) as an operator. Borrows Y; may copy the map's structure but never forms d x c numbers that the map has not.
  [[nodiscard]] virtual std::unique_ptr<const Operator> adjoint(const Matrix& Y) const = 0;
  // The map of some of the samples, in the order given (repeats allowed).
  [[nodiscard]] virtual std::shared_ptr<const LinearMap> subset(std::span<const Index> samples) const = 0;

  // An upper bound on |A|^2 = max |A(X)|^2 / |X|_F^2, no more than 2 % above it, and on the same of any one sample.
  [[nodiscard]] virtual double squared_norm() const = 0;
  [[nodiscard]] virtual double largest_squared_sample_norm() const = 0;

  // Multiply-adds: of A(X) for X of this rank, of A(X) for X with all its entries (the same for the formed adjoint).
  [[nodiscard]] virtual double apply_cost(Index rank) const = 0;
  [[nodiscard]] virtual double pass_cost() const = 0;

  // A, for the map X -> A X only, and for callers that can use it; else null.
  [[nodiscard]] virtual const DataMatrix* design() const { return nullptr; }
};

using MapPtr = std::shared_ptr<const LinearMap>;

// A set of such matrices, defined by their singular values or eigenvalues; make_spectral_set (low_rank.hpp) makes one.
class SpectralSet;

// W = A X: every row of A is a sample with c outputs.
[[nodiscard]] MapPtr rows_map(MatrixPtr A, Index columns);

// W_i = X[row_i, column_i]: matrix completion. A pair may occur more than once.
[[nodiscard]] MapPtr entries_map(Index rows, Index columns, const std::vector<Index>& row,
                                 const std::vector<Index>& column);

// W_i = <A_i, X>. The A_i as rows of an n x (d c) matrix, row after row of A_i; sparse or dense.
[[nodiscard]] MapPtr products_map(MatrixPtr A, Index rows, Index columns);
// W_i = l_i' X r_i, A_i = l_i r_i': n x d and n x c.
[[nodiscard]] MapPtr rank_one_map(MatrixPtr left, MatrixPtr right);

// W_i = sum over the q rows g of group i of g'X g: phase retrieval (X symmetric). G is (q n) x d; q = 1 for real
// measurements, 2 for the real and the imaginary parts of complex ones.
[[nodiscard]] MapPtr quadratic_map(const MatrixPtr& G, Index group = 1);

}  // namespace pdbfw
