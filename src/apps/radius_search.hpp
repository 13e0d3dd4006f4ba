// The radius that does best on what was held out.
#pragma once

#include <functional>

namespace pdbfw {

// What a fit at one radius says: the error on what it did not see, and whether a larger ball could change the fit.
struct RadiusVerdict {
  double error = 0;
  bool is_binding = true;
};

// Doubles the radius from `first` until the error rises or the ball no longer binds (or halves it, where the first step
// up is a step in the wrong direction), then looks between the best one and its neighbours, at half the distance (of
// the logarithms) in each of a few rounds. The error is computed once per radius; +inf ends the search with the best so
// far. `keep` is called after every fit that is the best so far.
[[nodiscard]] double best_radius(double first, const std::function<RadiusVerdict(double radius)>& fit,
                                 const std::function<void()>& keep = {});

}  // namespace pdbfw
