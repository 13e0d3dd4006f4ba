// Steps of all rows at once, taken if they raise D: Newton's [M17], where rows are few, and along a path [M19].
#pragma once

#include <span>
#include <vector>

#include "solvers/sweeps/state.hpp"

namespace pdbfw {

class Leaps {
 public:
  explicit Leaps(SweepState& state) : s_(state), ends_{{}, 0, state.p.set->radius()} {}

  // While a step costs no more than some passes; nonzeros are those of the state.
  [[nodiscard]] bool newton_pays() const;
  // A step of Newton's method on the piece of D where the sweeps have come to. When it fails the sweeps go on alone for
  // a while, and twice as long the next time.
  void newton_if_due(Index sweeps, Run& run);
  // At the beginning of another radius: y is a smooth function of log(radius) but for a few bends, so on in a straight
  // line through the last two ends.
  void along_path(Run& run);

 private:
  // y + t e for this t, or one that was halved a few times; false: D rises with none of them.
  bool leap(std::span<const double> e, double t, int most_halvings, Run& run);

  SweepState& s_;
  double proximity_ = 0;  // that was in force; another one makes another problem
  Index next_newton_ = 0, pause_ = 1;
  // Where the radius before the last one ended, that radius, and the last one.
  struct Ends {
    std::vector<double> y_before;
    double radius_before, radius;
  } ends_;
};

}  // namespace pdbfw
