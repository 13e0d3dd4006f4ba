// The working set W: the features outside the dead zone or near its border. It shrinks as the zone settles; the
// certificate, which sees all features, decides whether W was right.                                          [M16]
#pragma once

#include <span>
#include <vector>

#include "base/scratch.hpp"
#include "solvers/sweeps/state.hpp"

namespace pdbfw {

class FeaturesInPlay {
 public:
  explicit FeaturesInPlay(SweepState& state) : s_(state) {}

  // The first dual point, and the first W: what can matter from there.
  void begin(Run& run);
  // On a path: what W has missed at other radii does not count.
  void radius_has_changed() { misses_ = 0; }

  // After a sweep that has raised D by so much.
  void adapt(double rise, Run& run);
  // `u` is that of all features. W takes those outside the zone or near its border, if it has missed one; else u on W
  // is rid of its rounding. True: W has changed.
  bool look_at_all(std::vector<double> u, Run& run);
  // W loses the features that are well inside the zone: where a radius has changed, where D has settled.
  void shrink_to_next_radius(Run& run);

  [[nodiscard]] ColumnBounds bounds() const {
    return {.sums = column_sums_, .signs = signs_, .border = s_.zone.multiplier};
  }

 private:
  void begin_by_columns(Run& run);
  void begin_by_rows(Run& run);
  void choose_proximity(double mean_norm);
  void add_proximity(std::span<double> u) const;
  void choose(std::vector<Index> features, std::span<const double> u, Run& run);
  void choose_near(std::span<const double> u, const DeadZone& zone, double share, Run& run);
  void shrink(double share, Run& run);

  SweepState& s_;
  bool fits_float_ = false;  // where it was not looked at, float64 is as good
  Index misses_ = 0;
  // The first W may be no more than a guess. To solve the problem of a wrong one to the end would be a waste: all
  // features are looked at once D rises by less than this share, until that has found nothing so many times.
  double next_look_ = 0;
  Index looks_left_ = 0;
  Scratch column_sums_;  // see ColumnBounds; empty: not looked at
  std::vector<double> signs_;
};

}  // namespace pdbfw
