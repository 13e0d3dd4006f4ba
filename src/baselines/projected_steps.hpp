// The inner steps of SVRG on a set whose projection is a soft threshold, at a price that does not depend on d.
//
//   x <- Proj_C( x - step v ),   v = (1/b) sum_{i in rows} ( f_i'(a_i'x) - f_i'(a_i'x~) ) a_i - u~ + q x
//
// The projection couples all features, but only through its threshold: a feature that is 0, that no row of the batch
// holds, and whose step * u~_j lies inside the dead zone, stays 0 and does not move the zone. So only three kinds of
// features are looked at: non-zeros of x, those in the rows, and the heavy ones: whose u~_j is not well inside the zone
// at the snapshot. Whether that was enough is seen from the zone itself, and if it was not, all features are heavy from
// then on. So the steps are exactly those of the plain method, up to the order of sums. Where the radius is slack all
// features move in every step, and all are heavy.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "baselines/primal_point.hpp"
#include "baselines/step_rules.hpp"

namespace pdbfw {

class ProjectedSteps {
 public:
  // No setting matters to them; those of the other family have some to obey.
  explicit ProjectedSteps(const Problem& problem, const Settings& settings = {});

  static constexpr Index kStepsBetweenLooks = 64;  // at the clock

  // The snapshot must live as long as the steps; x begins there.
  void begin(const PrimalPoint& snapshot, double step);
  // One step with these rows, repeated ones counted as often. Returns the entries of A touched.
  double step(std::span<const Index> rows);

  // to.x <- x, with its rounding taken back into C.
  void write(PrimalPoint& to) const;
  // Those of the next epoch: as large as the features in play in the last one, so that these are paid for.
  [[nodiscard]] Batches batches() const;
  // Of projections, beside the products with A.
  [[nodiscard]] static double work() { return 0; }

  // In C up to rounding.
  [[nodiscard]] const std::vector<double>& x() const { return x_; }
  // Features that the last step looked at, besides those in its rows.
  [[nodiscard]] Index features_in_play() const { return static_cast<Index>(in_play_.size()); }

 private:
  void look_at(Index j);
  void take_all_as_heavy();
  double add_rows(std::span<const Index> rows);
  [[nodiscard]] bool find_zone(double batch);
  [[nodiscard]] bool is_heavy(Index j) const { return is_heavy_[static_cast<std::size_t>(j)] != 0; }

  const Problem& p_;
  const PrimalPoint* snapshot_ = nullptr;
  double step_ = 0;
  Index steps_ = 0, sum_in_play_ = 0;    // since it began
  std::vector<double> x_;                // d
  std::vector<double> correction_;       // d: sum of the rows' terms; 0 between steps
  std::vector<std::uint8_t> is_heavy_;   // d
  std::vector<std::uint8_t> is_looked_;  // d: in `looked_`
  std::vector<Index> in_play_;           // non-zeros of x and heavy features
  std::vector<Index> looked_;            // in_play_ and the features in the rows
  std::vector<double> moved_;            // x - step v on looked_
  double lowest_ = 0, highest_ = 0;      // of step * u~ on the features that are not heavy
  DeadZone zone_;
};

}  // namespace pdbfw
