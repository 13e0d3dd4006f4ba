// A general polytope: the convex hull of finitely many points, its atoms.                                        [M4c]
//
//   problem.set = pdbfw::make_polytope(atoms);                          // one row of the matrix an atom
//   problem.set = pdbfw::make_polytope([](std::span<const double> gradient) { return vertex; });
//
// The solvers pdfw and fw take it, and auto takes pdfw; the certificate needs the linear oracle only.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "pdbfw/matrix.hpp"
#include "pdbfw/set.hpp"

namespace pdbfw {

// The atom v with the smallest <gradient, v>; the same bits whenever it is the same atom. Called from many threads if
// many solves share the set; what it throws comes out of the solve.
using LinearOracle = std::function<SparseAtom(std::span<const double> gradient)>;

// The hull of radius times each row of `atoms`. Throws InputError: no rows, or a radius that is not finite and > 0. A
// problem must have as many features as the atoms have columns, or more.
[[nodiscard]] std::shared_ptr<const Set> make_polytope(MatrixPtr atoms, double radius = 1);

// The hull of radius times what the oracle can answer. An atom with an index out of order or range, or a value that is
// not finite, is an InputError.
[[nodiscard]] std::shared_ptr<const Set> make_polytope(LinearOracle oracle, double radius = 1);

}  // namespace pdbfw
