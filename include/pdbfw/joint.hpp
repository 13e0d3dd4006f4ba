// Several classes (or labels, or numbers) learnt together, with sparse weights. Needs Eigen 3.4 on the caller's side.
//
//   const pdbfw::Classes classes = pdbfw::encode_classes(data.target);
//   const auto problem = pdbfw::joint::make_problem(data.A, classes, {.loss = "softmax", .set = "l1", .radius = 100});
//   const pdbfw::joint::Result result = pdbfw::joint::solve(problem, {.tol = 1e-4});
#pragma once

#include <string_view>
#include <vector>

#include "pdbfw/dataset.hpp"
#include "pdbfw/formulation.hpp"
#include "pdbfw/joint_problem.hpp"

namespace pdbfw::joint {

// One class a row. The losses are those of low_rank.hpp, the sets are l1, one ball for all weights; l1_per_class, one
// for the weights of each class. Throws InputError: unknown name (with the nearest known one), number out of range,
// targets that do not fit.
[[nodiscard]] Problem make_problem(MatrixPtr A, const Classes& classes, const Formulation& formulation);

// c outputs of any kind: a row of B has a class (c outputs in all), or c of -1 and +1, or c numbers, as the loss wants.
[[nodiscard]] Problem make_problem(MatrixPtr A, Matrix B, Index outputs, const Formulation& formulation);

// As solve() of solve.hpp: throws InputError for bad input, afterwards all trouble is in Result::status. There is one
// algorithm, and Settings::solver is auto.
[[nodiscard]] Result solve(const Problem& problem, const Settings& settings = {}, const Callback& callback = {},
                           const Start& start = {});

}  // namespace pdbfw::joint
