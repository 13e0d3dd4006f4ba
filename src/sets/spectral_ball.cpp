#include "sets/spectral_ball.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "linalg/dense_product.hpp"
#include "linalg/operators.hpp"
#include "linalg/orthonormal.hpp"
#include "sets/l1_sets.hpp"
#include "sets/threshold.hpp"

namespace pdbfw {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

std::span<double> numbers(Vector& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }
std::span<const double> numbers(const Vector& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

// The nearest s >= 0 with sum s <= radius, without its zeros.
Vector nearest_values(const Vector& descending, double radius) {
  Vector s = descending.cwiseMax(0.0);
  l1_ball(radius)->project(numbers(s));
  Index rank = 0;
  while (rank < s.size() && s[rank] > 0) ++rank;
  return s.head(rank);
}

Factors with_projected_values(const Factors& X, double radius) {
  const Vector s = nearest_values(X.s, radius);
  Factors out = X.head(s.size());
  out.s = s;
  return out;
}

// The multiplier of the radius in  min { |x|^2 / 2 - <s, x> : x >= 0, sum x <= radius }.
double multiplier(const Vector& s, double radius) {
  const Vector positive = s.cwiseMax(0.0);
  return find_threshold({numbers(positive), false}, {1.0, {}}, radius, 0.0, std::numeric_limits<double>::quiet_NaN());
}

// How many values to compute after s were too few. Where many are needed, the whole spectrum is no dearer.
Index more_than(Index s, const Operator& M) {
  const Index side = std::min(M.rows(), M.columns());
  constexpr Index kMany = 6;  // a sixth of all
  return M.entries() != nullptr && side <= TopSpectrum::kExactSide && 2 * kMany * s >= side ? side
                                                                                            : std::min(side, 2 * s);
}

// All that the projection onto a ball of this radius can see: the last value is at most the multiplier, or there are no
// others. The search begins with as many values as were needed last.
Factors visible_part(const Operator& M, double radius, double accuracy, Index start, TopSpectrum& top) {
  const Index side = std::min(M.rows(), M.columns());
  for (Index s = std::clamp<Index>(std::max(start, top.expected()), 1, side);; s = more_than(s, M)) {
    Factors found = top.largest(M, s, accuracy);
    const double lambda = multiplier(found.s, radius);
    if (found.rank() < s || s == side || found.s[s - 1] <= lambda) {
      top.expect((found.s.array() > lambda).count() + 2);
      return found;
    }
  }
}

// The same from the eigenvectors of M'M, M with no more columns than rows, at a fraction of the price of M's own
// decomposition. Squaring costs small values their digits: nothing where one that matters would lose too many.
std::optional<Factors> visible_part_by_gram(const Matrix& M, double radius, double accuracy, int threads) {
  const Factors gram = full_spectrum(column_gram(M, threads), Spectrum::eigenvalues);
  const Vector values = gram.s.cwiseMax(0.0).cwiseSqrt();
  if (values.size() == 0 || !values.allFinite()) return std::nullopt;
  const double lambda = multiplier(values, radius);
  if (!(accuracy * lambda * lambda > kEpsilon * values[0] * values[0])) return std::nullopt;
  const Index rank = (values.array() > lambda).count();
  Factors found;
  found.V = gram.V.leftCols(rank);
  found.U = times(M, found.V, threads);
  found.s = found.U.colwise().norm();
  found.U = found.U * found.s.cwiseInverse().asDiagonal();
  return found;
}

constexpr Index kFirstGuess = 8;

// What u has between the computed part and the rest: |u V - U s|^2 + |u'U - V s|^2, with s_i = u_i'u v_i to the last
// digit.
double squared_between(const Operator& u, Factors& found, int threads) {
  if (found.rank() == 0) return 0;
  Matrix product;
  u.times(found.V, product, threads);
  found.s = found.U.cwiseProduct(product).colwise().sum();
  const double left = (product - found.U * found.s.asDiagonal()).squaredNorm();
  u.transposed_times(found.U, product, threads);
  return left + (product - found.V * found.s.asDiagonal()).squaredNorm();
}

// Rounding in the formula of the bound itself. Of what is not a number nothing is proven.
SpectralDualPart less_rounding(SpectralDualPart part) {
  part.bound -= 16 * kEpsilon * std::abs(part.bound);
  if (!std::isfinite(part.bound) || !std::isfinite(part.beyond)) part.bound = -std::numeric_limits<double>::infinity();
  return part;
}

// What was lost although more was asked for: rounding allows no better proof.
double beyond_slack(double lost, double slack) { return lost > slack ? lost : 0; }

// Without a ridge the bound is -radius |u|_2, and where a bound on the norm is exact it needs no vectors: at the
// solution many values equal the largest, and none of these vectors would be found with ease.
SpectralDualPart norm_part(const Operator& u, double radius, double slack, TopSpectrum& top) {
  constexpr double kAccuracy = 1e-6, kTightest = 1e-13, kShareOfSlack = 0.01;
  const Factors found = top.largest(u, 1, kAccuracy);
  const double largest = found.rank() > 0 ? std::max(0.0, found.s[0]) : 0.0;
  const double spare = largest > 0 ? kShareOfSlack * slack / radius : 0.0;
  SpectralDualPart part;
  part.beyond = top.bound_beyond(u, Factors::zero(u.rows(), u.columns()), largest + spare,
                                 largest > 0 ? std::max(kTightest, spare / std::max(largest, spare)) : kTightest);
  part.multiplier = part.beyond;
  part.bound = -radius * part.multiplier;
  part.out_of_reach = beyond_slack(radius * (part.beyond - largest), kShareOfSlack * slack);
  part.minimiser = largest > 0 ? found.head(1) : Factors::zero(u.rows(), u.columns());
  part.minimiser.s.setConstant(radius);
  return part;
}

// What a bound gives away because not all of the spectrum was computed, and not exactly.
struct Lost {
  double in_tail;
  double between;
};

Lost bound_with_ridge(const Factors& found, double between, double wanted, double ridge, double radius,
                      SpectralDualPart& part) {
  part.multiplier = std::max(wanted, part.beyond);
  const double above = (found.s.array() - part.multiplier).max(0.0).square().sum();
  part.bound = -part.multiplier * radius - (above + between) / (2 * ridge);
  part.minimiser = found;
  part.minimiser.s /= ridge;
  part.minimiser = with_projected_values(part.minimiser, radius);
  return {static_cast<double>(found.rank()) * std::pow(part.multiplier - wanted, 2) / (2 * ridge),
          between / (2 * ridge)};
}

// |u|_2 is at most the norm of the 2 x 2 matrix of the norms of the parts, (largest, rho; rho, beyond).
Lost bound_without_ridge(const Factors& found, double between, double largest, double radius, SpectralDualPart& part) {
  const double mean = (largest + part.beyond) / 2, half = (largest - part.beyond) / 2;
  part.multiplier = mean + std::sqrt(half * half + between);
  part.bound = -part.multiplier * radius;
  part.minimiser = largest > 0 ? found.head(1) : Factors::zero(found.rows(), found.columns());
  part.minimiser.s.setConstant(radius);
  return {std::max(0.0, part.beyond - largest) * radius, (part.multiplier - std::max(largest, part.beyond)) * radius};
}

}  // namespace

// -radius u v' of the largest singular value; radius v v' of the smallest eigenvalue, if it is negative.
Factors SpectralBall::linear_oracle(const Operator& gradient, TopSpectrum& top, double accuracy) const {
  const SumOperator downhill({{-1.0, &gradient}});
  Factors atom = top.largest(downhill, 1, accuracy);
  if (atom.rank() == 0 || !(atom.s[0] > 0)) return Factors::zero(gradient.rows(), gradient.columns());
  atom.s[0] = radius_;
  return atom;
}

// With residuals of the norm rho, l(V) - l* <= rho radius, and V is good enough when                          [M26]
//     rho radius <= 2 accuracy + l(X) - l(V)
Factors SpectralBall::block_oracle(const Operator& centre, Index s, double from, double accuracy,
                                   TopSpectrum& top) const {
  constexpr double kFirst = 1e-2, kTightest = 1e-13;
  for (double share = kFirst;;) {
    const Factors found = top.largest(centre, s, share);
    Factors V = with_projected_values(found, radius_);
    const double at_V = 0.5 * V.s.squaredNorm() - V.s.dot(found.s.head(V.rank()));
    const double allowed = 2 * accuracy + from - at_V;
    const double largest = found.rank() > 0 ? std::max(0.0, found.s[0]) : 0.0;
    const double unit = std::sqrt(static_cast<double>(found.rank())) * largest * radius_;  // rho radius = share unit
    if (share * unit <= allowed || share <= kTightest) return V;
    share = std::clamp(0.9 * allowed / unit, kTightest, 0.1 * share);
  }
}

Vector SpectralBall::project_spectrum(const Vector& descending) const { return nearest_values(descending, radius_); }

Factors SpectralBall::project(const Matrix& centre) const {
  return with_projected_values(full_spectrum(centre, spectrum()), radius_);
}

Factors SpectralBall::project(const Matrix& centre, double accuracy, int threads) const {
  std::optional<Factors> found;
  if (spectrum() == Spectrum::singular_values) {
    const bool is_wide = centre.cols() > centre.rows();
    found = visible_part_by_gram(is_wide ? Matrix(centre.transpose()) : centre, radius_, accuracy, threads);
    if (found && is_wide) std::swap(found->U, found->V);
  }
  return found ? with_projected_values(*found, radius_) : project(centre);
}

Factors SpectralBall::project(const Operator& centre, TopSpectrum& top, double accuracy) const {
  return with_projected_values(visible_part(centre, radius_, accuracy, kFirstGuess, top), radius_);
}

// For every lambda >= 0 and every N with |N|_2 <= lambda (or N <= lambda I, where X is positive semidefinite), [M25]
//     (ridge/2) |X|^2 - <u, X>  >=  -lambda radius - |u - N|_F^2 / (2 ridge)      for all X in C.
// With P = UU' and Q = VV' of what was computed, N is  U min(s, lambda) V' + (I - P) u (I - Q).
SpectralDualPart SpectralBall::dual_part(const Operator& u, double ridge, double slack, TopSpectrum& top) const {
  const Index side = std::min(u.rows(), u.columns());
  constexpr double kFirstAccuracy = 1e-6, kLastAccuracy = 1e-12, kTailSlack = 1e-3, kLooseTail = 0.1;
  constexpr int kMostRounds = 12;
  constexpr double kNearlyLargest = 0.999;  // at the solution as many values as X has equal the largest
  SpectralDualPart part;
  Index start = std::min(side, std::max(top.expected(), ridge > 0 ? kFirstGuess : 1));
  double accuracy = kFirstAccuracy;
  if (ridge == 0 && TopSpectrum::is_exact_for(u)) return less_rounding(norm_part(u, radius_, slack, top));
  for (int round = 0; round < kMostRounds; ++round) {
    Factors found =
        ridge > 0 ? visible_part(u, ridge * radius_, accuracy, start, top) : top.largest(u, start, accuracy);
    const double between = squared_between(u, found, top.threads());
    const double largest = found.rank() > 0 ? std::max(0.0, found.s[0]) : 0.0;
    const double wanted = ridge > 0 ? multiplier(found.s, ridge * radius_) : largest;
    const double loose = ridge > 0 ? 0 : largest > 0 ? 0.5 * slack / (radius_ * largest) : 1;
    part.beyond = top.bound_beyond(u, found, wanted, std::clamp(loose, kTailSlack, kLooseTail));
    const Lost lost = ridge > 0 ? bound_with_ridge(found, between, wanted, ridge, radius_, part)
                                : bound_without_ridge(found, between, largest, radius_, part);
    part.out_of_reach = beyond_slack(lost.in_tail + lost.between, slack);
    top.expect(1 + (found.s.array() > (ridge > 0 ? part.multiplier : kNearlyLargest * largest)).count());
    if (!(lost.in_tail + lost.between > slack) || found.rank() == side) break;
    const bool can_grow = start < side && found.rank() >= start;
    const bool can_sharpen = accuracy > kLastAccuracy;
    if (!can_grow && !can_sharpen) break;
    if (can_sharpen && (lost.between > lost.in_tail || !can_grow))
      accuracy = std::max(kLastAccuracy, 0.01 * accuracy);
    else
      start = std::min(side, 2 * std::max(start, found.rank()));
  }
  return less_rounding(std::move(part));
}

double TraceBall::violation(const Factors& X) const {
  return std::max(0.0, orthonormal(X, Spectrum::singular_values).trace_norm() - radius());
}

void PsdTrace::check_shape(Index d, Index c) const {
  if (d != c) throw InputError("X", fmt::format("{} x {}", d, c), "square, for the set psd_trace");
}

// In a basis of both factors X is a small square matrix: its symmetric part has the eigenvalues, the rest is missed.
double PsdTrace::violation(const Factors& X) const {
  if (X.rank() == 0) return 0;
  if (X.U == X.V && has_orthonormal_columns(X.U)) return std::max({0.0, X.s.sum() - radius(), -X.s.minCoeff()});
  Matrix both(X.rows(), 2 * X.rank());
  both << X.U, X.V;
  const Matrix Q = orthonormal_columns(both);
  const Matrix core = times_transposed(transposed_times(Q, X.U) * X.s.asDiagonal(), transposed_times(Q, X.V));
  const double asymmetry = (core - core.transpose()).norm() / 2;
  const Vector eigenvalues = full_spectrum(core, Spectrum::eigenvalues).s;
  return std::max({0.0, core.trace() - radius(), -eigenvalues.minCoeff(), asymmetry});
}

}  // namespace pdbfw
