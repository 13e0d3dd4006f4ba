// [M18]  Without a ridge the sweeps solve a sequence of problems that have one, each from where the last one ended and
// with less of it.
#pragma once

#include <optional>

#include "solvers/sweeps/features_in_play.hpp"
#include "solvers/sweeps/state.hpp"

namespace pdbfw {

class ProximalRounds {
 public:
  ProximalRounds(SweepState& state, FeaturesInPlay& features) : s_(state), features_(features) {}

  void radius_has_changed();
  // After a sweep: P and D of the problem itself at the point of the proximal one, w exact. Begins the next round when
  // this one's gap is a share of the gap that is to be closed, unless the problem itself is solved.
  [[nodiscard]] Estimate end_if_done(Run& run);
  // A point without loss, if one was found; 0 is its proof.
  [[nodiscard]] const std::optional<Point>& explained() const { return explained_; }
  // The certificate did not agree.
  void forget_explained() { explained_.reset(); }

 private:
  [[nodiscard]] double own_dual(const Set& set) const;
  [[nodiscard]] double own_primal(double mean_loss) const;
  [[nodiscard]] double gap_of_round(double mean_loss) const;
  void begin_round(double factor);
  [[nodiscard]] bool look_for_no_loss(double primal, Run& run);
  void aim_at(std::shared_ptr<const Set> set);

  SweepState& s_;
  FeaturesInPlay& features_;
  Index sweeps_in_round_ = 0;
  bool is_too_small_ = false;  // the smaller set
  // P and D where nothing is learnt: the most of the loss, and what 0 proves.
  struct Nothing {
    double primal, dual;
  };
  std::optional<Nothing> nothing_;
  std::optional<Point> explained_;
};

}  // namespace pdbfw
