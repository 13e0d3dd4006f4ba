// The lowest point of a convex function on a line.
#pragma once

#include <functional>

namespace pdbfw {

// The t in [0, most] that minimises a convex, differentiable phi, from its slopes alone: where the slope is at most a
// ten-thousandth of that at 0, or `most` if it is falling still. Newton's first step, then secants inside the bracket;
// one step of it where the slope is linear. phi(t) <= phi(0) up to the rounding of the slopes.
[[nodiscard]] double line_minimum(const std::function<double(double)>& slope, double slope_at_0, double curvature_at_0,
                                  double most);

}  // namespace pdbfw
