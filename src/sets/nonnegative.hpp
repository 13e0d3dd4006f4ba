// Weights of one sign:  C = { x : x >= 0, sum_j x_j <= radius }.                                            [M4d]
#pragma once

#include "pdbfw/set.hpp"

namespace pdbfw {

class Nonnegative final : public Set {
 public:
  explicit Nonnegative(double radius) : radius_(radius) {}

  [[nodiscard]] std::string_view name() const override { return "nonnegative"; }
  [[nodiscard]] double radius() const override { return radius_; }
  [[nodiscard]] std::shared_ptr<const Set> with_radius(double radius) const override {
    return std::make_shared<Nonnegative>(radius);
  }
  void linear_oracle(std::span<const double> gradient, SparseAtom& out) const override;
  void block_oracle(std::span<const double> centre, Index s, SparseAtom& out) const override;
  void project(std::span<double> v) const override;
  [[nodiscard]] double violation(std::span<const double> x) const override;
  void start(Index dimension, SparseAtom& out) const override;
  [[nodiscard]] DeadZone dead_zone(std::span<const double> u, const Curvatures& q,
                                   const DeadZone* guess) const override;

 private:
  double radius_;
};

}  // namespace pdbfw
