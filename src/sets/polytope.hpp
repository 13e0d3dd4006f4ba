// The convex hull of atoms, known by a linear oracle:  C = radius conv{ v_1, v_2, ... }.                         [M4c]
#pragma once

#include "pdbfw/set.hpp"

namespace pdbfw {

class Polytope final : public Set {
 public:
  // `features`: how many the atoms need; 0 where only the oracle knows.
  Polytope(LinearOracle oracle, Index features, double radius);

  [[nodiscard]] std::string_view name() const override { return "polytope"; }
  [[nodiscard]] double radius() const override { return radius_; }
  [[nodiscard]] std::shared_ptr<const Set> with_radius(double radius) const override {
    return std::make_shared<Polytope>(oracle_, features_, radius);
  }
  [[nodiscard]] bool has_dead_zone() const override { return false; }
  void check_dimension(Index features) const override;
  void linear_oracle(std::span<const double> gradient, SparseAtom& out) const override;
  void start(Index dimension, SparseAtom& out) const override;

  // The nearest mixture of atoms that can be found.
  void project(std::span<double> v) const override;
  // Its distance as a share of |x| or of its longest atom, whichever is larger, times the radius: an upper bound,
  // because the mixture lies in C.
  [[nodiscard]] double violation(std::span<const double> x) const override;

  // Both throw InputError: a polytope has neither.
  void block_oracle(std::span<const double> centre, Index s, SparseAtom& out) const override;
  [[nodiscard]] DeadZone dead_zone(std::span<const double> u, const Curvatures& q,
                                   const DeadZone* guess) const override;

 private:
  LinearOracle oracle_;
  Index features_;
  double radius_;
};

}  // namespace pdbfw
