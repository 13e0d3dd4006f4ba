// g(x) = 1/2 sum_j q_j x_j^2: the ridge (one q for all) or a diagonal ridge (a q for each feature).  [M3]
#pragma once

#include <span>
#include <string_view>

#include "pdbfw/errors.hpp"

namespace pdbfw {

// The q_j: one number for every feature, or one for each.
struct Curvatures {
  double uniform = 0;            // used when `each` is empty
  std::span<const double> each;  // q_j >= 0
  [[nodiscard]] bool is_uniform() const { return each.empty(); }
  [[nodiscard]] double operator[](Index j) const { return each.empty() ? uniform : each[static_cast<std::size_t>(j)]; }
};

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

}  // namespace pdbfw
