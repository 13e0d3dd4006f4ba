// The search for a ball's multiplier.                                                                            [M15]
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace pdbfw {

// What is known about a multiplier: too small where the sum exceeds the radius, too large where it falls short.
class Bracket {
 public:
  // A ball's is never below 0. `step` is the least step to a side of which nothing is known.
  Bracket(bool is_positive, double step) : is_positive_(is_positive), step_(step) {}

  // Where to look after a multiplier whose sum exceeds the radius by `excess`, given the step of Newton's method.
  double next(double at, double excess, double newton) {
    (excess > 0 ? low_ : high_) = at;
    const bool is_slow = std::abs(newton) <= kTiny * step_ || (!was_forced_ && std::abs(excess) > 0.5 * last_);
    last_ = std::abs(excess);
    const double wanted = inside_domain(at + newton);
    was_forced_ = is_slow || !(wanted > low_ && wanted < high_);
    if (!was_forced_) return wanted;
    // Steps grow while they all go the same way; a step of Newton's method that is not a number says nothing.
    const double far = std::max(std::abs(at), step_), longer = kFarther * std::max(std::abs(newton), reach_);
    reach_ = longer < far ? std::max(longer, step_) : far;
    if (std::isinf(high_)) return at + reach_;
    if (std::isinf(low_)) return inside_domain(at - reach_);
    return low_ == 0 ? high_ / 8 : low_ + (high_ - low_) / 2;  // it may be far smaller than the first guess
  }

  [[nodiscard]] double width() const { return high_ - low_; }

 private:
  static constexpr double kFarther = 4, kTiny = 1e-6;
  [[nodiscard]] double inside_domain(double multiplier) const {
    return is_positive_ ? std::max(0.0, multiplier) : multiplier;
  }

  double reach_ = 0;         // of the last forced step
  bool was_forced_ = false;  // the last answer was not Newton's
  bool is_positive_;
  double step_;
  double low_ = -std::numeric_limits<double>::infinity(), high_ = std::numeric_limits<double>::infinity(),
         last_ = high_;
};

}  // namespace pdbfw
