// Several classes (or labels, or numbers) learnt together, with sparse weights:
//   min over X in C of   P(X) = (1/n) sum_i f_i(X'a_i) + (ridge/2) |X|_F^2,   X of size d x c.                   [M45]
// `make_problem` (joint.hpp) builds one from names and numbers. Needs Eigen 3.4 on the caller's side.
#pragma once

#include <memory>
#include <vector>

#include "pdbfw/matrix.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/row_loss.hpp"
#include "pdbfw/set.hpp"

namespace pdbfw::joint {

// A matrix of which few rows are not zero.
struct SparseRows {
  Index rows = 0;
  std::vector<Index> at{};  // which ones, ascending
  Matrix value{};           // a row for each of them
  [[nodiscard]] Index columns() const { return value.cols(); }
  [[nodiscard]] Index nonzeros() const { return (value.array() != 0).count(); }
};

// Plain data, immutable while it is solved, safe to share between threads.
struct Problem {
  MatrixPtr A;                          // n x d
  Index outputs;                        // c
  std::shared_ptr<const RowLoss> loss;  // with the targets of n samples
  double ridge = 0;
  // A set of vectors that has a dead zone. X is in C if all its entries are in the set as one vector or, per output, if
  // each of its columns is.
  std::shared_ptr<const Set> set;
  bool is_per_output = false;

  [[nodiscard]] Index n() const { return A->rows(); }
  [[nodiscard]] Index d() const { return A->columns(); }
  [[nodiscard]] Index c() const { return outputs; }
};

// The one judge: all of it from A, the loss, X and Y; Y is balanced first if there are intercepts.
[[nodiscard]] Certificate certify(const Problem& problem, const SparseRows& X, const Matrix& Y, int threads = 1);

// Where to begin: what an earlier solve of a similar problem gave back, or nothing (no rows).
struct Start {
  SparseRows X{};
  Matrix Y{};
};

struct Result : Outcome {
  SparseRows X;         // d x c
  Matrix Y;             // n x c: the proof
  Vector intercepts{};  // c, zeros where the formulation asks for none
};

}  // namespace pdbfw::joint
