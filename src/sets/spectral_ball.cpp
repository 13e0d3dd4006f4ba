#include "sets/spectral_ball.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/dense_product.hpp"
#include "sets/l1_ball.hpp"
#include "sets/threshold.hpp"

namespace pdbfw {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

std::span<double> numbers(Vector& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }
std::span<const double> numbers(const Vector& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

Factors head(const Factors& X, Index rank) { return {X.U.leftCols(rank), X.s.head(rank), X.V.leftCols(rank)}; }

// The nearest s >= 0 with sum s <= radius, without its zeros.
Factors with_projected_values(const Factors& X, double radius) {
  Vector s = X.s.cwiseMax(0.0);
  L1Ball(radius).project(numbers(s));
  Index rank = 0;
  while (rank < s.size() && s[rank] > 0) ++rank;
  Factors out = head(X, rank);
  out.s = s.head(rank);
  return out;
}

// The multiplier of the radius in  min { |x|^2 / 2 - <s, x> : x >= 0, sum x <= radius }.
double multiplier(const Vector& s, double radius) {
  const Vector positive = s.cwiseMax(0.0);
  return find_threshold({numbers(positive), false}, {1.0, {}}, radius, 0.0, std::numeric_limits<double>::quiet_NaN());
}

// All that the projection onto a ball of this radius can see: the last value is at most the multiplier, or there are no
// others.
Factors visible_part(const Operator& M, double radius, double accuracy, Index start, TopSpectrum& top) {
  const Index side = std::min(M.rows(), M.columns());
  for (Index s = std::clamp<Index>(start, 1, side);; s = std::min(side, 2 * s)) {
    Factors found = top.largest(M, s, accuracy);
    if (found.rank() < s || s == side || found.s[s - 1] <= multiplier(found.s, radius)) return found;
  }
}

constexpr Index kFirstGuess = 8;

}  // namespace

// -radius u v' of the largest singular value; radius v v' of the smallest eigenvalue, if it is negative.
Factors SpectralBall::linear_oracle(const Operator& gradient, TopSpectrum& top, double accuracy) const {
  const SumOperator downhill({{-1.0, &gradient}});
  Factors atom = top.largest(downhill, 1, accuracy);
  if (atom.rank() == 0 || !(atom.s[0] > 0)) return Factors::zero(gradient.rows(), gradient.columns());
  atom.s[0] = radius_;
  return atom;
}

// With a residual of at most rho, l(V) - l* <= radius rho, and V is good enough when                          [M26]
//     radius rho <= 2 accuracy + l(X) - l(V)
Factors SpectralBall::block_oracle(const Operator& centre, Index s, double from, double accuracy,
                                   TopSpectrum& top) const {
  constexpr double kTightest = 1e-13;
  for (double share = 1e-2;; share *= 0.1) {
    const Factors found = top.largest(centre, s, share);
    Factors V = with_projected_values(found, radius_);
    const double rho = found.rank() > 0 ? share * found.s[0] : 0;
    const double at_V = 0.5 * V.s.squaredNorm() - V.s.dot(found.s.head(V.rank()));
    if (radius_ * rho <= 2 * accuracy + from - at_V || share <= kTightest) return V;
  }
}

Factors SpectralBall::project(const Matrix& centre) const {
  return with_projected_values(full_spectrum(centre, spectrum()), radius_);
}

Factors SpectralBall::project(const Operator& centre, TopSpectrum& top, double accuracy) const {
  return with_projected_values(visible_part(centre, radius_, accuracy, kFirstGuess, top), radius_);
}

// For every lambda >= 0 and every N with |N|_2 <= lambda (or N <= lambda I, where X is positive semidefinite), [M25]
//     (ridge/2) |X|^2 - <u, X>  >=  -lambda radius - |u - N|_F^2 / (2 ridge)      for all X in C.
// With P = UU' and Q = VV' of what was computed, N is  U min(s, lambda) V' + (I - P) u (I - Q).
SpectralDualPart SpectralBall::dual_part(const Operator& u, double ridge, double slack, TopSpectrum& top) const {
  const Index side = std::min(u.rows(), u.columns());
  SpectralDualPart part;
  double accuracy = 1e-7;
  for (Index start = ridge > 0 ? kFirstGuess : 1;; start = std::min(side, 2 * start)) {
    const Factors found =
        ridge > 0 ? visible_part(u, ridge * radius_, accuracy, start, top) : top.largest(u, start, accuracy);
    // What lies between the two parts, on either side.
    double between = 0;
    if (found.rank() > 0) {
      Matrix product;
      u.times(found.V, product, top.threads());
      between += (product - found.U * found.s.asDiagonal()).squaredNorm();
      u.transposed_times(found.U, product, top.threads());
      between += (product - found.V * found.s.asDiagonal()).squaredNorm();
    }
    const double largest = found.rank() > 0 ? std::max(0.0, found.s[0]) : 0.0;
    if (ridge > 0) {
      const double lambda = multiplier(found.s, ridge * radius_);
      part.beyond = top.bound_beyond(u, found, lambda, 1e-3);
      part.multiplier = std::max(lambda, part.beyond);
      const double wasted = static_cast<double>(found.rank()) * std::pow(part.multiplier - lambda, 2) + between;
      part.bound = -part.multiplier * radius_ -
                   ((found.s.array() - part.multiplier).max(0.0).square().sum() + between) / (2 * ridge);
      part.minimiser = found;
      part.minimiser.s /= ridge;
      part.minimiser = with_projected_values(part.minimiser, radius_);
      if (wasted / (2 * ridge) <= slack || found.rank() == side || start == side) break;
      if (between / (2 * ridge) > slack / 2 && accuracy > 1e-13) accuracy *= 0.1;
    } else {
      // |u|_2 is at most the norm of the 2 x 2 matrix of the norms of the parts, (largest, rho; rho, beyond).
      part.beyond = top.bound_beyond(u, found, largest, 1e-3);
      const double mean = (largest + part.beyond) / 2, half = (largest - part.beyond) / 2;
      const double norm = mean + std::sqrt(half * half + between);
      part.multiplier = norm;
      part.bound = -radius_ * norm;
      part.minimiser = largest > 0 ? head(found, 1) : Factors::zero(u.rows(), u.columns());
      part.minimiser.s.setConstant(radius_);
      if ((norm - largest) * radius_ <= slack || found.rank() == side || start == side) break;
      if (between > 0 && accuracy > 1e-13) accuracy *= 0.1;
    }
  }
  // Rounding in the formula itself.
  part.bound -= 16 * kEpsilon * std::abs(part.bound);
  return part;
}

}  // namespace pdbfw
