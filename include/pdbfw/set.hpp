// What a constraint set C must answer: every oracle the solvers and the certificate use.  [M4]
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "pdbfw/errors.hpp"
#include "pdbfw/regulariser.hpp"

namespace pdbfw {

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
  // Throws InputError where the set does not fit so many features.
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

}  // namespace pdbfw
