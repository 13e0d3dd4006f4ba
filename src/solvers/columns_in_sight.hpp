// The columns that may matter at a dual point: u = -A'y / n where it may be outside the dead zone.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "core/judge.hpp"

namespace pdbfw {

class ColumnsInSight {
 public:
  ColumnsInSight(const Problem& problem, int threads) : p_(problem), threads_(threads) {}

  // u of all columns, and those in sight.
  void look_at_all(std::span<const double> y);
  // u where it may matter. The zone of a penalty is known; that of a few columns is never wider than that of all. [M50]
  void look(std::span<const double> y, const std::vector<Index>& few);

  // Ascending. All others are proven to lie well inside the dead zone.
  [[nodiscard]] const std::vector<Index>& features() const { return features_; }
  [[nodiscard]] const std::vector<double>& u() const { return u_; }
  [[nodiscard]] Curvatures curvatures() const { return {0, q_}; }
  [[nodiscard]] const DeadZone& zone() const { return zone_; }

  [[nodiscard]] ColumnBounds bounds() const { return {.norms = norms(), .u = all_u_, .z = z_}; }
  // The slope of P along x_j changes by no more than this for a unit of x_j.
  [[nodiscard]] double most_bend(Index j) const;
  // Multiply-adds since the last call.
  [[nodiscard]] double take_work() { return std::exchange(work_, 0.0); }

 private:
  [[nodiscard]] std::vector<double> products_with(const std::vector<Index>& columns, std::span<const double> y);
  void see(std::vector<Index> features, std::vector<double> u);
  [[nodiscard]] const std::vector<double>& norms() const;

  const Problem& p_;
  int threads_;
  std::vector<Index> features_;
  std::vector<double> u_, q_;
  DeadZone zone_;
  // [M50]  The last look at all columns, at z, and their norms.
  std::vector<double> z_, all_u_;
  mutable std::vector<double> norms_;
  double work_ = 0, since_all_ = 0;
};

}  // namespace pdbfw
