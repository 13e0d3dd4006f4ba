#include "sets/trace_ball.hpp"

#include <algorithm>

#include "linalg/orthonormal.hpp"

namespace pdbfw {

double TraceBall::violation(const Factors& X) const {
  return std::max(0.0, orthonormal(X, Spectrum::singular_values).trace_norm() - radius());
}

}  // namespace pdbfw
