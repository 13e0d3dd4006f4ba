// The sets whose projection is a soft threshold: three that bound the sum of the entries, and the penalty in their
// place.
#pragma once

#include "pdbfw/set.hpp"

namespace pdbfw {

//   l1_ball       C = { x : sum_j |x_j| <= radius }                                                         [M4a]
//   simplex       C = { x : sum_j x_j = radius, x >= 0 }                                                    [M4b]
//   nonnegative   C = { x : sum_j x_j <= radius, x >= 0 }                                                   [M4d]
class L1Set final : public Set {
 public:
  struct Kind {
    std::string_view name;
    bool has_both_signs;    // entries of either sign, by their absolute values; else x >= 0
    bool meets_the_radius;  // the sum is the radius; else it is at most the radius, and C holds 0
  };

  L1Set(const Kind& kind, double radius) : kind_(kind), radius_(radius) {}

  [[nodiscard]] std::string_view name() const override { return kind_.name; }
  [[nodiscard]] double radius() const override { return radius_; }
  [[nodiscard]] std::shared_ptr<const Set> with_radius(double radius) const override {
    return std::make_shared<L1Set>(kind_, radius);
  }
  void linear_oracle(std::span<const double> gradient, SparseAtom& out) const override;
  void block_oracle(std::span<const double> centre, Index s, SparseAtom& out) const override;
  void project(std::span<double> v) const override;
  [[nodiscard]] double violation(std::span<const double> x) const override;
  void start(Index dimension, SparseAtom& out) const override;
  [[nodiscard]] DeadZone dead_zone(std::span<const double> u, const Curvatures& q,
                                   const DeadZone* guess) const override;

 private:
  Kind kind_;
  double radius_;
};

[[nodiscard]] std::shared_ptr<const Set> l1_ball(double radius);
[[nodiscard]] std::shared_ptr<const Set> simplex(double radius);
[[nodiscard]] std::shared_ptr<const Set> nonnegative(double radius);

// A penalty in the place of a set:  min over x of  P(x) + alpha |x|_1,  x free or >= 0.                       [M39]
//
// The minimiser of g(x) + alpha |x|_1 - <u, x> is a soft threshold like that of a ball [M6], with a zone that is the
// same for every u: [-alpha, alpha], or (-inf, alpha] where x >= 0. There is no radius: it is 0, as alpha times nothing
// is what the zone adds to D. The set itself is that of all x, or of all x >= 0.
class L1Penalty final : public Set {
 public:
  L1Penalty(double alpha, bool is_one_sided) : alpha_(alpha), is_one_sided_(is_one_sided) {}

  [[nodiscard]] std::string_view name() const override { return is_one_sided_ ? "nonnegative" : "l1"; }
  [[nodiscard]] double radius() const override { return 0; }
  [[nodiscard]] std::shared_ptr<const Set> with_radius(double radius) const override;
  void linear_oracle(std::span<const double> gradient, SparseAtom& out) const override;
  void block_oracle(std::span<const double> centre, Index s, SparseAtom& out) const override;
  void project(std::span<double> v) const override;
  [[nodiscard]] double violation(std::span<const double> x) const override;
  void start(Index dimension, SparseAtom& out) const override;
  [[nodiscard]] DeadZone dead_zone(std::span<const double> u, const Curvatures& q,
                                   const DeadZone* guess) const override;

 private:
  double alpha_;
  bool is_one_sided_;
};

}  // namespace pdbfw
