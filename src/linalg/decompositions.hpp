// Decompositions of dense matrices. They are Eigen's, whose code takes long to compile: decompositions.cpp is the only
// source that includes it, and everything else asks here.
#pragma once

#include "linalg/dense_product.hpp"
#include "pdbfw/factors.hpp"

namespace pdbfw {

struct Eigenpairs {
  Vector values;            // ascending
  Eigen::MatrixXd vectors;  // one column per value, orthonormal
};

// The eigenpairs of a symmetric matrix, of which only the lower triangle is read.
[[nodiscard]] Eigenpairs eigenpairs(const Eigen::MatrixXd& M);

// The same for the symmetric tridiagonal matrix with these entries on and beside its diagonal.
[[nodiscard]] Eigenpairs tridiagonal_eigenpairs(const Vector& diagonal, const Vector& beside);

// The shortest X with M X = B for a symmetric positive semidefinite M. Its diagonal is made 1 first, and directions
// that others explain up to rounding are left out.
[[nodiscard]] Eigen::MatrixXd solve_semidefinite(Eigen::MatrixXd M, const Eigen::MatrixXd& B);

// M = Q T Q' for a symmetric M, of which only the lower triangle is read; T is tridiagonal.
struct TridiagonalForm {
  Eigen::MatrixXd Q;
  Vector diagonal, beside;
};
[[nodiscard]] TridiagonalForm tridiagonal_form(const Eigen::MatrixXd& M);

// M = U diag(s) V' with min(rows, columns) values, descending. `singular_values` divides and conquers; it is quick, but
// Eigen 3.4's answers NaN for a rare matrix whose values crowd at the size of rounding, and calls it a success.
// `singular_values_by_rotations` always gets there.
[[nodiscard]] Factors singular_values(const Eigen::MatrixXd& M);
[[nodiscard]] Factors singular_values_by_rotations(const Eigen::MatrixXd& M);

// M = Q R by Householder's reflections, with min(rows, columns) columns in Q.
struct OrthogonalTriangular {
  Eigen::MatrixXd Q, R;
};
[[nodiscard]] OrthogonalTriangular orthogonal_triangular(const Eigen::MatrixXd& M);

// An orthonormal basis of the columns of M, which have length 1, without those that are within `nearly_dependent` of
// the span of the others.
[[nodiscard]] Matrix independent_columns(const Eigen::MatrixXd& M, double nearly_dependent);

// Cholesky's factor, blocks of it by the products of dense_product.hpp: they take what the processor has, where Eigen
// takes what the library was compiled for.

class Cholesky {
 public:
  // L L' = S; only the lower triangle of S is read. False where S is not positive definite: then there is no factor.
  bool factor(Matrix S);
  // S^-1 v; not numbers where there is no factor.
  [[nodiscard]] Vector solve(const Vector& v) const;

 private:
  Matrix L_;  // above the diagonal is anything
  bool is_good_ = false;
};

// The largest singular values of a matrix with few columns.

// A V = U diag(s), for the `count` largest singular values of A, descending and > 0; fewer where the others are zero up
// to rounding. Work: products of A with its columns, and decompositions of the size of its columns.
[[nodiscard]] Factors largest_singular(const Matrix& A, Index count, int threads = 1);

// Symmetric tridiagonal matrices: products and solves cost as much as reading the right-hand sides.

struct Tridiagonal {
  Vector diagonal;  // t_ii
  Vector beside;    // t_{i, i + 1}, one fewer

  [[nodiscard]] Index size() const { return diagonal.size(); }
  [[nodiscard]] Matrix times(const Matrix& X) const;
  // X <- (a T + b I)^-1 X, for T positive semidefinite, a >= 0, b > 0.
  void solve(double a, double b, Matrix& X) const;
  [[nodiscard]] Vector eigenvalues() const;  // ascending
};

}  // namespace pdbfw
