// What holds x back: the regulariser g and the constraint set C. Both can be your own: derive and put the object into a
// Problem.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "pdbfw/errors.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {

// The q_j: one number for every feature, or one for each.
struct Curvatures {
  double uniform = 0;            // used when `each` is empty
  std::span<const double> each;  // q_j >= 0
  [[nodiscard]] bool is_uniform() const { return each.empty(); }
  [[nodiscard]] double operator[](Index j) const { return each.empty() ? uniform : each[static_cast<std::size_t>(j)]; }
};

// g(x) = 1/2 sum_j q_j x_j^2: the ridge (one q for all) or a diagonal ridge (a q for each feature).  [M3]
class Regulariser {
 public:
  Regulariser() = default;
  Regulariser(const Regulariser&) = delete;
  Regulariser& operator=(const Regulariser&) = delete;
  virtual ~Regulariser() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual double value(std::span<const double> x) const = 0;
  virtual void add_gradient(std::span<const double> x, std::span<double> out) const = 0;
  [[nodiscard]] virtual double strong_convexity() const = 0;  // the paper's mu = min q
  [[nodiscard]] virtual double smoothness() const = 0;        // the paper's L  = max q
  [[nodiscard]] virtual Curvatures curvatures() const = 0;
};

// A point with few non-zeros. An atom keeps its structure until it meets A.
struct SparseAtom {
  std::vector<Index> at;  // ascending
  std::vector<double> value;
};

// The minimiser of g(x) - <u, x> over C is a soft threshold of u whose width is the multiplier of the radius:
//     x_j = ( u_j - clamp(u_j, lower, upper) ) / q_j.                                                   [M6]
struct DeadZone {
  double lower = 0;
  double upper = 0;
  double multiplier = 0;  // of the radius; the zone's part of the dual value is -multiplier * radius
  bool is_tight = false;  // the minimiser meets the radius with equality
  [[nodiscard]] double outside(double u) const { return u - (u < lower ? lower : (u > upper ? upper : u)); }
};

// What a constraint set C must answer: every oracle the solvers and the certificate use.  [M4]
class Set {
 public:
  Set() = default;
  Set(const Set&) = delete;
  Set& operator=(const Set&) = delete;
  virtual ~Set() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual double radius() const = 0;
  // The same set of another radius, > 0 and finite.
  [[nodiscard]] virtual std::shared_ptr<const Set> with_radius(double radius) const = 0;

  // False for a set that is known by its linear oracle only, such as a general polytope [M4c]: then block_oracle and
  // dead_zone are not there, and project and violation are searches. Certificates need no dead zone [M2b], and
  // some solvers do not either: SolverDescription::takes_polytopes.
  [[nodiscard]] virtual bool has_dead_zone() const { return true; }
  // Throws InputError where the set does not fit this number of features.
  virtual void check_dimension(Index /*features*/) const {}

  // argmin_{v in C} <gradient, v>: one vertex.
  virtual void linear_oracle(std::span<const double> gradient, SparseAtom& out) const = 0;
  // The nearest point of C to `centre` with at most s non-zeros.
  virtual void block_oracle(std::span<const double> centre, Index s, SparseAtom& out) const = 0;
  // The nearest point of C, in place.
  virtual void project(std::span<double> v) const = 0;
  // 0 inside C, else how far the defining inequality is missed.
  [[nodiscard]] virtual double violation(std::span<const double> x) const = 0;
  // A point of C to start from, given as an atom (zero where C holds it).
  virtual void start(Index dimension, SparseAtom& out) const = 0;

  // The zone of the exact minimiser of g(x) - <u, x> over C. Where some q_j are 0 the minimiser is not unique and the
  // zone covers their u_j. `guess` is a zone near the answer (the last one), or null: it saves time, and what it
  // changes is rounding.
  [[nodiscard]] virtual DeadZone dead_zone(std::span<const double> u, const Curvatures& q,
                                           const DeadZone* guess = nullptr) const = 0;
};

// A general polytope: the convex hull of finitely many points, its atoms.                                        [M4c]
//
//   problem.set = pdbfw::make_polytope(atoms);                          // one row of the matrix an atom
//   problem.set = pdbfw::make_polytope([](std::span<const double> gradient) { return vertex; });
//
// The solvers pdfw and fw take it, and auto takes pdfw; the certificate needs the linear oracle only.

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
