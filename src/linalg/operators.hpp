// Matrices known by their products, and those that the solvers are made of: dense matrices, factors, and sums of
// operators.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "linalg/dense_product.hpp"
#include "pdbfw/factors.hpp"

namespace pdbfw {

// A matrix M known by its products: what the spectral oracles work on, so that sparse + low rank + scaled is never
// formed.
class Operator {
 public:
  Operator() = default;
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;
  virtual ~Operator() = default;

  [[nodiscard]] virtual Index rows() const = 0;
  [[nodiscard]] virtual Index columns() const = 0;
  // out = M V (rows x s) and out = M'U (columns x s); the same bits for any number of threads.
  virtual void times(const Matrix& V, Matrix& out, int threads = 1) const = 0;
  virtual void transposed_times(const Matrix& U, Matrix& out, int threads = 1) const = 0;
  // Multiply-adds of one product with one column.
  [[nodiscard]] virtual double cost() const = 0;
  // The entries, where they are at hand; else null.
  [[nodiscard]] virtual const Matrix* entries() const { return nullptr; }
};

// Borrows the matrix, or keeps it where it is given away.
class DenseOperator final : public Operator {
 public:
  explicit DenseOperator(const Matrix& M) : M_(M) {}
  explicit DenseOperator(Matrix&& M) : own_(std::move(M)), M_(own_) {}
  [[nodiscard]] Index rows() const override { return M_.rows(); }
  [[nodiscard]] Index columns() const override { return M_.cols(); }
  void times(const Matrix& V, Matrix& out, int threads = 1) const override { out = pdbfw::times(M_, V, threads); }
  void transposed_times(const Matrix& U, Matrix& out, int threads = 1) const override {
    out = pdbfw::transposed_times(M_, U, threads);
  }
  [[nodiscard]] double cost() const override { return static_cast<double>(M_.size()); }
  [[nodiscard]] const Matrix* entries() const override { return &M_; }

 private:
  Matrix own_;
  const Matrix& M_;
};

// U diag(s) V', borrowed.
class FactorsOperator final : public Operator {
 public:
  explicit FactorsOperator(const Factors& X) : X_(X) {}
  [[nodiscard]] Index rows() const override { return X_.rows(); }
  [[nodiscard]] Index columns() const override { return X_.columns(); }
  // U (s o (V'v))
  void times(const Matrix& V, Matrix& out, int threads = 1) const override {
    out = pdbfw::times(X_.U, X_.s.asDiagonal() * pdbfw::transposed_times(X_.V, V, threads), threads);
  }
  void transposed_times(const Matrix& U, Matrix& out, int threads = 1) const override {
    out = pdbfw::times(X_.V, X_.s.asDiagonal() * pdbfw::transposed_times(X_.U, U, threads), threads);
  }
  [[nodiscard]] double cost() const override { return static_cast<double>(X_.U.size() + X_.V.size()); }

 private:
  const Factors& X_;
};

// sum_k scale_k M_k, of borrowed operators of one shape.
class SumOperator final : public Operator {
 public:
  using Terms = std::vector<std::pair<double, const Operator*>>;
  explicit SumOperator(Terms terms) : terms_(std::move(terms)) {}
  [[nodiscard]] Index rows() const override { return terms_.front().second->rows(); }
  [[nodiscard]] Index columns() const override { return terms_.front().second->columns(); }
  void times(const Matrix& V, Matrix& out, int threads = 1) const override {
    add_up(rows(), &Operator::times, V, out, threads);
  }
  void transposed_times(const Matrix& U, Matrix& out, int threads = 1) const override {
    add_up(columns(), &Operator::transposed_times, U, out, threads);
  }
  [[nodiscard]] double cost() const override {
    double sum = 0;
    for (const auto& [scale, M] : terms_) sum += M->cost() + static_cast<double>(rows());
    return sum;
  }

 private:
  void add_up(Index size, void (Operator::*product)(const Matrix&, Matrix&, int) const, const Matrix& V, Matrix& out,
              int threads) const {
    out.setZero(size, V.cols());
    Matrix term;
    for (const auto& [scale, M] : terms_) {
      (M->*product)(V, term, threads);
      out += scale * term;
    }
  }

  Terms terms_;
};

// (M + M') / 2 of a square operator.
class SymmetricPart final : public Operator {
 public:
  explicit SymmetricPart(std::unique_ptr<const Operator> M) : M_(std::move(M)) {}
  [[nodiscard]] Index rows() const override { return M_->rows(); }
  [[nodiscard]] Index columns() const override { return M_->columns(); }
  void times(const Matrix& V, Matrix& out, int threads = 1) const override {
    Matrix other;
    M_->times(V, out, threads);
    M_->transposed_times(V, other, threads);
    out = 0.5 * (out + other);
  }
  void transposed_times(const Matrix& U, Matrix& out, int threads = 1) const override { times(U, out, threads); }
  [[nodiscard]] double cost() const override { return 2 * M_->cost(); }

 private:
  std::unique_ptr<const Operator> M_;
};

// <M, X>_F by the factors of X, which need not be orthonormal.
[[nodiscard]] double inner_product(const Matrix& M, const Factors& X);
[[nodiscard]] double inner_product(const Factors& M, const Factors& X);
[[nodiscard]] double inner_product(const Operator& M, const Factors& X, int threads);

// [X, Z] with the values of each multiplied: a X + b Z.
[[nodiscard]] Factors combination(double a, const Factors& X, double b, const Factors& Z);

// An operator or its transpose, with its products counted.

class CountedOperator {
 public:
  CountedOperator(const Operator& M, bool is_transposed, int threads, double& multiply_adds)
      : M_(M), is_transposed_(is_transposed), threads_(threads), multiply_adds_(multiply_adds) {}

  [[nodiscard]] Index rows() const { return is_transposed_ ? M_.columns() : M_.rows(); }
  [[nodiscard]] Index columns() const { return is_transposed_ ? M_.rows() : M_.columns(); }
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] Matrix times(const Matrix& V) const { return product(V, is_transposed_); }
  [[nodiscard]] Matrix transposed_times(const Matrix& U) const { return product(U, !is_transposed_); }

  // All entries: those at hand, or by products with pieces of the identity.
  [[nodiscard]] Matrix formed() const {
    if (const Matrix* M = M_.entries()) return is_transposed_ ? Matrix(M->transpose()) : *M;
    constexpr Index kPiece = 64;
    Matrix out(rows(), columns());
    for (Index first = 0; first < columns(); first += kPiece) {
      const Index size = std::min(kPiece, columns() - first);
      Matrix piece = Matrix::Zero(columns(), size);
      piece.middleRows(first, size).setIdentity();
      out.middleCols(first, size) = times(piece);
    }
    return out;
  }

 private:
  [[nodiscard]] Matrix product(const Matrix& V, bool is_transposed) const {
    multiply_adds_ += M_.cost() * static_cast<double>(V.cols());
    Matrix out;
    if (is_transposed)
      M_.transposed_times(V, out, threads_);
    else
      M_.times(V, out, threads_);
    return out;
  }

  const Operator& M_;
  bool is_transposed_;
  int threads_;
  double& multiply_adds_;
};

}  // namespace pdbfw
